// `npm run demo:server`: a team's day in a minute. A pull request and its plan, an approval, an apply whose worker is killed in
// the middle of it, another one that goes on, a second plan that finds no changes, and drift. Everything is on loopback, and
// gone at the end.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import type { Tree } from '../support/git-repositories.ts';
import { openHostedRig, type HostedRig } from '../support/hosts/open-hosted-rig.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { ApiClient, type ShownRun } from '../support/server/api-client.ts';
import { listVms, type Running } from '../support/server/server-rig.ts';

/** How fast the operations of the sandbox go: the apply takes some seconds, so that there is a middle of it. */
const speed = 60;
const workspace = 'shop';

/** Runs the demo. @returns the exit code of the process */
export async function runDemo(root: string): Promise<number> {
  const begun = performance.now();
  const hosted = await openHostedRig(asProcesses(root), 'github', { speed, isPublic: false });
  const { api, rig } = hosted;
  try {
    const planId = await showAll(root, hosted);
    say(
      `\nThe demo is done, in ${Math.round((performance.now() - begun) / 1_000)} seconds.`,
      'green',
    );
    say(`  Account: ${new URL(rig.account.baseUrl).origin}/`);
    say(`  Plan:    ${api.origin}/runs/${planId}`);
    say(`  API:     ${api.origin}/api/v1/runs`);
    if (process.env.CI === undefined && process.stdout.isTTY) {
      say(`  Sign in: ${api.signInUrl}`);
      await untilInterrupted();
    }
    return 0;
  } catch (error) {
    console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    await hosted.close();
  }
}

/** @returns the run of the plan that was applied */
async function showAll(root: string, hosted: HostedRig): Promise<string> {
  const { api, double, makeWorkspace, startWorker } = hosted;
  const workers = [await startWorker(), await startWorker()];
  say(
    `# A server at ${api.origin}, two workers over one PostgreSQL, and a double of GitHub.`,
    'dim',
  );
  await double.ground.repository.commit({ 'README.md': 'Our infrastructure.' });
  const rules = { directory: 'shop', approvals: { count: 1 } };
  await makeWorkspace(workspace, rules);

  say('\n# A pull request adds the shop. Its plan is a comment.', 'dim');
  const pull = await double.openPull(await readTree(join(root, 'examples/shop'), 'shop'));
  const comment = await until('The pull request has no comment.', () =>
    double.ground.comments.find(({ body }) => body.includes(pull.head.slice(0, 10))),
  );
  for (const line of comment.body.split('\n').slice(1, 12)) console.log(`  ${line}`);

  say('\n# It is merged. The plan of the merge waits for an approval, and gets one.', 'dim');
  await double.merge(pull);
  const plan = await until('The merge is not planned.', () => findPlan(api));
  require(plan.hasChanges === true, 'The plan found no changes.');
  await approve(api, plan.id);

  say('\n# Apply the plan; kill its worker in the middle.', 'dim');
  const apply = await api.run({ operation: 'apply', plan: plan.id });
  await killInTheMiddle(hosted, workers, apply.id);
  const applied = await show(api, apply);
  require(applied.status === 'succeeded', 'The apply did not succeed.');

  say('\n# Plan again: is the account what the configuration says?', 'dim');
  const vms = await listVms(hosted.rig.account);
  require(new Set(vms.map(({ name }) => name)).size === vms.length, 'A VM was made twice.');
  const again = await show(api, await api.run({ operation: 'plan', workspace }));
  require(again.status === 'succeeded' &&
    again.hasChanges === false, 'The second plan has changes.');

  say('\n# Somebody deletes a VM by hand. The next drift check finds it.', 'dim');
  await deleteVm(hosted.rig, vms[0]?.name ?? '');
  const drift = await api.ended((await api.run({ operation: 'drift', workspace })).id);
  for (const { address, action } of drift.changes ?? []) say(`  ${address}: ${action}`, 'yellow');
  require(drift.changes?.length === 1, 'The drift check found something else.');
  return plan.id;
}

/** The plan of the branch, once it has succeeded. */
async function findPlan(api: ApiClient): Promise<ShownRun | undefined> {
  const { body } = await api.call('GET', `/api/v1/runs?workspace=${workspace}`);
  const runs = body.runs as readonly (ShownRun & { readonly pullRequest?: number })[];
  return runs.find(
    ({ pullRequest, status }) => pullRequest === undefined && status === 'succeeded',
  );
}

/** Somebody with the role says yes. */
async function approve(api: ApiClient, planId: string): Promise<void> {
  const made = await api.call('POST', '/api/v1/members', {
    ...{ kind: 'token', name: 'grace', expiresInDays: 1 },
    grants: [{ role: 'approve', workspace }],
  });
  const grace = new ApiClient(api.origin, String(made.body.token));
  const refused = await api.call('POST', '/api/v1/runs', { operation: 'apply', plan: planId });
  say(`  Without an approval: ${String(refused.body.detail)}`);
  const decision = { decision: 'yes', comment: 'Looks right.' };
  const { body } = await grace.call('POST', `/api/v1/runs/${planId}/approvals`, decision);
  say(`  grace says yes: ${String(body.given)} of ${String(body.needed)}.`, 'green');
}

async function killInTheMiddle(
  { api, rig }: HostedRig,
  workers: readonly Running[],
  applyId: string,
): Promise<void> {
  await until('The apply has not begun.', async () => (await listVms(rig.account)).length >= 5);
  const at = performance.now();
  const { worker } = await api.see(applyId);
  const killed = workers.find(({ ready }) => ready.workerId === worker);
  require(killed !== undefined, 'No worker carries the apply out.');
  await killed?.stop('SIGKILL');
  say(`Killed the worker with process id ${String(killed?.pid)} by kill -9.`, 'yellow');
  await api.until(applyId, ({ attempt }) => attempt === 2);
  say(`Another worker goes on after ${((performance.now() - at) / 1_000).toFixed(1)} s.`);
}

/** Deletes a VM of the account, and waits until it is gone. */
async function deleteVm({ account }: HostedRig['rig'], vm: string): Promise<void> {
  const [project = '', name = ''] = vm.split('/');
  const headers = { authorization: `Bearer ${account.token}` };
  const path = `${account.baseUrl}/projects/${project}/vms`;
  const list = (await (await fetch(`${path}?pageSize=100`, { headers })).json()) as {
    readonly items: readonly { readonly id: string; readonly name: string }[];
  };
  const { id = '' } = list.items.find((one) => one.name === name) ?? {};
  await fetch(`${path}/${id}`, { method: 'DELETE', headers });
  await until('The VM is not deleted.', async () =>
    (await listVms(account)).every((one) => one.name !== vm),
  );
}

/** The texts of a directory, as the files of a commit. */
async function readTree(directory: string, prefix: string): Promise<Tree> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile() && !/\.(?:svg|png)$/.test(one.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [join(prefix, relative(directory, path)), await readFile(path, 'utf8')];
      }),
    ),
  ) as Tree;
}

/** Resolves with what `look` finds, once it finds something; rejects after half a minute. */
async function until<T>(
  fault: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  for (const begun = performance.now(); performance.now() - begun < 30_000;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(fault);
}

/** Shows a run to its end. */
async function show(api: ApiClient, { id }: ShownRun): Promise<ShownRun> {
  const log = (await api.readLog(id)).trimEnd().split('\n');
  const rest = log.length > 12 ? [`… ${log.length - 12} more lines above`] : [];
  for (const line of [...rest, ...log.slice(-12)]) console.log(`  ${line}`);
  const run = await api.ended(id);
  say(`${run.operation}: ${run.status}`, run.status === 'succeeded' ? 'green' : 'red');
  return run;
}

function untilInterrupted(): Promise<void> {
  say('  Ctrl-C ends it.');
  return new Promise((done) => process.once('SIGINT', () => done()));
}

function require(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message);
}

function say(text: string, format: Parameters<typeof styleText>[0] = 'bold'): void {
  console.log(process.stdout.isTTY ? styleText(format, text) : text);
}

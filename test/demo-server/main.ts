// `npm run demo:server`: a team's day in a minute. A plan, an apply, a worker that is killed in the middle of it, another one
// that goes on, and a second plan that finds no changes. Everything is on loopback, and gone at the end.
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { ApiClient, ShownRun } from '../support/server/api-client.ts';
import {
  commitDirectory,
  listVms,
  openServerRig,
  type ServerRig,
} from '../support/server/server-rig.ts';

/** How fast the operations of the sandbox go: the apply takes some seconds, so that there is a middle of it. */
const speed = 60;
const workspace = 'shop';

/** Runs the demo. @returns the exit code of the process */
export async function runDemo(root: string): Promise<number> {
  const begun = performance.now();
  const rig = await openServerRig(root, speed);
  try {
    const api = await rig.startServer();
    const planId = await showAll(root, rig, api);
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
    await rig.close();
  }
}

/** @returns the run of the plan that was applied */
async function showAll(root: string, rig: ServerRig, api: ApiClient): Promise<string> {
  const workers = [await rig.start(['worker']), await rig.start(['worker'])];
  say(`# A server at ${api.origin}, and two workers over one PostgreSQL.`, 'dim');
  await commitDirectory(rig.repository, join(root, 'examples/shop'), 'shop');
  const { baseUrl, token } = rig.account;
  const made = await api.call('POST', '/api/v1/workspaces', {
    ...{ name: workspace, repository: rig.repositoryUrl, directory: 'shop' },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
  require(made.status === 201, `The workspace was refused: ${JSON.stringify(made.body)}`);

  say('\n# A plan of the newest commit.', 'dim');
  const plan = await show(api, await api.run({ operation: 'plan', workspace }));
  require(plan.status === 'succeeded' && plan.hasChanges === true, 'The plan found no changes.');

  say('\n# Apply the saved plan; kill its worker in the middle.', 'dim');
  const apply = await api.run({ operation: 'apply', plan: plan.id });
  await untilVms(rig, 5);
  const at = performance.now();
  const { worker } = await api.see(apply.id);
  const killed = workers.find(({ ready }) => ready.workerId === worker);
  require(killed !== undefined, 'No worker carries the apply out.');
  await killed?.stop('SIGKILL');
  say(`Killed the worker with process id ${String(killed?.process.pid)} by kill -9.`, 'yellow');
  await api.until(apply.id, ({ attempt }) => attempt === 2);
  say(`Another worker goes on after ${((performance.now() - at) / 1_000).toFixed(1)} s.`);
  const applied = await show(api, apply);
  require(applied.status === 'succeeded', 'The apply did not succeed.');

  say('\n# Plan again: is the account what the configuration says?', 'dim');
  const names = (await listVms(rig.account)).map(({ name }) => name);
  require(new Set(names).size === names.length, 'A VM was made twice.');
  const again = await show(api, await api.run({ operation: 'plan', workspace }));
  require(again.status === 'succeeded' &&
    again.hasChanges === false, 'The second plan has changes.');
  return plan.id;
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

/** Resolves once the account has so many VMs: the apply is in its middle then. */
async function untilVms({ account }: ServerRig, count: number): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < 30_000;) {
    if ((await listVms(account)).length >= count) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('The apply has not begun.');
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

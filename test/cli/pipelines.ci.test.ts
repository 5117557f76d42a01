// The pipelines of examples/pipelines, run through with the action and the component that they use: what those run is run in
// earnest against a served sandbox.
import { execFile } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import {
  openHttpStateDouble,
  type HttpStateDouble,
} from '../support/backends/http-state-double.ts';
import { makeDatabase } from '../support/backends/make-database.ts';
import { openS3Double } from '../support/backends/s3-double.ts';
import { CodeHost, type PullRequest } from '../support/code-host.ts';
import { openFolder } from '../support/open-folder.ts';
import { runGitlabJob } from '../support/run-gitlab-job.ts';
import { runWorkflow, type RanWorkflow, type Trigger } from '../support/run-workflow.ts';
import { hurried } from './hurried-clock.ts';
import { openRelay, type ProgramRelay } from './open-relay.ts';
import { startCommand, type Started } from './program.ts';
import { serve, type ServedSandbox } from './run-in-process.ts';

const root = resolve(import.meta.dirname, '../..');
const shipped = join(root, 'examples/pipelines');
const read = (path: string) => readFile(join(shipped, path), 'utf8');
const workflow = '.github/workflows/hostwright.yml';

/** What is copied into a repository, by its path there. */
const readPipelines = async (state?: string) => ({
  [workflow]: (await read('github.yml')).replaceAll(
    /^( +)(directory: .*\n)/gm,
    state === undefined ? '$&' : `$1$2$1state: '${state}'\n`,
  ),
  '.gitlab-ci.yml': await read('gitlab.yml'),
});

const configuration = (baseUrl: string, networks: readonly string[], more = '') => ({
  'hosting/main.yaml': `version: 1
service: { baseUrl: ${baseUrl} }
${more}projects:
  shop:
    networks:
${networks.map((name) => `      ${name}: {}\n`).join('')}`,
});

/** One that no network gets past. */
const policy = 'policies:\n  few: { for: networks, assert: "false", message: No networks }\n';

describe('pipelines', () => {
  let host: CodeHost;
  let sandbox: ServedSandbox;
  /** Where the state is, for tests whose point is another: on a branch, each record of an apply costs some runs of git. */
  let place: HttpStateDouble;
  let relay: ProgramRelay;
  /** The built program, where its process counts. */
  let built: string;
  let secrets: Record<string, string>;
  const ran: { readonly log: string; readonly commands?: readonly string[] }[] = [];
  const write = (networks: readonly string[], more?: string) =>
    configuration(sandbox.env.HOSTWRIGHT_BASE_URL ?? '', networks, more);

  beforeAll(async () => {
    sandbox = await serve('--speed', '200');
    // As the README has it: a plan is made with a token that may only read.
    const made = await ask('POST', '/tokens', { name: 'plan', scopes: ['read'] });
    const { value } = (await made.json()) as { value: string };
    secrets = {
      HOSTWRIGHT_TOKEN: sandbox.env.HOSTWRIGHT_TOKEN ?? '',
      HOSTWRIGHT_PLAN_TOKEN: value,
    };
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    const folder = await openFolder('programs');
    relay = await openRelay(join(folder, 'relay'));
    built = join(folder, 'built');
    const settings = Object.entries(hurried).map(([name, value]) => `'${name}=${value}'`);
    const begin = `exec env ${settings.join(' ')} '${join(root, 'dist/main.js')}' "$@"`;
    await writeFile(built, `#!/bin/sh\n${begin}\n`, { mode: 0o755 });
    place = await openHttpStateDouble();
    host = await CodeHost.open(relay.program);
    host.variables.HOSTWRIGHT_BASE_URL = sandbox.env.HOSTWRIGHT_BASE_URL ?? '';
    await host.git('checkout', '--quiet', '-b', 'main');
    await host.commit(await readPipelines(`{ http: { address: ${place.address} } }`));
    ran.length = 0;
  });
  afterEach(async () => {
    expect(ran.flatMap(({ commands = [] }) => commands)).toEqual([]);
    await expectNoSecrets();
    await host.close();
    await relay.close();
    await place.close();
    await emptyAccount();
  });

  async function plan({ number, tried, head }: PullRequest): Promise<RanWorkflow> {
    const event = {
      pull_request: {
        number,
        head: { sha: head, repo: { full_name: host.repository } },
        base: { ref: 'main' },
      },
    };
    const trigger = { name: 'pull_request', sha: tried, head, event } as const;
    return start(trigger);
  }
  const start = async (trigger: Trigger) =>
    note(await runWorkflow(host, 'hostwright.yml', trigger, secrets));
  const apply = (sha: string) => start({ name: 'push', sha });
  const drift = async () =>
    start({ name: 'schedule', sha: await host.git('rev-parse', 'origin/main') });
  function note<T extends { readonly log: string }>(one: T): T {
    ran.push(one);
    return one;
  }

  const ask = (method: string, path: string, body?: object) =>
    fetch(`${sandbox.env.HOSTWRIGHT_BASE_URL ?? ''}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.env.HOSTWRIGHT_TOKEN ?? ''}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const list = async (path: string) =>
    ((await sandbox.get(path)) as { items: { id: string; name: string }[] }).items;
  const findNetworks = async () => {
    const [project] = await list('/projects');
    return project ? await list(`/projects/${project.id}/networks`) : [];
  };
  async function renameNetwork(from: string, to: string): Promise<void> {
    const [project] = await list('/projects');
    const network = (await findNetworks()).find(({ name }) => name === from);
    const path = `/projects/${project?.id ?? ''}/networks/${network?.id ?? ''}/rename`;
    expect((await ask('PATCH', path, { name: to })).status).toBeLessThan(300);
  }
  /** By hand, as the console would. */
  async function emptyAccount(): Promise<void> {
    for (const { id } of await list('/projects')) {
      for (const network of await list(`/projects/${id}/networks`)) {
        await ask('DELETE', `/projects/${id}/networks/${network.id}`);
      }
      await expect.poll(() => list(`/projects/${id}/networks`)).toEqual([]);
      await ask('DELETE', `/projects/${id}`);
    }
    await expect.poll(() => list('/projects')).toEqual([]);
  }

  async function destroyVms(): Promise<void> {
    for (const { id } of await list('/projects')) {
      for (const vm of await list(`/projects/${id}/vms`)) {
        await ask('DELETE', `/projects/${id}/vms/${vm.id}`);
      }
      await expect.poll(() => list(`/projects/${id}/vms`), { timeout: 20_000 }).toEqual([]);
    }
  }

  /** The tokens stand in no log, artifact, comment, issue or state. */
  async function expectNoSecrets(): Promise<void> {
    const artifacts = join(host.directory, 'artifacts');
    const files = await readdir(artifacts, { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const texts = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), 'utf8')),
    );
    const branches = await host.git('log', '--all', '--patch').catch(() => '');
    const posts = [...host.comments, ...host.issues].map(({ body }) => body);
    const all = [
      ...ran.map(({ log }) => log),
      ...texts,
      ...posts,
      branches,
      ...place.versions.values(),
      place.latest,
    ].join('\n');
    for (const secret of [...Object.values(secrets), host.token]) {
      expect(all).not.toContain(secret);
    }
  }

  test('a pull request is planned in one comment', async () => {
    const somebody = { author: 'mallory', edits: 0, state: 'open' };
    const marker = '<!-- hostwright-plan:hosting -->';
    for (const id of [1, 2, 3, 4]) host.comments.push({ ...somebody, id, body: `${marker}\nmine` });
    await host.take(built);
    const first = await plan(await host.propose(write(['a']), 'shop'));
    expect(first).toMatchObject({ isSuccess: true });
    expect(first.outputs).toEqual({
      ...{ changes: '2', losses: '0', downtime: '0', plan: 'hostwright-plan/plan' },
    });
    expect(first.log).toMatch(
      /^npm install --prefix \S+ git\+https:\/\/github\.example\.com\/YOU\/hostwright\.git#COMMIT\n/,
    );
    expect(first.log).toContain('Plan: 2 to add, 0 to change, 0 to destroy.');
    await host.take(relay.program);
    const pull = await host.propose(write(['a', 'b']), 'shop');
    expect(await plan(pull)).toMatchObject({ isSuccess: true });
    expect(host.comments).toHaveLength(5);
    expect(host.comments.at(-1)).toMatchObject({ edits: 1 });
    expect(host.comments.at(-1)?.body).toMatch(
      /^<!-- hostwright-plan:hosting -->\n## Hostwright plan for <code>hosting<\/code>: loses nothing<br><sub>3 to add · on <code>[^]*\n\[The whole plan as a page\]\(https:\/\/github\.example\.com\/\S+\/actions\/runs\/\d+\)\n/,
    );
    expect(await list('/projects')).toEqual([]);
  });

  test('what was merged is applied as planned, with its state on a branch', async () => {
    await host.commit(await readPipelines());
    const applied = await apply(await mergePlanned(['a', 'b']));
    expect(applied.steps).toMatchObject({ Plan: 'success', Apply: 'success' });
    expect(applied.outputs).toMatchObject({ changes: '3', plan: 'hostwright-plan/plan' });
    expect(applied.log).toContain('Apply complete! Resources: 3 added, 0 changed, 0 destroyed.');
    expect((await findNetworks()).map(({ name }) => name)).toEqual(['a', 'b']);
    await host.git('fetch', '--quiet', 'origin');
    const [state] = (await host.git('ls-tree', '-r', '--name-only', 'origin/hostwright-state'))
      .split('\n')
      .filter((path) => path.endsWith('state.json'));
    expect(state).toMatch(/^hosting\//);
  });

  test('what was applied is watched: an issue is opened, updated and closed', async () => {
    await apply(await mergePlanned(['a', 'b']));
    await host.take(built);
    const unchanged = { changes: '0', losses: '0', downtime: '0', plan: '' };
    expect(await drift()).toMatchObject({ isSuccess: true, outputs: unchanged });
    expect(host.issues).toEqual([]);
    await host.take(relay.program);
    await renameNetwork('b', 'by-hand');
    expect(await drift()).toMatchObject({ isSuccess: true, outputs: { changes: '1', plan: '' } });
    expect(await drift()).toMatchObject({ isSuccess: true });
    expect(host.issues).toMatchObject([{ state: 'open', edits: 1 }]);
    expect(host.issues[0]?.body).toContain('by-hand');
    await renameNetwork('by-hand', 'b');
    expect(await drift()).toMatchObject({ isSuccess: true });
    expect(host.issues).toMatchObject([{ state: 'closed' }]);
  });

  test('a plan is refused once the account has moved, and made anew by hand', async () => {
    await apply(await mergePlanned(['a']));
    const pull = await host.propose(write(['a', 'b']));
    await plan(pull);
    await renameNetwork('a', 'by-hand');
    const merged = await host.merge(pull);
    const refused = await apply(merged);
    expect(refused.steps).toMatchObject({ Apply: 'failure' });
    expect(refused.log).toContain('Saved plan is stale');
    expect(refused.log).toContain('projects.shop.networks.a: name "a" -> "by-hand"');
    expect((await findNetworks()).map(({ name }) => name)).toEqual(['by-hand']);
    const byHand = (command: string) =>
      start({ name: 'workflow_dispatch', sha: merged, inputs: { command } });
    expect((await byHand('drift')).outputs).toMatchObject({ changes: '2' });
    const anew = await byHand('apply');
    expect(anew.log).toContain('Apply complete! Resources: 1 added, 1 changed, 0 destroyed.');
    expect(anew.isSuccess).toBe(true);
  });

  test('of two plans of one state, the second is refused', async () => {
    await apply(await mergePlanned(['a']));
    const one = await host.propose({ ...write(['a', 'b']) });
    const other = await host.propose({ 'hosting/more.yaml': 'projects: { other: {} }\n' });
    await plan(one);
    await plan(other);
    expect(await apply(await host.merge(one))).toMatchObject({ isSuccess: true });
    const refused = await apply(await host.merge(other));
    expect(refused.isSuccess).toBe(false);
    expect(refused.log).toContain('the configuration is not the one that was planned');
    expect(await list('/projects')).toHaveLength(1);
  });

  test('what a pull request says of the address does not matter', async () => {
    const { 'hosting/main.yaml': text } = configuration('http://evil.invalid/v1', ['a']);
    const pull = await host.propose({ 'hosting/main.yaml': text });
    expect(await plan(pull)).toMatchObject({ isSuccess: true });
    expect(await apply(await host.merge(pull))).toMatchObject({ isSuccess: true });
    expect((await findNetworks()).map(({ name }) => name)).toEqual(['a']);
    // Without the setting, it would matter: then nothing is planned at all.
    delete host.variables.HOSTWRIGHT_BASE_URL;
    const more = configuration('http://evil.invalid/v1', ['a', 'b']);
    const refused = await plan(await host.propose(more));
    expect(refused.steps).toMatchObject({ Plan: 'failure' });
    expect(refused.log).toContain('HOSTWRIGHT_BASE_URL is not set');
  });

  test('what nobody planned is not applied', async () => {
    const pull = await host.propose(write(['a']));
    const refused = await apply(await host.merge(pull));
    expect(refused.steps).toMatchObject({ Apply: 'skipped' });
    expect(refused.log).toContain(`no successful plan of #${pull.number}`);
    expect(await list('/projects')).toEqual([]);
  });

  test('a policy that does not hold fails the plan, is commented on, and marked at its line', async () => {
    const refused = await plan(await host.propose(write(['a'], policy)));
    expect(refused.steps).toMatchObject({
      Plan: 'failure',
      'Comment on the pull request': 'success',
      'Mark the findings at their lines': 'success',
      'Keep the plan': 'skipped',
    });
    expect(host.comments[0]?.body).toContain('cannot be applied, it has 1 error');
    expect(host.comments[0]?.body).toContain('No networks');
    const sarif = JSON.parse(await readFile(host.artifact(refused.id, 'sarif'), 'utf8')) as object;
    const place = {
      artifactLocation: { uri: 'hosting/main.yaml' },
      region: { startLine: expect.any(Number) as number },
    };
    expect(sarif).toMatchObject({
      runs: [{ results: [{ level: 'error', locations: [{ physicalLocation: place }] }] }],
    });
  });

  test('a configuration that cannot be read is commented on as well', async () => {
    await plan(await host.propose(write(['a']), 'shop'));
    const refused = await plan(
      await host.propose({ 'hosting/main.yaml': 'projects: [\n' }, 'shop'),
    );
    expect(refused.steps).toMatchObject({ Plan: 'failure' });
    expect(host.comments).toMatchObject([{ edits: 1 }]);
    expect(host.comments[0]?.body).toContain(
      '## Hostwright plan for <code>hosting</code>: could not be made',
    );
  });

  test('a plan that fails only as it was asked for leaves no empty comment and no empty findings', async () => {
    const other = { id: 1, author: 'github-actions[bot]', edits: 0, body: 'of another workflow' };
    host.comments.push(other);
    const text = (await read('github.yml')).replace(
      'command: plan',
      'command: plan\n          lock-timeout: soon',
    );
    const refused = await plan(await host.propose({ ...write(['a']), [workflow]: text }));
    expect(refused.log).toContain('--lock-timeout');
    expect(refused.steps).toMatchObject({
      Plan: 'failure',
      'Comment on the pull request': 'skipped',
      'Mark the findings at their lines': 'skipped',
    });
    expect(host.comments).toEqual([other]);
    const left = await readdir(join(refused.workspace, 'hostwright-plan'));
    expect(left).toEqual([]);
  });

  test('a pull request from a fork is not planned, whatever the workflow asks', async () => {
    const proposeFromFork = async (text: string): Promise<Omit<Trigger, 'name'>> => {
      const { number, tried, head } = await host.propose({ ...write(['a']), [workflow]: text });
      const event = { pull_request: { number, head: { repo: { full_name: 'mallory/hosting' } } } };
      return { sha: tried, head, event };
    };
    const text = await read('github.yml');
    const planned = await start({ ...(await proposeFromFork(text)), name: 'pull_request' });
    expect(planned).toMatchObject({ isSuccess: false, steps: {} });
    const careless = text
      .replaceAll(/ if: .*\n(?: {6}github.*\n)?/g, ' if: 1 == 2\n')
      .replace('1 == 2', '1 == 1')
      .replace('secrets.HOSTWRIGHT_PLAN_TOKEN', 'secrets.HOSTWRIGHT_TOKEN');
    for (const command of ['plan', 'apply', 'drift']) {
      const proposed = await proposeFromFork(
        careless.replace('command: plan', `command: ${command}`),
      );
      // Unlike a pull_request, this has all secrets of the repository.
      const refused = await start({ ...proposed, name: 'pull_request_target' });
      expect(refused.steps).toMatchObject({
        'Refuse what is not trusted': 'failure',
        'Install Hostwright': 'skipped',
        'Comment on the pull request': 'skipped',
      });
      expect(refused.log).toContain('pull requests from forks are not planned');
    }
    expect(host.comments).toEqual([]);
    expect(await list('/projects')).toEqual([]);
  });

  test('on GitLab, a plan is reported in counts, applied in its pipeline, and watched', async () => {
    const credentials = { username: 'gitlab-ci-token', password: 'glcbt-of-the-job' };
    const path = '/api/v4/projects/7/terraform/state/hosting';
    const states = await openHttpStateDouble({ flavour: 'gitlab', credentials, path });
    secrets = { ...secrets, CI_JOB_TOKEN: credentials.password };
    const job = async (pipeline: number, sha: string, name: string) =>
      note(
        await runGitlabJob(host, pipeline, sha, name, {
          HOSTWRIGHT_TOKEN: secrets.HOSTWRIGHT_TOKEN ?? '',
          CI_JOB_TOKEN: credentials.password,
          HOSTWRIGHT_PLAN_KEY: 'of protected branches alone',
          CI_API_V4_URL: `${new URL(states.address).origin}/api/v4`,
          CI_PROJECT_ID: '7',
        }),
      );
    const sha = await host.commit(write(['a', 'b']));
    const planned = await job(1, sha, 'hostwright-plan');
    expect(planned).toMatchObject({ code: 0 });
    const report = await readFile(join(planned.workspace, 'hostwright-plan/report.json'), 'utf8');
    expect(JSON.parse(report)).toEqual({ create: 3, update: 0, delete: 0 });
    expect(await job(1, sha, 'hostwright-apply')).toMatchObject({ code: 0 });
    expect((await findNetworks()).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await job(2, sha, 'hostwright-drift')).toMatchObject({ code: 0 });
    expect(await job(3, sha, 'hostwright-plan')).toMatchObject({ code: 0 });
    await renameNetwork('b', 'by-hand');
    const stale = await job(3, sha, 'hostwright-apply');
    expect(stale).toMatchObject({ code: 1 });
    expect(stale.log).toContain('Saved plan is stale');
    const differs = await job(4, sha, 'hostwright-drift');
    expect(differs).toMatchObject({ code: 2 });
    expect(differs.log).toContain('# changed outside: was "b"');
    const refused = await job(5, await host.commit(write(['a', 'c'], policy)), 'hostwright-plan');
    expect(refused).toMatchObject({ code: 1 });
    expect(states.latest).toContain('projects.shop.networks.b');
    await states.close();
  });

  describe('ci.sh', () => {
    /** Runs it at the desk, where the configuration was committed. */
    const start = (
      args: readonly string[],
      env: Record<string, string> = {},
      { cwd = host.desk } = {},
    ) =>
      startCommand(['sh', join(root, 'templates/ci.sh'), ...args], {
        cwd,
        env: {
          ...host.variables,
          HW_DIR: 'hosting',
          HOSTWRIGHT_STATE: `{ http: { address: ${place.address} } }`,
          HOSTWRIGHT_TOKEN: secrets.HOSTWRIGHT_TOKEN ?? '',
          PATH: `${host.bin}:${process.env.PATH ?? ''}`,
          HOME: host.directory,
          ...env,
        },
      });
    const end = async (started: Started) => {
      const { code, stdout, stderr } = await started.ended;
      return note({ code, log: stdout + stderr });
    };
    const ci = (...given: Parameters<typeof start>) => end(start(...given));

    test('takes the token from a file or a command, and says with its exit code what came of it', async () => {
      await host.commit(write(['a']));
      const without = { HOSTWRIGHT_TOKEN: '' };
      expect(await ci(['plan'], without)).toMatchObject({ code: 1 });
      const file = join(host.directory, 'token');
      await writeFile(file, `${secrets.HOSTWRIGHT_TOKEN ?? ''}\n`);
      expect(await ci(['plan'], { ...without, HOSTWRIGHT_TOKEN_FILE: file })).toMatchObject({
        code: 2,
      });
      const command = { ...without, HW_TOKEN_COMMAND: `cat '${file}'` };
      expect(await ci(['drift'], command)).toMatchObject({ code: 2 });
      expect(await ci(['plan'], command)).toMatchObject({ code: 2 });
      expect(await ci(['apply', 'hostwright-plan/plan'], command)).toMatchObject({ code: 0 });
      expect(await ci(['drift'], command)).toMatchObject({ code: 0 });
      expect(await ci(['plan'], command)).toMatchObject({ code: 0 });
      const again = await ci(['apply', 'hostwright-plan/plan'], command);
      expect(again.log).toContain('Apply complete! Resources: 0 added, 0 changed, 0 destroyed.');
      expect(again.code).toBe(0);
      for (const args of [[], ['destroy'], ['apply'], ['apply', 'nowhere']]) {
        expect((await ci(args)).code).not.toBe(0);
      }
    });

    const onBranch = { HOSTWRIGHT_STATE: '{ git: { path: hosting } }' };
    /** Applies a VM, and does something to it once it is under way. */
    async function applyVm(
      disturb: (applying: Started) => void | Promise<void>,
      env: Record<string, string> = {},
    ): Promise<Started> {
      const vms =
        '    vms: { web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly } }\n';
      const { 'hosting/main.yaml': text } = write(['a']);
      await host.commit({ 'hosting/main.yaml': text + vms });
      expect(await ci(['plan'], env)).toMatchObject({ code: 2 });
      await host.take(built);
      const applying = start(['apply', 'hostwright-plan/plan'], env);
      await applying.waitFor('vms.web: Creating...');
      await disturb(applying);
      return applying;
    }
    /** On another machine, that has nothing but the repository: it ends what was begun, and makes nothing twice. */
    async function expectToGoOn(env: Record<string, string> = {}): Promise<void> {
      await host.take(relay.program);
      await rm(join(host.desk, 'hosting/.hostwright'), { recursive: true, force: true });
      await ci(['plan'], env);
      expect(await ci(['apply', 'hostwright-plan/plan'], env)).toMatchObject({ code: 0 });
      expect(await ci(['drift'], env)).toMatchObject({ code: 0 });
      const [project] = await list('/projects');
      expect(await list(`/projects/${project?.id ?? ''}/vms`)).toHaveLength(1);
      await destroyVms();
    }

    test('interrupted, it waits for what runs, and ends with 130', async () => {
      const applying = await applyVm(({ child }) => void child.kill('SIGTERM'));
      expect(await end(applying)).toMatchObject({ code: 130 });
      await expectToGoOn();
    });

    test('killed with all that it runs, the next machine goes on', async () => {
      const applying = await applyVm(async ({ child }) => {
        const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
        const processes = stdout
          .trim()
          .split('\n')
          .map((line) => line.trim().split(/\s+/));
        const own = processes.filter(([, parent]) => parent === String(child.pid));
        child.kill('SIGKILL');
        for (const [pid] of own) process.kill(Number(pid), 'SIGKILL');
      }, onBranch);
      expect(await end(applying)).toMatchObject({ code: null });
      await expectToGoOn(onBranch);
    });

    test('plans and applies nothing without the place of the state', async () => {
      await host.commit(write(['a']));
      for (const args of [['plan'], ['apply', 'hostwright-plan/plan'], ['drift']]) {
        const refused = await ci(args, { HOSTWRIGHT_STATE: '' });
        expect(refused).toMatchObject({ code: 1 });
        expect(refused.log).toContain('HOSTWRIGHT_STATE is not set');
      }
    });

    async function expectCourse(env: Record<string, string>): Promise<void> {
      await host.commit(write(['a']));
      expect(await ci(['plan'], env)).toMatchObject({ code: 2 });
      expect(await ci(['apply', 'hostwright-plan/plan'], env)).toMatchObject({ code: 0 });
      expect(await ci(['drift'], env)).toMatchObject({ code: 0 });
    }

    test('keeps its state in a bucket, too', async () => {
      const double = await openS3Double();
      const { endpoint, bucket, region, keys } = double;
      await expectCourse({
        HOSTWRIGHT_STATE: `{ s3: { bucket: ${bucket}, key: hosting, region: ${region} } }`,
        ...{ AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey },
        AWS_ENDPOINT_URL_S3: endpoint,
      });
      await double.close();
    });

    test('keeps its state in PostgreSQL, too', async () => {
      const server = await makeDatabase();
      await expectCourse({
        HOSTWRIGHT_STATE: '{ postgres: { name: hosting } }',
        HOSTWRIGHT_STATE_POSTGRES_URL: server.url,
      });
      await server.close();
    });

    test('keeps the states of several configurations side by side', async () => {
      const small = (project: string) => `version: 1\nprojects: { ${project}: {} }\n`;
      const files = { 'hosting/main.yaml': small('shop'), 'second/main.yaml': small('second') };
      await host.commit({ ...files, '.gitignore': '.hostwright/\n' });
      const placed = (HW_DIR: string) => ({
        ...{ HW_DIR, HOSTWRIGHT_STATE: `{ git: { path: ${HW_DIR.replaceAll(/[./]/g, '')} } }` },
      });
      for (const dir of ['hosting', 'second', './second/']) {
        const env = placed(dir);
        expect((await ci(['plan'], env)).code).toBe(dir === './second/' ? 0 : 2);
        expect(await ci(['apply', 'hostwright-plan/plan'], env)).toMatchObject({ code: 0 });
      }
      // Somebody else takes the state of the first one further: a plan here builds on that.
      const at = join(host.directory, 'elsewhere');
      await host.git('clone', '--quiet', host.origin, at);
      await host.commit(write(['a']));
      await host.git('-C', at, 'pull', '--quiet', 'origin', 'HEAD');
      const there = { cwd: at };
      expect(await ci(['plan'], onBranch, there)).toMatchObject({ code: 2 });
      expect(await ci(['apply', 'hostwright-plan/plan'], onBranch, there)).toMatchObject({
        code: 0,
      });
      expect(await ci(['plan'], placed('second'))).toMatchObject({ code: 0 });
      expect(await ci(['plan'], onBranch)).toMatchObject({ code: 0 });
      await host.git('fetch', '--quiet', 'origin');
      const kept = await host.git('ls-tree', '-r', '--name-only', 'origin/hostwright-state');
      expect(new Set(kept.split('\n').map((path) => path.split('/')[0]))).toEqual(
        new Set(['hosting', 'second']),
      );
    });
  });

  async function mergePlanned(networks: readonly string[]): Promise<string> {
    const pull = await host.propose(write(networks));
    await plan(pull);
    return host.merge(pull);
  }
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess, serve, type ServedSandbox } from './run-in-process.ts';
import type { RunningSandbox } from './sandbox-program.ts';
import { runProgram, startSandbox } from './sandbox-program.ts';

let folder: string;
let running: RunningSandbox[] = [];
let served: ServedSandbox[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostwright-serve-'));
  // Another user must be able to come here.
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  await Promise.all(running.map((sandbox) => sandbox.end('SIGKILL')));
  await Promise.all(served.map((sandbox) => sandbox.stop()));
  [running, served] = [[], []];
  rmSync(folder, { recursive: true, force: true });
});

async function start(...args: string[]): Promise<RunningSandbox> {
  const sandbox = await startSandbox(['--port', '0', ...args]);
  running.push(sandbox);
  return sandbox;
}

/** In this process: for what is no matter of one. */
async function startHere(...args: string[]): Promise<ServedSandbox> {
  const sandbox = await serve(...args);
  served.push(sandbox);
  return sandbox;
}

type Reached = Pick<ServedSandbox, 'baseUrl' | 'token'>;

const ask = (sandbox: Reached, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${sandbox.baseUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
  });

const addProject = (sandbox: Reached, name: string) =>
  ask(sandbox, '/projects', { method: 'POST', body: JSON.stringify({ name }) });

/** Text as it was before it was wrapped into a box. */
const unwrap = (text: string): string => text.replaceAll(/\s*\n│?\s*/g, ' ');

describe('sandbox', () => {
  it('says where it serves, logs each request, and ends cleanly when told to', async () => {
    const sandbox = await start('--admin-port', '0');
    expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(sandbox.adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(sandbox, '/projects')).status).toBe(200);
    await fetch(`${sandbox.baseUrl}/projects`);
    expect(await sandbox.end('SIGTERM')).toBe(0);
    expect(sandbox.output.stderr).toMatch(/^GET \/v1\/projects 200 \d+ ms$/m);
    expect(sandbox.output.stderr).toMatch(/^GET \/v1\/projects 401 \d+ ms$/m);
    expect(sandbox.output.stderr).not.toContain(sandbox.token);
  });

  it('shows its pages', async () => {
    const { baseUrl } = await startHere('--quiet');
    const { origin } = new URL(baseUrl);
    const paths = ['/', '/docs', '/docs/openapi.json', '/docs/page.js', '/nothing'];
    const statuses = await Promise.all(
      paths.map(async (path) => (await fetch(`${origin}${path}`)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
  });

  it('offers the catalog of a file, and takes faults about its sizes alone', async () => {
    const file = join(folder, 'catalog.json');
    const size = { id: 's', name: 'small', cpu: 1, ram: 1, disk: 1, maxCount: 4 };
    writeFileSync(file, JSON.stringify({ images: [], configurations: [size], tariffs: [] }));
    const sandbox = await startHere('--catalog', file, '--admin-port', '0');
    const offered = await (await ask(sandbox, '/configurations')).json();
    expect(offered).toEqual([{ ...size, availability: 'limited' }]);
    const put = (configuration: string) =>
      fetch(`${sandbox.adminUrl}/faults`, {
        method: 'PUT',
        body: JSON.stringify({ rules: [{ then: { capacity: { configuration } } }] }),
      });
    expect((await put('small')).status).toBe(200);
    expect((await put('c2-r4-d40')).status).toBe(422);
    writeFileSync(file, '{}');
    const refused = await runInProcess(['sandbox', '--port', '0', '--catalog', file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('has no `images`');
  });

  it('is quiet when asked', async () => {
    const sandbox = await startHere('--quiet');
    await ask(sandbox, '/projects');
    expect((await sandbox.stop()).stderr).toBe('');
  });

  it('takes quotas and name lengths from the line and from files', async () => {
    writeFileSync(join(folder, 'lengths.json'), '{"project": 5}');
    const lengths = join(folder, 'lengths.json');
    const sandbox = await startHere('--quotas', 'projects=1,vmRam=64', '--name-lengths', lengths);
    expect(await (await ask(sandbox, '/limits')).json()).toMatchObject({
      projects: { limit: 1 },
      vmResources: { ram: { limit: 64 } },
    });
    expect((await addProject(sandbox, 'longer')).status).toBe(422);
    expect((await addProject(sandbox, 'short')).status).toBe(201);
    expect((await addProject(sandbox, 'more')).status).toBe(409);
  });

  it.each([
    [['--quotas', 'networks=-1'], '--quotas needs a whole number of 0 or more for networks'],
    [['--quotas', 'nets=1'], '--quotas does not know nets'],
    [['--quotas', 'no-such-file'], '--quotas cannot read no-such-file'],
    [['--name-lengths', 'vm=0'], '--name-lengths needs a whole number of 1 or more for vm'],
    [['--faults', 'no-such-file'], '--faults cannot read no-such-file'],
    [['--host', '203.0.113.7'], 'Cannot listen on 203.0.113.7'],
    [['--port', '70000'], 'Give a whole number from 0 to 65535'],
    [['--quota-lag', 'soon'], 'Give a duration such as 30s'],
  ])('refuses %j, with exit code 1', async (args, said) => {
    const { code, stdout, stderr } = await runInProcess(['sandbox', '--port', '0', ...args]);
    expect([code, stdout]).toEqual([1, '']);
    expect(unwrap(stderr)).toContain(said);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('says what is wrong with a fault script, and where', async () => {
    const file = join(folder, 'faults.yaml');
    writeFileSync(
      file,
      'rules:\n  - when: { operation: createvm }\n    then: { drop: sometimes }\n',
    );
    const { code, stderr } = await runInProcess(['sandbox', '--faults', file]);
    const said = unwrap(stderr);
    expect(code).toBe(1);
    expect(said).toContain('rules[0].when.operation is no operation of the contract: createvm');
    expect(said).toContain('line 2, column 24');
    expect(said).toContain('rules[0].then.drop must be one of before, after');
    expect(said).toContain('line 3, column 19');
  });

  it('says so when its port is taken', async () => {
    const { baseUrl } = await startHere();
    const { port } = new URL(baseUrl);
    const { code, stderr } = await runInProcess(['sandbox', '--port', port]);
    expect(code).toBe(1);
    expect(unwrap(stderr)).toContain(`Cannot listen on 127.0.0.1, port ${port}`);
  });

  it('breaks connections as its fault script says', async () => {
    const file = join(folder, 'faults.json');
    const rules = [{ name: 'cut', when: { operation: 'createProject' }, then: { drop: 'after' } }];
    writeFileSync(file, JSON.stringify({ rules }));
    const sandbox = await startHere('--faults', file);
    await expect(addProject(sandbox, 'shop')).rejects.toThrow('fetch failed');
    expect(await (await ask(sandbox, '/projects')).json()).toMatchObject({ totalCount: 1 });
    expect((await sandbox.stop()).stderr).toMatch(/^POST \/v1\/projects cut \d+ ms/m);
  });
});

describe('sandbox --data', () => {
  it('refuses a folder that cannot be made', async () => {
    const data = '/proc/hostwright/data';
    const refused = await runInProcess(['sandbox', '--port', '0', '--data', data]);
    expect(refused.code).toBe(1);
    expect(unwrap(refused.stderr)).toContain('The sandbox cannot make the folder of its data file');
  });

  it('serves a directory once at a time, and again after a kill', async () => {
    const data = join(folder, 'data');
    const first = await start('--data', data);
    await addProject(first, 'shop');
    const second = await runProgram(['sandbox', '--port', '0', '--data', data]);
    expect(second.code).toBe(1);
    expect(unwrap(second.stderr)).toContain(`is in use by another process`);
    expect(unwrap(second.stderr)).toContain(`The process ${first.child.pid ?? 0} serves it`);
    await first.end('SIGKILL');
    const third = await start('--data', data);
    expect(await (await ask(third, '/projects')).json()).toMatchObject({ totalCount: 1 });
    expect(statSync(join(data, 'sandbox.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('is refused where this user may not write', async () => {
    mkdirSync(join(folder, 'locked'), { mode: 0o555 });
    const data = join(folder, 'locked', 'data');
    // The super-user may write everywhere.
    const isRoot = process.getuid?.() === 0;
    const { code, stderr } = await runProgram(
      ['sandbox', '--port', '0', '--data', data],
      isRoot ? { uid: 65_534 } : {},
    );
    expect(code).toBe(1);
    expect(unwrap(stderr)).toContain('The sandbox cannot make the folder of its data file');
    expect(unwrap(stderr)).toContain('it may not be written by this user');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('is refused where the file itself is read-only', async () => {
    const data = join(folder, 'data');
    const first = await start('--data', data);
    await first.end('SIGTERM');
    chmodSync(data, 0o555);
    chmodSync(join(data, 'sandbox.sqlite'), 0o444);
    const isRoot = process.getuid?.() === 0;
    const { code, stderr } = await runProgram(
      ['sandbox', '--port', '0', '--data', data],
      isRoot ? { uid: 65_534 } : {},
    );
    chmodSync(data, 0o755);
    expect(code).toBe(1);
    expect(unwrap(stderr)).toMatch(/The sandbox cannot (open|use) its data file/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('is refused on a full disk', async () => {
    const { code, stderr } = await runProgram(
      ['sandbox', '--port', '0', '--data', join(folder, 'data')],
      { wrapper: limitedDisk(48) },
    );
    expect(code).toBe(1);
    expect(unwrap(stderr)).toMatch(/The sandbox cannot (use|write) its data file/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('answers 503 when the disk becomes full, loses nothing, and goes on with room', async () => {
    const data = join(folder, 'data');
    const sandbox = await startSandbox(
      ['--port', '0', '--data', data, '--quotas', 'projects=9999'],
      { wrapper: limitedDisk(1500) },
    );
    running.push(sandbox);
    let kept = 0;
    let refusal: Response | undefined;
    for (; refusal === undefined && kept < 2000; kept += 1) {
      const answer = await addProject(sandbox, `p${kept}`);
      if (answer.status !== 201) refusal = answer;
    }
    kept -= 1;
    expect(refusal?.status).toBe(503);
    expect(await refusal?.json()).toMatchObject({
      detail: expect.stringMatching(/cannot write its data.*Nothing was changed/) as string,
    });
    await sandbox.end('SIGKILL');
    const roomy = await start('--data', data);
    expect(await (await ask(roomy, '/projects')).json()).toMatchObject({ totalCount: kept });
    expect((await addProject(roomy, 'more')).status).toBe(409);
  });
});

/** No file may grow beyond so many KiB: what is written then fails as on a full disk. */
const limitedDisk = (kib: number): readonly string[] => [
  '/bin/bash',
  '-c',
  `ulimit -f ${kib}; trap '' XFSZ; exec "$0" "$@"`,
];

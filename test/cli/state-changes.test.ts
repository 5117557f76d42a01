import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { openProcessClock } from '../../src/cli/clock.ts';
import { acquireLock } from '../../src/state/lock/lock.ts';
import { copyExample } from './program.ts';
import { runInProcess as run, serve, type ServedSandbox } from './run-in-process.ts';
import { openLocalBackend } from '../../src/state/backends/local.ts';
import { expectFailure } from '../support/expect-words.ts';

let sandbox: ServedSandbox;
let quickstart: Awaited<ReturnType<typeof copyExample>>;
const hostwright = (...args: string[]) => run(args, { cwd: quickstart.path, env: sandbox.env });
const web = (index: number) => `projects.demo.vms.web[${index}]`;
const stateFile = () => join(quickstart.path, '.hostwright', 'state.json');

async function idOf(address: string): Promise<string> {
  const shown = await hostwright('state', 'show', '--json', address);
  return (JSON.parse(shown.stdout) as { id: string }).id;
}

beforeAll(async () => {
  sandbox = await serve('--speed', '100');
  quickstart = await copyExample('quickstart');
});
afterAll(async () => {
  await sandbox.stop();
  await quickstart.remove();
});

test('there is nothing to change where there is no state', async () => {
  for (const args of [['mv', web(0), web(5)], ['rm', web(0)], ['pull']]) {
    expect((await hostwright('state', ...args)).stderr).toContain('[no-state]');
  }
});

describe('by hand', () => {
  beforeAll(() => hostwright('apply', '--auto-approve'));

  test('a resource is moved, and back, and the plan has nothing to say', async () => {
    const moved = await hostwright('state', 'mv', web(1), web(7));
    expect(moved.stdout).toBe(`Move "${web(1)}" to "${web(7)}"\nSuccessfully moved 1 object.\n`);
    expect((await hostwright('state', 'list')).stdout).toContain(web(7));
    const project = await hostwright('state', 'mv', 'projects.demo', 'projects.other');
    expect(project.stdout).toContain('Move "projects.demo" to "projects.other"\n');
    expect(project.stdout).toContain('Successfully moved 7 objects.');
    await hostwright('state', 'mv', 'projects.other', 'projects.demo');
    await hostwright('state', 'mv', web(7), web(1));
    expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test.each([
    [['projects.demo.vms.wep[0]', web(5)], `Did you mean ${web(0)}?`],
    [[web(0), 'projects.other.vms.web[0]'], '[wrong-parent]'],
    [[web(0), web(0)], '[nothing-moves]'],
  ])('a move that cannot be: %j', async (args, expected) => {
    const before = await readFile(stateFile(), 'utf8');
    const { code, stderr } = await hostwright('state', 'mv', ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(expected);
    expect(await readFile(stateFile(), 'utf8')).toBe(before);
  });

  test('what the account shows otherwise is accepted, field by field', async () => {
    const state = JSON.parse(await readFile(stateFile(), 'utf8')) as {
      resources: { address: string; shown?: object; accepted?: readonly string[] }[];
    };
    const find = (of: typeof state) => of.resources.find(({ address }) => address === web(0));
    Object.assign(find(state)!, { shown: { name: 'w' } });
    await writeFile(stateFile(), JSON.stringify(state));
    const refused = await hostwright('state', 'accept', `${web(0)}.image`, 'nothing');
    expectFailure(refused, '[nothing-to-accept]', `${web(0)}.name`, 'no such resource');
    const { stdout } = await hostwright('state', 'accept', `${web(0)}.name`);
    expect(stdout).toMatch(/^Accepted: .*\.name was set to ".*", and shows "w"\.\n$/);
    const after = JSON.parse(await readFile(stateFile(), 'utf8')) as typeof state;
    expect(find(after)).toMatchObject({ shown: { name: 'w' }, accepted: ['name'] });
  });

  test('a resource is forgotten, and taken up again by its id', async () => {
    const id = await idOf(web(0));
    const removed = await hostwright('state', 'rm', web(0));
    expect(removed.stdout).toBe(`Removed ${web(0)}\nSuccessfully removed 1 object.\n`);
    expect((await hostwright('state', 'rm', web(0))).stderr).toContain('[not-in-state]');
    expectFailure(await hostwright('import', web(0), 'vm-none'), '[import-not-found]');
    expect((await hostwright('import', web(5), id)).stderr).toContain('[not-configured]');
    const imported = await hostwright('import', web(0), id);
    const progress = `${web(0)}: Importing from ID "${id}"...\n`;
    expect(imported).toMatchObject({ code: 0, stderr: progress });
    expect(imported.stdout).toMatch(/^\nImport successful!/);
    expect((await hostwright('import', web(0), id)).stderr).toContain('[already-managed]');
    expect((await hostwright('import', web(0), 'vm-x')).stderr).toContain('state rm');
    expect((await hostwright('state', 'show', web(0))).stdout).toContain('"ubuntu-24.04"');
    expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('a resource is imported as it is, and the next plan shows what differs', async () => {
    const id = await idOf(web(0));
    await hostwright('state', 'rm', web(0));
    const file = join(quickstart.path, 'main.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll('ubuntu-24.04', 'ubuntu-22.04'));
    expect((await hostwright('plan', '--adopt')).stdout).toContain('[import-would-destroy]');
    expect(await hostwright('import', web(0), id)).toMatchObject({ code: 0 });
    expect((await hostwright('plan')).stdout).toContain(`${web(0)} will be rebuilt`);
    await writeFile(file, text);
    expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('a whole project is forgotten and taken up: what it holds needs it first', async () => {
    const [project, vm] = [await idOf('projects.demo'), await idOf(web(0))];
    expect((await hostwright('state', 'rm', 'projects.demo')).stdout).toContain(
      'removed 7 objects',
    );
    expect((await hostwright('import', web(0), vm)).stderr).toContain('[import-elsewhere]');
    await hostwright('import', 'projects.demo', project);
    expect(await hostwright('import', web(0), vm)).toMatchObject({ code: 0 });
    await hostwright('apply', '--auto-approve', '--adopt');
    expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('a state is pulled and pushed, and no older or other one over it', async () => {
    const pulled = (await hostwright('state', 'pull')).stdout;
    const copy = join(quickstart.path, 'pulled.json');
    await writeFile(copy, pulled);
    expect((await hostwright('state', 'push', 'pulled.json')).stdout).toContain('Nothing to do');
    await hostwright('state', 'rm', web(0));
    const older = await hostwright('state', 'push', 'pulled.json');
    expectFailure(older, '[state-older]');
    await writeFile(copy, pulled.replace(/"lineage": "[^"]*"/, '"lineage": "another"'));
    expect((await hostwright('state', 'push', 'pulled.json')).stderr).toContain(
      '[state-other-lineage]',
    );
    await writeFile(copy, '{"formatVersion": 1}');
    expect((await hostwright('state', 'push', '--force', 'pulled.json')).stderr).toContain(
      '[not-a-state]',
    );
    expect((await hostwright('state', 'push', 'none.json')).stderr).toContain('[file-unreadable]');
    const piped = await run(['state', 'push', '--force', '-'], {
      cwd: quickstart.path,
      env: sandbox.env,
      input: pulled,
    });
    expect(piped).toMatchObject({ code: 0 });
    const { serial } = JSON.parse(await readFile(stateFile(), 'utf8')) as { serial: number };
    expect(serial).toBe((JSON.parse(pulled) as { serial: number }).serial + 2);
    expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('nothing is changed while another run holds the lock', async () => {
    const lock = await acquireLock(
      openLocalBackend(quickstart.path).lock,
      {
        operation: 'apply',
        version: '0',
        process: { pid: process.pid, host: hostname(), user: 'u' },
      },
      { clock: openProcessClock() },
    );
    onTestFinished(() => lock.release());
    await writeFile(
      join(quickstart.path, 'pulled.json'),
      (await hostwright('state', 'pull')).stdout,
    );
    for (const args of [
      ['state', 'mv', web(0), web(5)],
      ['state', 'rm', web(0)],
      ['state', 'push', '--force', 'pulled.json'],
      ['import', web(0), 'vm-1'],
    ]) {
      expectFailure(await hostwright(...args), '[state-locked]');
    }
  });
});

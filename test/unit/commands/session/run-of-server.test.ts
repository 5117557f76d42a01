import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DayTwoWorld } from '../../../support/day-two.ts';

const serverRun = { id: 'r', attempt: 1 };

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

test('a run of a server refuses the embedded sandbox, and says where the address belongs', async () => {
  await writeFile(
    join(world.directory, 'main.yaml'),
    'version: 1\nservice: { sandbox: true }\nprojects: { shop: }\n',
  );
  const env = { HOSTWRIGHT_BASE_URL: '' };
  const { code, stderr } = await world.run(['plan'], { env, serverRun });
  expect(code).toBe(1);
  expect(stderr.replace(/\s*\n│ /g, ' ')).toContain('A run of a server has no embedded sandbox');
  expect(stderr).toContain('HOSTWRIGHT_BASE_URL');
  expect(stderr).toContain('on main.yaml line 2');
  // With an address, the configuration may say what it likes.
  expect(await world.run(['plan'], { serverRun })).toMatchObject({ code: 0 });
});

test('what the environment says of a run makes none of a process that is no run', async () => {
  await writeFile(
    join(world.directory, 'main.yaml'),
    'version: 1\nservice: { sandbox: true }\nprojects: { shop: }\n',
  );
  const env = { HOSTWRIGHT_BASE_URL: '', HOSTWRIGHT_SERVER_RUN: 'r/1' };
  const { stderr } = await world.run(['plan'], { env });
  expect(stderr).not.toContain('A run of a server');
});

describe('the end of the log of a plan', () => {
  const argv = ['plan', '--out', 'p.hostwright', '--destroy'];
  const applicable = { HOSTWRIGHT_SERVER_APPLICABLE: '1' };

  test('says how the server applies it', async () => {
    const { stdout } = await world.run(argv, { serverRun, env: applicable });
    expect(stdout.replaceAll('\n', ' ')).toContain('apply the plan on the page of this run');
    expect(stdout).toContain('POST /api/v1/runs');
    expect(stdout).toContain('{ "operation": "apply", "plan": "r" }');
    expect(stdout).not.toContain('hostwright apply');
    expect(stdout).not.toContain('p.hostwright');
  });

  test('says nothing of a plan that changes nothing', async () => {
    const main = join(world.directory, 'main.yaml');
    await writeFile(main, (await readFile(main, 'utf8')).replace('planned: {}', ''));
    const plan = ['plan', '--out', 'p.hostwright'];
    const { stdout } = await world.run(plan, { serverRun, env: applicable });
    expect(stdout).toContain('No changes');
    expect(stdout).not.toMatch(/apply exactly|p\.hostwright|api\/v1/);
  });

  test('says nothing where the server does not apply it, as that of a pull request', async () => {
    const { stdout } = await world.run(argv, { serverRun });
    expect(stdout).toContain('destroy');
    expect(stdout).not.toMatch(/hostwright apply|p\.hostwright|api\/v1/);
  });

  test('names the command outside of a server', async () => {
    const { stdout } = await world.run(argv);
    expect(stdout).toContain('hostwright apply "p.hostwright"');
  });
});

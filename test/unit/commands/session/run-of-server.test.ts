import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DayTwoWorld } from '../../../support/day-two.ts';

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
  const env = { HOSTWRIGHT_BASE_URL: '', HOSTWRIGHT_SERVER_RUN: 'r/1' };
  const { code, stderr } = await world.run(['plan'], { env });
  expect(code).toBe(1);
  expect(stderr.replace(/\s*\n│ /g, ' ')).toContain('A run of a server has no embedded sandbox');
  expect(stderr).toContain('HOSTWRIGHT_BASE_URL');
  expect(stderr).toContain('on main.yaml line 2');
  // With an address, the configuration may say what it likes.
  const sandbox = { HOSTWRIGHT_SERVER_RUN: 'r/1' };
  expect(await world.run(['plan'], { env: sandbox })).toMatchObject({ code: 0 });
});

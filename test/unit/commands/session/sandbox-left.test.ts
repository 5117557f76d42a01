import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DayTwoWorld } from '../../../support/day-two.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

/** True where a plan with the environment says that it goes elsewhere. */
async function isTold(service: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  await writeFile(
    join(world.directory, 'main.yaml'),
    `version: 1\nservice: ${service}\nprojects: { shop: {} }\n`,
  );
  const { stderr } = await world.run(['plan', '--allow-other-service'], { env });
  return stderr.includes('[sandbox-left]');
}

test.each([
  ['{ sandbox: true }', 'https://api.example.com/v1', true],
  ['{ sandbox: true }', 'http://127.0.0.1:8080/v1', false],
  ['{ sandbox: true }', '', false],
  ['{ baseUrl: https://other.example/v1 }', 'https://api.example.com/v1', false],
])('service: %s, with the address %s', async (service, address, told) => {
  expect(await isTold(service, { HOSTWRIGHT_BASE_URL: address })).toBe(told);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DayTwoWorld } from '../../../support/day-two.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

/** Where a plan with the environment says that it goes elsewhere: among its warnings, and in the question of an apply. */
async function listTold(service: string, env: Readonly<Record<string, string>>) {
  await writeFile(
    join(world.directory, 'main.yaml'),
    `version: 1\nservice: ${service}\nprojects: { shop: {} }\n`,
  );
  const run = (command: string) =>
    world.run([command, '--allow-other-service'], { env, answers: ['no'] });
  const [planned, applied] = [await run('plan'), await run('apply')];
  const question = applied.stdout.slice(applied.stdout.indexOf('Do you want to perform'));
  return [
    planned.stderr.includes('[sandbox-left]'),
    question.includes(
      "Warning: This goes to https://api.example.com/v1, and not to the sandbox.\n  Only 'yes'",
    ),
  ];
}

test.each([
  ['{ sandbox: true }', 'https://api.example.com/v1', true],
  ['{ sandbox: true }', 'http://127.0.0.1:8080/v1', false],
  ['{ sandbox: true }', '', false],
  ['{ baseUrl: https://other.example/v1 }', 'https://api.example.com/v1', false],
])('service: %s, with the address %s', async (service, address, told) => {
  expect(await listTold(service, { HOSTWRIGHT_BASE_URL: address })).toEqual([told, told]);
});

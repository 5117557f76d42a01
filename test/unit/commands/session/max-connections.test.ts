import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DayTwoWorld } from '../../../support/day-two.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

const configure = (service: string) =>
  writeFile(
    join(world.directory, 'main.yaml'),
    `version: 1\nservice: { ${service} }\nprojects: { shop: { networks: { a: , b: , c: } } }\n`,
  );

test.each([
  ['timeouts: {}', 128],
  ['maxConnections: 2', 2],
])('service: { %s } opens so many connections, and sends as many requests', async (more, most) => {
  await configure(`baseUrl: 'https://sandbox/v1', ${more}`);
  let [running, peak] = [0, 0];
  const ran = await world.run(['plan'], {
    async meddle(_request, pass) {
      running += 1;
      peak = Math.max(peak, running);
      await new Promise(setImmediate);
      running -= 1;
      return pass();
    },
  });
  expect(ran).toMatchObject({ code: 0, networks: [{ maxConnections: most }] });
  if (most === 2) expect(peak).toBe(2);
  else expect(peak).toBeGreaterThan(2);
});

test('another address of the environment is reached over as many', async () => {
  await configure('sandbox: true, maxConnections: 7');
  for (const command of ['plan', 'limits', 'doctor']) {
    const { networks } = await world.run([command]);
    expect(networks).toEqual([{ maxConnections: 7 }]);
  }
});

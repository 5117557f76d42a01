// `contract journey` on an account that others work with, too: whatever befalls it, the account is as before.
import { afterEach, expect, test } from 'vitest';
import { DayTwoWorld, type Ran, type RunOptions } from '../support/day-two.ts';
import { listSales } from '../../src/api/sales.ts';

let world: DayTwoWorld;
afterEach(() => world.close());

const sum = ['--yes', '0.01 EUR'];
const take = (options: RunOptions = {}, flags: readonly string[] = sum): Promise<Ran> =>
  world.run(['contract', 'journey', ...flags], options);
const lookAround = async () => ({
  projects: await world.client.listProjects(),
  limits: await world.client.getLimits(),
  sales: (await listSales(world.client)).map(({ id, renewal }) => [id, renewal]),
});

test('x', async () => {
  world = await DayTwoWorld.open();
  const before = await lookAround();
  const t = Date.now();
  const r = await take();
  console.log(r.stdout.split("\n").filter((l) => !l.includes("as the")).slice(20,80).join("\n"), r.code, Date.now() - t, r.writes.length);
  expect(await lookAround()).toEqual(before);
  for (const killAt of [40, 101, 202, 303, 404, 505, 606, 707, 808, 909]) {
    const t1 = Date.now();
    const k = await take({ killAt });
    const t2 = Date.now();
    const a = await take({ answers: ['no'] }, []);
    console.log(killAt, k.code, t2 - t1, Date.now() - t2, a.code, a.stderr);
    expect(await lookAround()).toEqual(before);
  }
}, 100000);

// Services that spell the contract otherwise, each served by the sandbox in its own spelling.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBinding } from '../../src/config/contract/read-binding.ts';
import { aroundVms, everyKind } from './every-kind.ts';
import { expectApplied, expectBuilt, expectSettled } from './expect-built.ts';
import { stringify } from 'yaml';
import { createSeededRandom } from '../../src/sandbox/clock/seeded-random.ts';
import { countRuns, drawNumber, drawSome } from '../support/budget/budget.ts';
import { drawDialect } from '../support/dialects/random-dialect.ts';
import { configure, describeFailures, findViolations, World } from './world.ts';

async function open(name: string): Promise<World> {
  const path = join(import.meta.dirname, 'dialects', `${name}.contract.yaml`);
  const { binding, diagnostics } = readBinding(await readFile(path, 'utf8'), path);
  expect(diagnostics).toEqual([]);
  return World.open({ binding });
}

const vm = (more = '', image = 'ubuntu-24.04') =>
  `      web: { image: ${image}, configuration: c2-r4-d40, tariff: monthly, sshKeys: [alice]${more} }\n`;

/** A run has one of them. */
const drawNamed = (purpose: string) => drawSome(['plain', 'flat', 'cursor'], 1, purpose);

test.each(drawNamed('dialects of applies'))('%s: all that an apply does', async (name) => {
  const world = await open(name);
  await expectBuilt(world, await configure(everyKind));
  await expectBuilt(world, await configure(aroundVms + vm(', networks: [backend]')));
  const named = aroundVms.replace('backend: ', 'backend: { name: inside }');
  await expectBuilt(world, await configure(named + vm(', name: shop, power: stopped')));
  await expectBuilt(
    world,
    await configure(named + vm(', rebuild: { backupFirst: true }', 'debian-12')),
  );
  await world.loseState();
  await expectBuilt(world, await configure(named + vm('', 'debian-12')), {
    planOptions: { adoptsAll: true },
  });
  const none = await configure('');
  await expectApplied(world, none, { mode: 'destroy' });
  await expectSettled(world, none);
  expect(await world.readAccount()).toEqual([]);
});

const draws = countRuns(60, { short: 2, ci: 5 });

test(`${draws} services that are spelled at random`, async () => {
  const seed = drawNumber(100_000, 'dialects');
  for (let draw = 0; draw < draws; draw += 1) {
    const random = createSeededRandom(seed + draw);
    const { binding } = drawDialect(random, random());
    const at = `seed ${seed + draw}`;
    const { diagnostics } = readBinding(stringify(binding), 'drawn.contract.yaml');
    expect(diagnostics, at).toEqual([]);
    const world = await World.open({ binding });
    const desired = await configure(everyKind);
    expect(describeFailures(await world.apply(desired)), at).toEqual([]);
    expect(await findViolations(world, desired), at).toEqual([]);
    const other = await configure(aroundVms + vm(', networks: [backend], name: shop', 'debian-12'));
    expect(describeFailures(await world.apply(other)), at).toEqual([]);
    expect(await findViolations(world, other), at).toEqual([]);
    const end = await world.apply(await configure(''), { mode: 'destroy' });
    expect(describeFailures(end), at).toEqual([]);
  }
});

test.each(drawNamed('dialects of kills'))(
  '%s: killed at any of its steps, and run again',
  async (name) => {
    const desired = await configure(everyKind);
    for (let killAt = 3; killAt < 400; killAt += 17) {
      const world = await open(name);
      const end = await world.apply(desired, { killAt });
      if (end.kind === 'ended') break;
      await expectBuilt(world, desired);
    }
  },
);

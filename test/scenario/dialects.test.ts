// Services that spell the contract otherwise, each served by the sandbox in its own spelling.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBinding } from '../../src/config/contract/read-binding.ts';
import { aroundVms, everyKind } from './every-kind.ts';
import { expectApplied, expectBuilt, expectSettled } from './expect-built.ts';
import { configure, World } from './world.ts';

async function open(name: string): Promise<World> {
  const path = join(import.meta.dirname, 'dialects', `${name}.contract.yaml`);
  const { binding, diagnostics } = readBinding(await readFile(path, 'utf8'), path);
  expect(diagnostics).toEqual([]);
  return World.open({ binding });
}

const vm = (more = '', image = 'ubuntu-24.04') =>
  `      web: { image: ${image}, configuration: c2-r4-d40, tariff: monthly, sshKeys: [alice]${more} }\n`;

test.each(['plain', 'flat', 'cursor'])('%s: all that an apply does', async (name) => {
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

test.each(['plain', 'flat', 'cursor'])(
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

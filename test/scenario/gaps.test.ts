// A service that lacks a part of the contract: a plan says what it cannot prove, and refuses what cannot be done.
import { expect, test } from 'vitest';
import { everyKind } from './every-kind.ts';
import { expectBuilt } from './expect-built.ts';
import { configure, World } from './world.ts';

const open = (operations: Readonly<Record<string, string>>) =>
  World.open({ binding: { version: 1, operations } });
const findingsOf = async (world: World, code: string) =>
  (await world.plan(await configure(everyKind))).plan.findings.filter((one) => one.code === code);

test('an operation that a plan needs, at the address that needs it', async () => {
  const world = await open({ createVm: 'none', listPortForwards: 'open' });
  const found = await findingsOf(world, 'not-bound');
  expect(
    found.map(({ severity, address, summary }) => `${severity} ${address} ${summary}`),
  ).toEqual([
    'error projects.demo.publicIps.edge.forwards.https The contract file does not say where the service has listPortForwards, which port forwards need',
    'error projects.demo.vms.bastion The service has no createVm, which new VMs need',
    'error projects.demo.vms.web The service has no createVm, which new VMs need',
  ]);
});

test('what only proves, in one note, and the rest goes on', async () => {
  const lacking = [
    'getLimits',
    'getNameLengthLimits',
    'listOperations',
    'listSales',
    'getVm',
    'getNetwork',
  ];
  const world = await open(Object.fromEntries(lacking.map((name) => [name, 'none'])));
  const [note, ...more] = await findingsOf(world, 'service-lacks');
  expect(more).toEqual([]);
  expect(note).toMatchObject({
    severity: 'note',
    summary: 'The service lacks `getLimits`, `getNameLengthLimits`, `listOperations`, `listSales`',
  });
  await expectBuilt(world, await configure(everyKind));
});

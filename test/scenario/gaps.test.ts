// A service that lacks a part of the contract: a plan says what it cannot prove, and refuses what cannot be done.
import { expect, test } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
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

/** Members of records that become fields of a configuration. */
const members = {
  vm: [
    ...['imageId', 'configurationId', 'tariffId', 'publicIpId', 'sshKeyIds', 'networks', 'plugins'],
    ...['bootStatus', 'ram'],
  ],
  ...{ vmNetwork: ['networkId'], portForward: ['vmId', 'protocol', 'publicPort', 'vmPort'] },
  ...{ sshKey: ['publicKey'], token: ['scopes', 'expiresAt'], sale: ['renewal'] },
};
const lacking = Object.entries(members).flatMap(([record, names]) =>
  names.map((member) => [record, member] as const),
);
const token = 'tokens: { ci: { scopes: [read], expiresIn: 9d, writeTo: { file: ci.token } } }';
const wanted = `${everyKind.replace('power: stopped', 'power: stopped, plugins: [], renewal: cancelled')}${token}\n`;

test.each(drawSome(lacking, 6, 'lacking members'))(
  '%s.%s, which the contract file says it lacks, gets no note',
  async (...at) => {
    const [record, member] = at;
    const notes = async (line: 'none' | 'open') => {
      const fields = { [record]: { [member]: line } };
      const world = await World.open({ binding: { version: 1, fields } });
      const desired = await configure(wanted);
      expect((await world.apply(desired)).kind).toBe('ended');
      const end = await world.apply(desired);
      if (end.kind !== 'ended') throw new Error(end.kind);
      const { plan } = end.planned;
      expect(plan.changes.filter(({ action }) => action !== 'no-op')).toEqual([]);
      const codes = ['untold-field', 'no-longer-told'];
      return plan.findings.filter(({ code }) => codes.includes(code));
    };
    // A question that nobody has answered is still asked.
    expect(await notes('open')).not.toEqual([]);
    expect(await notes('none')).toEqual([]);
  },
);

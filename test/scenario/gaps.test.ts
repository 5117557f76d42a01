// A service that lacks a part of the contract: a plan says what it cannot prove, and refuses what cannot be done.
import { describe, expect, test } from 'vitest';
import { getLiveName } from '../../src/model/account/live.ts';
import { drawSome } from '../support/budget/budget.ts';
import { everyKind } from './every-kind.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';
import { configure, World, type Meddle } from './world.ts';

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

describe('operation records that the service does not tell', () => {
  /** A service that tells `active` in another word. */
  const wording =
    (word: string): Meddle =>
    async (request, pass) => {
      const answer = await pass();
      if (request.method !== 'GET') return answer;
      const text = (await answer.text()).replaceAll('"status":"active"', `"status":"${word}"`);
      return new Response(text, answer);
    };
  /** A service that refuses to tell its operations. */
  const refusing =
    (status: number, word = 'active'): Meddle =>
    (request, pass) =>
      /\/operations\b/.test(request.url)
        ? Promise.resolve(Response.json({}, { status }))
        : wording(word)(request, pass);
  const changed = everyKind.replace('power: stopped', 'networks: [backend]');

  test.each([
    { status: 403, word: undefined },
    { status: 404, word: undefined },
    { status: 403, word: 'ready' },
  ])(
    'hold up no change of what is there: $status, $word',
    { timeout: 60_000 },
    async ({ status, word }) => {
      const world = await World.open();
      await expectBuilt(world, await configure(everyKind));
      await expectBuilt(world, await configure(changed), { meddle: refusing(status, word) });
    },
  );

  test('hold up no create beside which somebody else makes one like it', async () => {
    const world = await World.open();
    const meddle: Meddle = async (request, pass) => {
      if (request.method !== 'POST' || !request.url.endsWith('/networks')) {
        return refusing(403)(request, pass);
      }
      const { url, method, headers } = request;
      const answer = await pass();
      const body = JSON.stringify({ name: 'theirs' });
      await world.sandbox.fetch(new Request(url, { method, headers, body }));
      return answer;
    };
    const text = 'projects: { demo: { networks: { backend: } } }';
    await expectApplied(world, await configure(text), { meddle });
    const { resources } = world.store.state;
    const bound = resources.get('projects.demo.networks.backend')?.id;
    const made = (await world.readAccount()).find((one) => getLiveName(one) === 'backend');
    expect(bound).toBe(made?.id);
  });

  test('and that the contract file says it lacks, hold up nothing in a status that nobody knows', async () => {
    const world = await open({ listOperations: 'none' });
    await expectBuilt(world, await configure(everyKind), { meddle: wording('ready') });
  });

  test('hold up nothing that is made, where its status is told', async () => {
    const world = await World.open();
    await expectBuilt(world, await configure(everyKind), { meddle: refusing(403) });
  });
});

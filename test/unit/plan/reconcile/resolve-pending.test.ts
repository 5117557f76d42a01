import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import { isCreateLookupOver } from '../../../../src/model/state/state.ts';
import { resolvePendingCreates } from '../../../../src/plan/reconcile/resolve-pending.ts';
import type { AccountInput } from '../../../support/account.ts';
import type { MemoryInput } from '../../../support/memory.ts';
import { changeLines, planOf } from '../../../support/plan-lines.ts';
import { makeWorld } from '../../../support/world.ts';
import { readList, readRows } from '../../../support/read-rows.ts';

const p = 'projects.shop';
const inProject = { project: 'p-1' };
const createVm =
  'kind: createVm, project: p-1, name: web, imageId: img-ubuntu-24-04, configurationId: cfg-c1r1d20, tariffId: trf-monthly, sshKeys: [k-1], plugins: []';

/** What the run that was killed had seen of the account. */
const memory: MemoryInput = { resources: { [p]: 'p-1', [`${p}.sshKeys.alice`]: 'k-1' } };

/** The account as the next run finds it. */
const account: AccountInput = {
  projects: {
    'p-1': {
      name: 'shop',
      sshKeys: { 'k-1': { name: 'alice' } },
      networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'lan' } },
      publicIps: { 'ip-1': { forwards: { 'f-1': { publicPort: 443, vm: 'vm-1' } } }, 'ip-2': {} },
      vms: { 'vm-1': { name: 'web', sshKeys: ['k-1'], publicIp: 'ip-2' } },
    },
    'p-2': { name: 'blog' },
  },
};

type Pending = NonNullable<MemoryInput['pending']>[number];

function resolve(pending: readonly Pending[], found = account) {
  const { state, live } = makeWorld({ account: found, memory: { ...memory, pending } });
  return { before: state, ...resolvePendingCreates(state, live) };
}

const pendingOf = (local: string, command: string, knownIds: readonly string[]): Pending => ({
  address: local.startsWith('projects.') ? local : `${p}.${local}`,
  ...{ command: parse(command) as ResolvedCommand, knownIds },
});
const network = (knownIds: readonly string[]): Pending => ({
  ...pendingOf('networks.lan', '{ kind: createNetwork, project: p-1, name: lan }', knownIds),
  at: Date.UTC(2026, 0, 2, 3, 4, 5),
});

describe('a create whose answer had an id', () => {
  const noVms = {
    projects: { 'p-1': { name: 'shop', publicIps: { 'ip-1': {}, 'ip-2': {} } } },
  };
  const edge = pendingOf('publicIps.edge', '{ kind: createPublicIp, project: p-1 }', []);
  const find = (pending: Partial<Pending>, isFinal = false) => {
    const { state, live } = makeWorld({
      account: noVms,
      memory: { resources: { [p]: 'p-1' }, pending: [{ ...edge, ...pending, acceptedAt: 0 }] },
    });
    const { found, missing, findings } = resolvePendingCreates(state, live, {
      isFinal,
      recorded: new Map([[edge.address, ['ip-1', 'ip-2']]]),
    });
    const { code } = findings[0] ?? {};
    return { found: found.map(({ id }) => id), missing: missing.length, code };
  };

  it('made what the account shows under it', () => {
    const result = find({ answeredId: 'ip-2', sightedIds: ['ip-2'] });
    expect(result).toEqual({ found: ['ip-2'], missing: 0, code: 'create-recognised' });
  });

  it('is waited for while no list shows that, and then looked for among all', () => {
    const hidden = { answeredId: 'ip-3', sightedIds: ['ip-3'] };
    expect(find(hidden)).toEqual({ found: [], missing: 1, code: undefined });
    expect(find(hidden, true)).toEqual({ found: [], missing: 0, code: 'ambiguous-create' });
  });

  it('did not make what was there before', () => {
    const old = { answeredId: 'ip-2', knownIds: ['ip-2'] };
    expect(find(old)).toEqual({ found: [], missing: 1, code: undefined });
  });

  it('may have made any of those that are only sighted', () => {
    const result = find({ sightedIds: ['ip-2'] });
    expect(result).toEqual({ found: [], missing: 0, code: 'ambiguous-create' });
  });
});

describe('a create that a run left behind', () => {
  it.each(
    readRows(`
    is the project of that name | projects.blog | { kind: createProject, name: blog } |  | { kind: project, id: p-2, projectId: p-2, attributes: { id: p-2, name: blog } }
    is the network whose name the service rewrote | networks.lan | { kind: createNetwork, project: p-1, name: LAN } | n-1 | { id: n-2, attributes: { id: n-2, name: LAN, cidr: 10.1.0.0/24 }, shown: { name: lan } }
    is the network of that name that was not there before | networks.lan | { kind: createNetwork, project: p-1, name: lan } | n-1 | { id: n-2, projectId: p-1, attributes: { id: n-2, name: lan, cidr: 10.1.0.0/24 } }
    is the VM, with its references by key | vms.web | { ${createVm}, publicIp: ip-2 } |  | { id: vm-1, attributes: { sshKeys: [alice], publicIp: "id:ip-2" } }
    is the VM, with the address that came with it | vms.web | { ${createVm}, publicIp: new } |  | { id: vm-1, allocatedPublicIpId: ip-2, attributes: { publicIp: new } }
    is the public IP that no VM holds | publicIps.edge | { kind: createPublicIp, project: p-1 } |  | { id: ip-1 }
    is the forward of that port | publicIps.edge.forwards.https | { kind: createPortForward, project: p-1, publicIp: ip-1, protocol: tcp, publicPort: 443, vm: vm-1, vmPort: 443 } |  | { id: f-1, publicIpId: ip-1 }
  `),
  )('%s', (_what, local, command, knownIds, expected) => {
    const pending = pendingOf(local, command, readList(knownIds));
    const { address } = pending;
    const { found, missing, findings, state } = resolve([{ ...pending, configured: ['name'] }]);
    expect(missing).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'note', code: 'create-recognised', address }]);
    expect(found).toMatchObject([
      { address, configured: ['name'], ...(parse(expected) as object) },
    ]);
    expect(state.resources.get(address)).toEqual(found[0]);
    expect(state.pending.size).toBe(0);
  });

  it.each(
    readRows(`
    when there is nothing of that name | networks.dmz | { kind: createNetwork, project: p-1, name: dmz } |
    when all of that name were there before | networks.lan | { kind: createNetwork, project: p-1, name: lan } | n-1, n-2
    when the one of that name is ours already | sshKeys.other | { kind: createSshKey, project: p-1, name: alice, publicKey: k } |
    when its project is not ours to see | projects.gone.networks.lan | { kind: createNetwork, project: p-9, name: lan } |
  `),
  )('is missing %s', (_what, local, command, knownIds) => {
    const pending = pendingOf(local, command, readList(knownIds));
    const { found, missing, findings, state, before } = resolve([pending]);
    expect([found, findings]).toEqual([[], []]);
    expect(missing).toEqual([before.pending.get(pending.address)]);
    // It may still show up: it is not forgotten.
    expect(state).toEqual(before);
  });

  it('is for a person to settle when several could be it', () => {
    const { found, missing, findings, state } = resolve([network([])]);
    expect([found, missing]).toEqual([[], []]);
    expect(findings).toEqual([
      {
        severity: 'error',
        code: 'ambiguous-create',
        summary:
          'An earlier run was interrupted while it created projects.shop.networks.lan, and 2 live resources could be it',
        detail:
          'Their ids: n-1, n-2. All of them look like what createNetwork asked for at 2026-01-02T03:04:05.000Z.',
        hint: "Name the right one: hostwright state resolve 'projects.shop.networks.lan' --id ID. Or delete the others in the account.",
        address: `${p}.networks.lan`,
      },
    ]);
    expect(state.pending.size).toBe(1);
  });

  it('is not the one that another create was found to be', () => {
    const twice = ['a', 'b'].map((key): Pending => ({
      address: `${p}.publicIps.${key}`,
      command: { kind: 'createPublicIp', ...inProject },
      knownIds: [],
    }));
    const { found, missing } = resolve(twice);
    expect(found.map(({ address }) => address)).toEqual([`${p}.publicIps.a`]);
    expect(missing.map(({ address }) => address)).toEqual([`${p}.publicIps.b`]);
  });

  it('is ours from here on: the plan goes on with it', () => {
    const { state } = resolve([network(['n-1'])]);
    const world = makeWorld({
      config: { shop: { sshKeys: { alice: {} }, networks: { lan: { name: 'lan-2' } } } },
      account,
    });
    expect(changeLines(planOf({ ...world, state }))).toEqual(['update shop.networks.lan: name']);
  });
});

describe('an accepted create that something a little off in time could be', () => {
  const [early, accepted, later] = [1_000_000, 1_001_000, 9_000_000];
  const times = { serviceAt: early, acceptedAt: accepted, acceptedServiceAt: accepted };
  const named: Pending = { ...network(['n-1']), ...times };
  const nameless: Pending = {
    ...{ address: `${p}.publicIps.edge`, command: { kind: 'createPublicIp', ...inProject } },
    ...{ knownIds: [], ...times },
  };
  const resolveAt = (pending: Pending, isFinal: boolean) => {
    const { state, live } = makeWorld({ account, memory: { ...memory, pending: [pending] } });
    const resources = live.resources.map((one) => ({ ...one, createdAt: later }));
    return resolvePendingCreates(state, { ...live, resources }, { isFinal });
  };

  it('is looked for first', () => {
    for (const pending of [named, nameless]) {
      expect(resolveAt(pending, false)).toMatchObject({ found: [], missing: [pending] });
    }
  });

  it('is it in the end where it has the name', () =>
    expect(resolveAt(named, true).found).toMatchObject([{ id: 'n-2' }]));

  it('is for a person to settle where it has none', () => {
    const { found, findings } = resolveAt(nameless, true);
    expect(found).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'error', code: 'ambiguous-create' }]);
  });
});

describe('a create of what has no name, by its time alone', () => {
  const edge: Pending = {
    ...{ address: `${p}.publicIps.edge`, command: { kind: 'createPublicIp', ...inProject } },
    ...{ knownIds: [], serviceAt: 1_000_000, acceptedAt: 1_000_000, acceptedServiceAt: 1_000_000 },
  };
  const { state, live } = makeWorld({ account, memory: { ...memory, pending: [edge] } });
  const resources = live.resources.map((one) => ({ ...one, createdAt: 1_000_000 }));
  const resolveBeside = (recorded: readonly string[]) =>
    resolvePendingCreates(
      state,
      { ...live, resources },
      { recorded: new Map([[edge.address, recorded]]) },
    );
  const [only] = resolveBeside([]).found;

  it('is recognised where records name no other', () =>
    expect(resolveBeside([only?.id ?? '']).found).toMatchObject([{ address: edge.address }]));

  it('is for a person to settle where a record names one that is gone', () => {
    const { found, findings } = resolveBeside(['ip-gone']);
    expect(found).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'error', code: 'ambiguous-create' }]);
  });
});

describe('creates of one moment that a killed run left behind', () => {
  it('are not taken for one another under another name', () => {
    const pending = ['lan', 'wan'].map((name): Pending => ({
      address: `${p}.networks.${name}`,
      command: { kind: 'createNetwork', ...inProject, name },
      knownIds: ['n-1'],
      serviceAt: 1_000,
    }));
    const { state, live } = makeWorld({
      account,
      memory: { ...memory, pending: pending.reverse() },
    });
    const resources = live.resources.map((one) => ({ ...one, createdAt: 2_000 }));
    const { found, missing, findings } = resolvePendingCreates(state, { ...live, resources });
    expect(found.map(({ address }) => address)).toEqual([`${p}.networks.lan`]);
    expect(missing.map(({ address }) => address)).toEqual([`${p}.networks.wan`]);
    expect(findings.map(({ code }) => code)).toEqual(['create-recognised']);
  });
});

describe('a create that may have made two', () => {
  const address = `${p}.networks.lan`;
  const double = {
    address,
    command: { kind: 'createNetwork', ...inProject, name: 'lan' } as const,
    ...{ knownIds: [], at: 0 },
  };
  const bound = { resources: { ...memory.resources, [address]: 'n-1' } };
  const find = (more: object, options: object = {}, remembered: MemoryInput = bound) => {
    const { state, live } = makeWorld({ account, memory: remembered });
    const possibleDoubles = [{ ...double, ...more }];
    return resolvePendingCreates({ ...state, possibleDoubles }, live, options);
  };

  it('is an error that names both', () => {
    const { findings } = find({});
    expect(findings).toMatchObject([{ severity: 'error', code: 'create-doubled' }]);
    expect(JSON.stringify(findings)).toMatch(/n-1.*n-2/);
  });

  it('loses the second one when asked, once the plan is approved', () => {
    const { findings, found, state } = find({}, { removesDoubled: true });
    expect([findings, found]).toEqual([[], []]);
    const ids = [...state.resources.values()].map(({ id }) => id);
    expect(ids).toContain('n-2');
    expect(state.resources.get(address)?.id).toBe('n-1');
  });

  it('is a warning where only one request went out, and nothing is removed', () => {
    const { findings, state } = find({ isSentOnce: true }, { removesDoubled: true });
    expect(findings).toMatchObject([{ severity: 'warning', code: 'create-lookalike' }]);
    expect(state.resources.size).toBe(3);
  });

  it('is a warning that names what somebody may have renamed', () => {
    const { state, live } = makeWorld({ account, memory: bound });
    const resources = live.resources.map((one) =>
      one.id === 'n-2' ? { ...one, name: 'by-hand', createdAt: 90_000 } : one,
    );
    const possibleDoubles = [{ ...double, serviceAt: 60_000 }];
    const { findings } = resolvePendingCreates(
      { ...state, possibleDoubles },
      { ...live, resources },
    );
    expect(findings).toMatchObject([{ severity: 'warning', code: 'may-be-doubled' }]);
    expect(findings[0]?.summary).toContain('n-2 ("by-hand")');
  });

  it('is a warning where only another spelling shows, and the service has kept the name of the one that is bound', () => {
    const { state, live } = makeWorld({ account, memory: bound });
    const spell = (bound: string) => {
      const resources = live.resources.map((one) =>
        one.id === 'n-2'
          ? { ...one, name: 'LAN' }
          : { ...one, ...(one.id === 'n-1' && { name: bound }) },
      );
      const possibleDoubles = [double];
      return resolvePendingCreates({ ...state, possibleDoubles }, { ...live, resources }).findings;
    };
    expect(spell('lan')).toMatchObject([{ severity: 'warning', code: 'may-be-doubled' }]);
    expect(spell('LAN')).toMatchObject([{ severity: 'error', code: 'create-doubled' }]);
  });

  it('is a warning where what was recognised after one request is destroyed by now', () => {
    const { findings, found } = find({ isSentOnce: true, knownIds: ['n-1'] }, {}, memory);
    expect(found).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'warning', code: 'create-lookalike' }]);
    expect(findings[0]?.summary).toBe(`${address} was destroyed, and n-2 looks the same`);
  });

  it('binds nothing more where what it made was bound and destroyed since', () => {
    const { findings, found } = find({ isSuperseded: true, knownIds: ['n-1'] }, {}, memory);
    expect(found).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'error', code: 'create-doubled' }]);
    expect(findings[0]?.summary).toBe(
      `An earlier create of ${address} was sent twice, and n-2 is left over`,
    );
    const removed = find(
      { isSuperseded: true, knownIds: ['n-1'] },
      { removesDoubled: true },
      memory,
    );
    const ids = [...removed.state.resources.values()].map(({ id }) => id);
    expect([removed.findings, ids.includes('n-2')]).toEqual([[], true]);
  });

  it('is no matter of what came more than an hour after it was sent again', () => {
    const hour = 3_600_000;
    const { state, live } = makeWorld({ account, memory: bound });
    const findMadeAt = (createdAt: number | null) => {
      const resources = live.resources.map((one) => ({ ...one, createdAt }));
      const possibleDoubles = [{ ...double, serviceAt: 0, watchedServiceAt: 60_000 }];
      return resolvePendingCreates({ ...state, possibleDoubles }, { ...live, resources }).findings;
    };
    expect(findMadeAt(60_000 + hour + 1)).toEqual([]);
    // In time, or nobody knows when: it is reported however late the plan is.
    const told = [{ severity: 'error', code: 'create-doubled' }];
    expect(findMadeAt(60_000 + hour)).toMatchObject(told);
    expect(findMadeAt(null)).toMatchObject(told);
  });
});

describe('a create of an access token that a run left behind', () => {
  const address = 'tokens.ci';
  const token: Pending = {
    address,
    command: {
      ...{ kind: 'createToken', name: 'ci', scopes: ['compute'] },
      ...{ expiresAt: null, expiresIn: null },
    },
    knownIds: ['t-0'],
  };
  const one = { name: 'ci', scopes: ['compute'] } as const;
  const pending = [token];

  it('is of no use, holds its address, and others may still show', () => {
    const { state, live } = makeWorld({
      account: { tokens: { 't-0': one, 't-1': one } },
      memory: { pending },
    });
    const { found, state: next } = resolvePendingCreates(state, live);
    expect(found).toMatchObject([{ address, id: 't-1', deposed: ['t-1'] }]);
    expect(next.pending.get(address)).toEqual(state.pending.get(address));
  });

  it('is one more to destroy where there is another one by now', () => {
    const { state, live } = makeWorld({
      account: { tokens: { 't-0': one, 't-1': one } },
      memory: { pending, resources: { [address]: 't-0' } },
    });
    expect(resolvePendingCreates(state, live).found).toMatchObject([
      { id: 't-0', deposed: ['t-1'] },
    ]);
  });

  it('is for a person to settle when several could be it', () => {
    const { state, live } = makeWorld({
      account: { tokens: { 't-1': one, 't-2': one } },
      memory: { pending },
    });
    expect(resolvePendingCreates(state, live).findings).toMatchObject([
      {
        code: 'ambiguous-create',
        hint: expect.stringContaining(
          'hostwright tokens revoke t-1; hostwright tokens revoke t-2',
        ) as string,
      },
    ]);
  });

  it('cannot show any more after an hour; all else is over as soon as it was waited for', () => {
    const made = { at: 0, configured: [], ...token };
    expect([0, 3_599_999, 3_600_000].map((now) => isCreateLookupOver(made, now))).toEqual([
      false,
      false,
      true,
    ]);
    expect(isCreateLookupOver({ at: 0, configured: [], ...network([]) }, 1)).toBe(true);
  });
});

it('without one the state stays the very same', () => {
  const { state, before } = resolve([]);
  expect(state).toBe(before);
});

it('a create is not looked for where the configuration names the resource', () => {
  const { state, live } = makeWorld({ account, memory: { ...memory, pending: [network([])] } });
  const { found, missing, findings } = resolvePendingCreates(state, live, {
    imported: new Set([`${p}.networks.lan`]),
  });
  expect([found, missing, findings]).toEqual([[], [], []]);
});

import { fc, test as propertyTest } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { readList, readRows } from '../../../support/read-rows.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { PossibleDuplicateCreate } from '../../../../src/model/state/state.ts';
import type { RunBeginRecord, JournalRecord } from '../../../../src/state/journal/records.ts';
import {
  applyJournalRecord,
  copyStateDraft,
  createEmptyState,
  replayJournalRecords,
} from '../../../../src/state/journal/replay.ts';
import { decodeSnapshot, encodeSnapshot } from '../../../../src/state/snapshot/snapshot.ts';
import {
  buildIntent,
  buildNetwork,
  buildPending,
  buildVm,
  toPlain,
  wholeRun,
} from '../build-records.ts';

const empty = createEmptyState('lineage');
const lan = 'projects.shop.networks.lan';
const begin: RunBeginRecord = {
  kind: 'begin',
  runId: 'r',
  version: '1',
  service: 'https://a',
  at: 1,
};

const settled = (local: string): JournalRecord => ({ kind: 'settled', resource: buildVm(local) });
const lanSettled: JournalRecord = { kind: 'settled', resource: buildNetwork('lan') };
const startVm = { kind: 'startVm', project: 'p', vm: 'v' } as const;
const vm = (local: string) => `projects.shop.vms.${local}`;
const moved = (from: string, to: string) => buildVm(from, { address: vm(to) });

describe('replay', () => {
  const records: Readonly<Record<string, JournalRecord>> = {
    intent: buildIntent('lan'),
    startIntent: { kind: 'intent', address: vm('web'), command: startVm, at: 1 },
    accepted: { kind: 'accepted', address: lan, commandName: 'createNetwork', at: 1 },
    bound: { kind: 'bound', resource: buildNetwork('lan') },
    settled: lanSettled,
    abandoned: { kind: 'abandoned', address: lan, reason: 'name taken' },
    removed: { kind: 'removed', address: lan },
    ...{ a: settled('a'), b: settled('b') },
    swapped: { kind: 'rearranged', removed: [], resources: [moved('a', 'b'), moved('b', 'a')] },
    movedAndFound: {
      ...{ kind: 'rearranged', removed: [vm('a'), vm('b')] },
      resources: [moved('a', 'b'), buildNetwork('lan')],
    },
  };
  test.each(
    readRows(`
    nothing recorded |  |  |
    the intent of a create leaves a pending create | intent |  | networks.lan
    other intents leave nothing | startIntent |  |
    an accepted create is still pending | intent, accepted |  | networks.lan
    a bound create is ours and no longer pending | intent, bound | networks.lan |
    a settled create needs no bound before it | intent, settled | networks.lan |
    an abandoned create is gone | intent, abandoned |  |
    an abandoned replacement leaves the resource it was to replace | settled, intent, abandoned | networks.lan |
    a removed resource is gone, with its pending create | settled, intent, removed |  |
    two resources that change places | a, b, swapped | vms.a, vms.b |
    one that moves to where another was given up, and a create that is recognised | a, b, intent, movedAndFound | vms.b, networks.lan |
    a whole run | whole | networks.lan, vms.web["ä"] | networks.lost
  `),
  )('%s', (_what, names, resources, pending) => {
    const all = names === 'whole' ? wholeRun : readList(names).map((name) => records[name]!);
    const state = replayJournalRecords(empty, all);
    const inShop = (cell: string) => readList(cell).map((local) => `projects.shop.${local}`);
    expect([...state.resources.keys()]).toEqual(inShop(resources));
    expect([...state.pending.keys()]).toEqual(inShop(pending));
  });

  test('a pending create holds what finding it again needs', () => {
    expect([...replayJournalRecords(empty, [buildIntent('lan')]).pending.values()]).toEqual([
      buildPending('lan'),
    ]);
  });

  test('an intent without ids and fields has none', () => {
    const record: JournalRecord = {
      kind: 'intent',
      address: 'projects.shop',
      command: { kind: 'createProject', name: 'shop' },
      at: 1,
    };
    expect(replayJournalRecords(empty, [record]).pending.get('projects.shop')).toMatchObject({
      knownIds: [],
      configured: [],
    });
  });

  describe('what was sent', () => {
    const { address, id } = buildVm('a');
    const stop = { kind: 'stopVm', project: 'p', vm: id } as const;
    const intent: JournalRecord = { kind: 'intent', address, command: stop, at: 1, serviceAt: 9 };
    const accepted: JournalRecord = {
      ...{ kind: 'accepted', address, commandName: 'stopVm', id, at: 2, serviceAt: 10 },
    };
    const settled: JournalRecord = { kind: 'settled', resource: buildVm('a') };
    const open = { address, command: stop, at: 1, serviceAt: 9 };

    test.each<[string, JournalRecord[], object | undefined]>([
      ['is open', [intent], open],
      ['was accepted', [intent, accepted], { ...open, acceptedAt: 2, acceptedServiceAt: 10 }],
      ['sent again, it may be the first', [intent, { ...intent, at: 5, serviceAt: 13 }], open],
      ['is over with its end', [intent, { kind: 'ended', id }], undefined],
      ['is over with its change', [intent, accepted, settled], undefined],
      ['is over with its resource', [intent, { kind: 'removed', address }], undefined],
      ['is unknown to an acceptance alone', [accepted], undefined],
    ])('%s', (_, records, expected) => {
      expect(replayJournalRecords(empty, [settled, ...records]).sent?.get(id)).toEqual(expected);
    });

    test('another command takes its place', () => {
      const start = { ...stop, kind: 'startVm' } as const;
      const { sent } = replayJournalRecords(empty, [intent, { ...intent, command: start, at: 5 }]);
      expect([...(sent ?? [])]).toEqual([[id, { ...open, command: start, at: 5 }]]);
    });

    test('its end brings what it has changed', () => {
      const resource = buildVm('a', { attributes: { power: 'stopped' } });
      const { resources } = replayJournalRecords(empty, [
        settled,
        intent,
        { kind: 'ended', id, resource },
      ]);
      expect(resources.get(address)).toEqual(resource);
    });

    test('a create is under way once its resource is known, until that is settled', () => {
      const resource = buildNetwork('lan');
      const bound = [buildIntent('lan'), { kind: 'bound', resource }] as const;
      expect(replayJournalRecords(empty, bound).sent?.get(resource.id)).toMatchObject({
        command: { kind: 'createNetwork' },
      });
      expect(
        replayJournalRecords(empty, [...bound, { kind: 'settled', resource }]).sent,
      ).toBeUndefined();
    });

    test('its input stays as it is', () => {
      const before = replayJournalRecords(empty, [settled, intent]);
      replayJournalRecords(before, [{ kind: 'ended', id }]);
      expect(before.sent?.size).toBe(1);
    });
  });

  test('the service is that of the last run', () =>
    expect(replayJournalRecords(empty, [begin, { ...begin, service: 'https://b' }]).service).toBe(
      'https://b',
    ));

  test('its input stays as it is', () => {
    const before = replayJournalRecords(empty, [
      { kind: 'settled', resource: buildVm('a') },
      buildIntent('lan'),
    ]);
    const plain = toPlain(before);
    replayJournalRecords(before, [
      begin,
      ...wholeRun,
      { kind: 'removed', address: 'projects.shop.vms.a' },
    ]);
    expect(toPlain(before)).toEqual(plain);
  });
});

describe('applyRecord tells whether the state differs for it', () => {
  const state = replayJournalRecords(empty, [
    begin,
    { kind: 'settled', resource: buildVm('a') },
    buildIntent('x'),
  ]);
  const changed = buildVm('a', { attributes: { name: 'b' } });
  const table: [string, JournalRecord, boolean][] = [
    ['the same service', begin, false],
    ['another service', { ...begin, service: 'https://other' }, true],
    ['a create', buildIntent('lan'), true],
    ['an equal resource', { kind: 'settled', resource: buildVm('a') }, false],
    ['another resource', { kind: 'settled', resource: changed }, true],
    ['a new resource', { kind: 'bound', resource: buildVm('b') }, true],
    ['a create that is bound', { kind: 'bound', resource: buildNetwork('x') }, true],
    ['a resource that goes', { kind: 'removed', address: buildVm('a').address }, true],
    ['a create that goes', { kind: 'removed', address: buildPending('x').address }, true],
    ['a stranger that goes', { kind: 'removed', address: 'projects.other' }, false],
    ['nothing rearranged', { kind: 'rearranged', removed: ['other'], resources: [] }, false],
    [
      'another order',
      { kind: 'rearranged', removed: [buildVm('a').address], resources: [buildVm('b')] },
      true,
    ],
    ['a sight', { kind: 'sighted', address: buildPending('x').address, ids: ['n-1'] }, true],
    ['a sight of what is settled', { kind: 'sighted', address: lan, ids: ['n-1'] }, false],
    ['nothing abandoned', { kind: 'abandoned', address: 'projects.other', reason: '' }, false],
    ['an end', { kind: 'end', runId: 'r', at: 1 }, false],
  ];
  test.each(table)('%s', (_name, record, expected) => {
    expect(applyJournalRecord(copyStateDraft(state), record)).toBe(expected);
  });
});

const anyRecord: fc.Arbitrary<JournalRecord> = fc.constantFrom('a', 'b', 'c').chain((local) => {
  const { address } = buildNetwork(local);
  return fc.constantFrom<JournalRecord>(
    begin,
    buildIntent(local),
    { kind: 'bound', resource: buildNetwork(local) },
    { kind: 'settled', resource: buildNetwork(local) },
    { kind: 'removed', address },
    { kind: 'rearranged', removed: [address], resources: [buildNetwork(`${local}2`)] },
    { kind: 'sighted', address, ids: ['n-1'] },
    { kind: 'abandoned', address, reason: '' },
  );
});

propertyTest.prop([fc.array(anyRecord), fc.array(anyRecord), fc.nat()])(
  'records replayed onto a state that contains some of them give the same state',
  (before, records, cut) => {
    const once = replayJournalRecords(replayJournalRecords(empty, before), records);
    expect(toPlain(replayJournalRecords(once, records))).toEqual(toPlain(once));
    const middle = replayJournalRecords(
      replayJournalRecords(empty, before),
      records.slice(0, cut % (records.length + 1)),
    );
    expect(toPlain(replayJournalRecords(middle, records))).toEqual(toPlain(once));
  },
);

describe('what is known of a pending create', () => {
  const accepted = (commandName: 'createNetwork' | 'deleteNetwork'): JournalRecord => ({
    ...{ kind: 'accepted', address: lan, commandName, at: 7, serviceAt: 70 },
  });
  const known = (...records: JournalRecord[]) =>
    replayJournalRecords(empty, [
      { ...buildIntent('lan'), serviceAt: 50 } as JournalRecord,
      ...records,
    ]).pending.get(lan);

  test('is when it was sent, when it was accepted, and when it may last have been on its way', () => {
    expect(known()).toMatchObject({ serviceAt: 50 });
    // A run that did not come to its end may have sent it at any time.
    expect(known()?.lastServiceAt).toBeUndefined();
    expect(known({ kind: 'end', runId: 'r', at: 6, serviceAt: 60 })).toMatchObject({
      ...{ serviceAt: 50, lastServiceAt: 60 },
    });
    expect(known(accepted('createNetwork'))).toMatchObject({
      ...{ acceptedAt: 7, acceptedServiceAt: 70 },
    });
  });

  test('is what may be its result, each id once', () => {
    const sighted = (...ids: string[]): JournalRecord => ({ kind: 'sighted', address: lan, ids });
    expect(known(sighted('n1'), sighted('n1', 'n2'))?.sightedIds).toEqual(['n1', 'n2']);
    expect(known(sighted('n1'))?.answeredId).toBeUndefined();
    const answered: JournalRecord = {
      ...{ kind: 'sighted', address: lan, ids: ['n3'], isAnswered: true },
    };
    expect(known(sighted('n1'), answered)).toMatchObject({
      ...{ sightedIds: ['n1', 'n3'], answeredId: 'n3' },
    });
    expect(known(sighted('n1'), buildIntent('lan'))?.sightedIds).toBeUndefined();
  });

  test('is nothing of what another request at its address came to', () =>
    expect(known(accepted('deleteNetwork'))).toEqual(known()));
});

describe('a create that was sent again', () => {
  const command = { kind: 'createNetwork', project: 'p', name: 'lan' } as const;
  const double = { address: lan, command, knownIds: [], at: 1 };

  test('is remembered until it is settled', () => {
    const kept = replayJournalRecords(empty, [{ kind: 'possibleDouble', double }]);
    expect(kept.possibleDoubles).toEqual([double]);
    expect(replayJournalRecords(kept, [{ kind: 'doubleSettled', address: lan }])).toEqual(empty);
  });

  test('and once more is still watched for what its first request may have made', () => {
    const first = { ...double, knownIds: ['n-0'], serviceAt: 50, at: 1 };
    const second = { ...double, knownIds: ['n-0', 'n-1'], serviceAt: 90, at: 9 };
    const once = { ...second, isSentOnce: true } as const;
    const watch = (...doubles: PossibleDuplicateCreate[]) =>
      replayJournalRecords(
        empty,
        doubles.map((one) => ({ kind: 'possibleDouble', double: one })),
      ).possibleDoubles;
    expect(watch(first, second)).toEqual([{ ...first, at: 9 }]);
    // That one of its requests was recognised does not undo that there were two.
    expect(watch(first, once)).toEqual([{ ...first, at: 9 }]);
    expect(watch(once, once)).toEqual([once]);
    const other = { ...second, command: { ...command, name: 'wan' } };
    expect(watch(first, other)).toEqual([first, other]);
  });

  test('is superseded once what it made is known, and by another create at its address', () => {
    const watched: JournalRecord[] = [
      buildIntent('lan'),
      { kind: 'possibleDouble', double: { ...buildPending('lan') } },
      { kind: 'possibleDouble', double: { ...buildPending('wan') } },
    ];
    const bound: JournalRecord = { kind: 'bound', resource: buildNetwork('lan') };
    const marks = (...records: JournalRecord[]) =>
      replayJournalRecords(empty, [...watched, ...records]).possibleDoubles?.map(
        ({ isSuperseded }) => isSuperseded,
      );
    expect(marks()).toEqual([undefined, undefined]);
    expect(marks(bound)).toEqual([true, undefined]);
    const other = {
      ...buildIntent('wan'),
      command: { kind: 'createNetwork', project: 'p-2', name: 'wan' },
    };
    expect(marks(other as JournalRecord)).toEqual([undefined, true]);
    const again = { ...watched[1] } as JournalRecord;
    expect(marks(bound, { kind: 'removed', address: lan }, again)).toEqual([undefined, true]);
  });

  test('is watched beside the create that replaces it', () => {
    const next = { ...double, command: { ...command, name: 'wan' } };
    const both = replayJournalRecords(empty, [
      { kind: 'possibleDouble', double },
      { kind: 'possibleDouble', double: next },
    ]);
    const settle = (record: { readonly command?: ResolvedCommand }) =>
      replayJournalRecords(both, [{ kind: 'doubleSettled', address: lan, ...record }])
        .possibleDoubles;
    expect(settle({ command })).toEqual([next]);
    expect(settle({})).toBeUndefined();
  });
});

test('what was learned of one service is forgotten with the next', () => {
  const clocks = { resourcesAheadMs: -30_000 };
  const learned: JournalRecord = {
    ...{ kind: 'timed', durations: {}, readyTimes: {}, slowestAppearanceMs: 900, clocks },
  };
  const known = replayJournalRecords(empty, [
    begin,
    learned,
    { kind: 'timed', durations: {} },
    begin,
  ]);
  expect(known).toMatchObject({ slowestAppearanceMs: 900, clocks });
  const paths = { snapshot: 's', backup: 'b', journal: 'j' };
  expect(decodeSnapshot(encodeSnapshot(known), paths).state.clocks).toEqual(clocks);
  const moved = replayJournalRecords(empty, [begin, learned, { ...begin, service: 'https://b' }]);
  expect(moved.slowestAppearanceMs).toBeUndefined();
  expect(moved.clocks).toBeUndefined();
  expect(known.readyTimes).toEqual({});
  expect([moved.durations, moved.readyTimes]).toEqual([undefined, undefined]);
});

describe('the authorities that a service is trusted to', () => {
  const from = (...records: Partial<RunBeginRecord>[]) => {
    const draft = copyStateDraft(empty);
    const news = records.map((one) => applyJournalRecord(draft, { ...begin, ...one }));
    return { authorities: draft.authorities, isNews: news.at(-1) };
  };

  test.each([
    ['are those of the last run that names some', [['A'], ['B']], ['B'], true],
    [
      'stay where they are the same',
      [
        ['A', 'B'],
        ['A', 'B'],
      ],
      ['A', 'B'],
      false,
    ],
    ['stay where a run has no say', [['A'], undefined], ['A'], false],
    ['go where a run trusts none', [['A'], []], undefined, true],
    ['are none at first', [undefined], undefined, true],
  ])('%s', (_name, runs, authorities, isNews) => {
    const records = runs.map((one) => (one ? { authorities: one } : {}));
    expect(from(...records)).toEqual({ authorities, isNews });
  });

  test('are not those of another service', () => {
    const moved = from({ authorities: ['A'] }, { service: 'https://b' });
    expect(moved).toEqual({ authorities: undefined, isNews: true });
  });
});

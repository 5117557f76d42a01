import { describe, expect, it } from 'vitest';
import type { CriticalPathStep, Rehearsal } from '../../../../src/model/plan/rehearsal.ts';
import { describeRehearsal } from '../../../../src/render/view/rehearsal-words.ts';
import { makeFailure, makeRehearsal, seconds, vm } from '../sample-rehearsal.ts';

/** What is said under one label. */
const tell = (given: Partial<Rehearsal>, label: string) =>
  describeRehearsal(makeRehearsal(given))
    .lines.filter((line) => line.label === label)
    .map(({ text }) => text);

const error = { severity: 'error', code: 'x', summary: 'The check fails' } as const;
const left = [{ address: vm('web'), action: 'update' }] as const;

it.each<[Partial<Rehearsal>, string, boolean]>([
  [{}, '3 changes end in 4m10s, and a second plan has no changes.', true],
  [{ changes: 1 }, '1 change ends in 4m10s, and a second plan has no changes.', true],
  [
    { timeline: { ...seconds(0, 0), entries: [] } },
    'the plan sends nothing, and a second plan has no changes.',
    true,
  ],
  [{ remaining: left }, '3 changes end in 4m10s, but a second plan has 1 change.', false],
  [{ findings: [error] }, '3 changes end in 4m10s, but something is wrong afterwards.', false],
  [{ changes: 0, findings: [error] }, 'the plan cannot start.', false],
  [{ failures: [makeFailure(vm('web'))] }, '1 of 3 changes fails. It ends after 4m10s.', false],
  [
    { failures: [makeFailure(vm('web'))], skipped: [vm('db')] },
    '1 of 3 changes fails and 1 is skipped. It ends after 4m10s.',
    false,
  ],
  [
    { failures: [makeFailure(vm('a')), makeFailure(vm('b'))], skipped: [vm('c'), vm('d')] },
    '2 of 3 changes fail and 2 are skipped. It ends after 4m10s.',
    false,
  ],
  [
    { trials: { count: 100, whole: 93, medianMs: 250_000, worstMs: 600_000, failures: [] } },
    '3 changes end whole in 93 of 100 rehearsals. The median takes 4m10s, the slowest 10m0s.',
    false,
  ],
  [
    { changes: 1, trials: { count: 2, whole: 2, medianMs: 1_000, worstMs: 2_000, failures: [] } },
    '1 change ends whole in 2 of 2 rehearsals. The median takes 1s, the slowest 2s.',
    true,
  ],
  [
    { errors: 1 },
    'this plan cannot be applied. Without its error, 3 changes end in 4m10s, and a second plan has no changes.',
    false,
  ],
  [
    { errors: 2, remaining: left },
    'this plan cannot be applied. Carried out all the same, 3 changes end in 4m10s, but a second plan has 1 change.',
    false,
  ],
  [
    { errors: 2, trials: { count: 2, whole: 2, medianMs: 1_000, worstMs: 2_000, failures: [] } },
    'this plan cannot be applied. Without its 2 errors, 3 changes end whole in 2 of 2 rehearsals. The median takes 1s, the slowest 2s.',
    false,
  ],
])('the headline of %j', (given, headline, isWhole) => {
  expect(describeRehearsal(makeRehearsal(given))).toMatchObject({ headline, isWhole });
});

describe('what does not come about', () => {
  it('is told with its command and its reason', () =>
    expect(tell({ failures: [makeFailure(vm('web'))] }, 'Fails')).toEqual([
      'projects.shop.vms.web (create): The cluster is full. There is no room.',
    ]));

  it('is told without a command where none was begun, and without a reason that is not given', () => {
    const failure = { address: vm('web'), command: null, diagnostic: error };
    expect(tell({ failures: [failure] }, 'Fails')).toEqual([`${vm('web')}: The check fails`]);
  });

  it('is told as left where something else was the cause', () => {
    const failures = [makeFailure(vm('web'), 'needed-failed')];
    expect(tell({ failures }, 'Fails')).toEqual([]);
    expect(tell({ failures }, 'Left unfinished')).toEqual([vm('web')]);
  });

  it('is counted over several rehearsals', () => {
    const failures = [{ ...makeFailure(vm('web')), count: 7 }];
    const trials = { count: 100, whole: 93, medianMs: 1, worstMs: 2, failures };
    expect(tell({ trials }, 'Fails')).toEqual([
      'projects.shop.vms.web (create), 7 of 100 times: The cluster is full. There is no room.',
    ]);
  });

  it('is counted where it is much', () => {
    const many = Array.from({ length: 12 }, (_, index) => makeFailure(vm(`v${index}`)));
    const told = tell({ failures: many }, 'Fails');
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toBe('and 2 more');
  });

  it('is one name for many instances', () => {
    const skipped = Array.from({ length: 12 }, (_, index) => vm(`web[${index}]`));
    expect(tell({ skipped }, 'Skipped')).toEqual([vm('web[0..11]')]);
  });

  it('is left for a second plan, by what that does', () => {
    const remaining = [...left, { address: vm('db'), action: 'create' } as const];
    expect(tell({ remaining }, 'Left for a second plan')).toEqual([
      `update ${vm('web')}`,
      `create ${vm('db')}`,
    ]);
  });
});

describe('what is locked', () => {
  const at = Date.UTC(2026, 0, 2, 12, 4);
  const held = { address: vm('web'), operation: 'CreateBackup', since: at, endsAt: at + 60_000 };

  it.each([
    [
      { ...held, isEndKnown: true },
      'projects.shop.vms.web is locked by CreateBackup since 2026-01-02 12:04:00 UTC. It is expected to end at 2026-01-02 12:05:00 UTC.',
    ],
    [
      { ...held, isEndKnown: false },
      'projects.shop.vms.web is locked by CreateBackup since 2026-01-02 12:04:00 UTC. That is longer than usual, so its end is unknown.',
    ],
    [
      { ...held, since: null, operation: null, isEndKnown: false },
      'projects.shop.vms.web is locked. No record has its start, so its end is unknown.',
    ],
  ])('is told: %j', (one, words) => expect(tell({ held: [one] }, 'Locked')).toEqual([words]));
});

describe('the critical path', () => {
  const step = (
    address: string,
    [from, to]: readonly [number, number],
    command: CriticalPathStep['command'] = 'createVm',
    waitedMs = 0,
  ): CriticalPathStep => ({ address, command, ...seconds(from, to), waitedMs });

  it('names each resource once, and no project that all are in', () => {
    const path = [
      step('projects.shop', [0, 0], 'createProject'),
      step('projects.shop.networks.backend', [0, 12], 'createNetwork'),
      step(vm('web[0]'), [12, 172]),
      step(vm('web[0]'), [172, 180], 'attachVm'),
      step('projects.shop.publicIps.edge.forwards.https', [240, 244], 'createPortForward', 60_000),
    ];
    expect(tell({ path }, 'Critical path')).toEqual([
      'networks.backend create 12s -> vms.web[0] create 2m40s -> attach 8s -> publicIps.edge.forwards.https create 4s after 1m0s of waiting',
    ]);
  });

  it('names the projects where there are several, and the project itself', () => {
    const path = [
      step('projects.shop', [0, 20], 'createProject'),
      step('projects.blog.vms.web', [20, 40]),
    ];
    expect(tell({ path }, 'Critical path')).toEqual([
      'projects.shop create 20s -> projects.blog.vms.web create 20s',
    ]);
  });

  it('tells tenths where all of it takes less than 10 seconds', () => {
    const path = [step(vm('web'), [0, 1.5]), step(vm('web'), [1.5, 1.54], 'attachVm')];
    expect(tell({ path }, 'Critical path')).toEqual(['vms.web create 1.5s']);
  });

  it('is told by its ends where it is long', () => {
    const path = Array.from({ length: 20 }, (_, index) =>
      step(vm(`v${index}`), [index * 10, index * 10 + 10]),
    );
    const [told = ''] = tell({ path }, 'Critical path');
    expect(told.split(' -> ')).toHaveLength(13);
    expect(told).toContain('vms.v5 create 10s -> … 8 more … -> vms.v14 create 10s');
  });

  it('is not told where nothing took time', () => expect(tell({}, 'Critical path')).toEqual([]));
});

it.each([
  [{ learned: [], assumed: [] }, []],
  [{ learned: ['createVm'], assumed: [] }, ['learned on this account (all 1 command)']],
  [
    { learned: ['createVm', 'attachVm'], assumed: ['rebuildVm', 'deleteNetwork'] },
    ['learned on this account (2 of 4 commands); assumed for VM rebuild, network delete'],
  ],
  [{ learned: [], assumed: ['rebuildVm'] }, ['assumed for VM rebuild']],
] as [Rehearsal['durations'], string[]][])(
  'where the durations are from is told of %j',
  (durations, words) => expect(tell({ durations }, 'Durations')).toEqual(words),
);

it('doubts what the service does not bind itself to, and names the checks that it could not judge', () => {
  expect(tell({ doubts: [error] }, 'May fail')).toEqual(['The check fails']);
  expect(describeRehearsal(makeRehearsal({ doubts: [error] })).isWhole).toBe(true);
  expect(tell({ undecided: ['range'] }, 'Not judged')).toEqual([
    'check range, which reads what the service assigns',
  ]);
  expect(tell({ undecided: ['range', 'size'] }, 'Not judged')).toEqual([
    'checks range, size, which read what the service assigns',
  ]);
});

it('tells the peak of each quota, and what no rehearsal knows', () => {
  const quotas = [{ name: 'vmCpu', peak: 38, limit: 40 }] as const;
  expect(tell({ quotas }, 'Peak of quotas')).toEqual(['VM cores 38 of 40']);
  expect(tell({}, 'Not known')).toHaveLength(1);
});

it('tells of each fault how often it happened, and makes one stand out that never did', () => {
  const why = 'no request matched its `when`';
  const each = [
    { name: 'lost', count: 3 },
    { name: 'late', count: 1 },
    { name: 'misspelled', count: 0, why },
  ];
  const faults = { file: 'lost.yaml', each };
  expect(tell({ faults }, 'Faults')).toEqual([
    'lost.yaml: lost 3 times, late 1 time, misspelled never',
  ]);
  expect(tell({ faults }, 'Never happened')).toEqual([`misspelled: ${why}`]);
  expect(describeRehearsal(makeRehearsal({ faults })).headline).toMatch(
    / no changes\. 1 of 3 faults never happened\.$/,
  );
  const happened = { file: 'lost.yaml', each: each.slice(0, 2) };
  expect(describeRehearsal(makeRehearsal({ faults: happened })).headline).toMatch(/ no changes\.$/);
});

import { describe, expect, it } from 'vitest';
import {
  classifyOutcome,
  type OutcomeEvidence,
  type CommandOutcome,
} from '../../../../src/execute/observe/classify-outcome.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { LiveResource } from '../../../../src/model/account/live.ts';
import type { LiveVm } from '../../../../src/kinds/vm/model.ts';
import { makeLive, type LiveVmInput } from '../../../support/account.ts';
import { readRows } from '../../../support/read-rows.ts';

const ofVm = { project: 'p-1', vm: 'vm-1' };
const create = {
  kind: 'createVm',
  project: 'p-1',
  name: 'web',
  imageId: 'i',
  configurationId: 'c',
  tariffId: 't',
  sshKeys: [],
  publicIp: 'none',
  plugins: [],
} as const satisfies ResolvedCommand;
const createWithIp = { ...create, publicIp: 'new' } as const;
const stop = { kind: 'stopVm', ...ofVm } as const;
const remove = { kind: 'deleteVm', ...ofVm } as const;
const reboot = { kind: 'rebootVm', ...ofVm } as const;

/** The VM as it was read. */
function vm(given: Partial<LiveVmInput> = {}): LiveResource {
  const vms = { 'vm-1': { name: 'web', ...given } };
  return makeLive({ projects: { 'p-1': { name: 'shop', vms } } }).resources[0]!;
}
const gone = undefined;
const running = vm();
const stopped = vm({ power: 'stopped' });
const creating = vm({ status: 'creating', bootStatus: 'Starting' });
const stopping = vm({ status: 'updating', bootStatus: 'Stopping' });
const locked = vm({ power: 'stopped', operation: 'Stop', operationStatus: 'Running' });
const failed = vm({ status: 'failed' });
const deleting = vm({ status: 'deleting' });
const statusless: LiveResource = { ...(vm() as LiveVm), status: undefined };

/** The record of the operation, by its status. */
const none = undefined;
const record = (
  status: string,
  failureCode: string | null = null,
): OutcomeEvidence['operation'] => ({
  ...{ id: 'op-1', type: 'Any', status, resourceType: 'vm', resourceId: 'vm-1', failureCode },
  ...{ createdAt: 0, completedAt: null },
});

const done: CommandOutcome = { kind: 'done' };
const waits = (status: string): CommandOutcome => ({ kind: 'waiting', status });
const fails = (failureCode: string | null = null): CommandOutcome => ({
  kind: 'failed',
  failureCode,
});

/** What a row of the tables below calls the resource: nothing for one that does not show. */
const shownAs: Readonly<Record<string, OutcomeEvidence['live']>> = {
  ...{ gone, running, stopped, creating, stopping, locked, failed, deleting, statusless },
  baking: vm({ status: 'baking' }),
  baked: vm({ status: 'baked', power: 'stopped' }),
};
/** `Failed timeout`: the record of an operation with why it failed. */
const readRecord = (cell: string) => {
  const [status = '', failureCode] = cell.split(' ');
  return status === '' ? none : record(status, failureCode);
};
/** `done`, `waits Running`, `fails timeout`. */
const readOutcome = (cell: string): CommandOutcome => {
  const [kind, what] = cell.split(' ');
  if (kind === 'waits') return waits(what ?? '');
  return kind === 'fails' ? fails(what) : done;
};
/** `shown 2000`, `shown 0 busy`, `idle 60000`: for how long it has been so, and whether it was seen busy before. */
const readTimes = (cell: string): Times => {
  const [what, ms, busy] = cell.split(' ');
  return what === 'idle' ? idleFor(Number(ms)) : seenFor(Number(ms ?? 0), busy === 'busy');
};

/** What is so unless a test says otherwise: it was accepted, its record is its own, and the resource is there. */
const usual = {
  isAccepted: true,
  isCertain: true,
  misses: 0,
  missingForMs: 0,
  isFromPast: false,
  isYoung: false,
  isUnrecorded: false,
  wasAtWork: false,
  wasAccepted: false,
  isQuiet: false,
  isOverdue: false,
};
type Seen = Omit<OutcomeEvidence, 'command' | keyof typeof usual> & Partial<typeof usual>;

const classify = (command: ResolvedCommand, seen: Seen): CommandOutcome =>
  classifyOutcome({ command, ...usual, ...seen });

describe('a create', () => {
  it.each(
    readRows(`
    does not show yet | gone |  | waits accepted
    is under way | creating |  | waits creating
    is under way, by its record | creating | Running | waits Running
    stands | running |  | done
    stands, its record lags | running | Running | done
    stands, its record is done | running | Succeeded | done
    is done by its record, and still is busy | creating | Succeeded | waits Succeeded
    failed by its status | failed |  | fails
    failed by its status, its record lags | failed | Running | fails
    failed by both | failed | Failed timeout | fails timeout
    failed by its record, and is gone | gone | Failed insufficientCapacity | fails insufficientCapacity
    failed without a reason | creating | Failed | fails
    has a record that says something new | creating | Reviewing | waits Reviewing
    has a status that nobody knows | baking |  | waits baking
    has a status that nobody knows, and its record goes on | baking | Running | waits Running
    has a status that nobody knows, and its record is done | baking | Succeeded | done
    has a status that nobody knows, and its record failed | baking | Failed timeout | fails timeout
    has no status, and its record goes on | statusless | Running | waits Running
    has no status, and its record is done | statusless | Succeeded | done
    has no status yet, and no record | statusless |  | waits accepted
  `),
  )('%s', (_what, live, operation, expected) => {
    const seen = { live: shownAs[live], operation: readRecord(operation), ...seenFor(0) };
    expect(classify(create, seen)).toEqual(readOutcome(expected));
  });

  it('is never over by a status that nobody knows alone', () => {
    const seen = { live: shownAs.baking, operation: none, ...idleFor(3_600_000), isQuiet: true };
    expect(classify(create, seen)).toEqual(waits('baking'));
  });

  it.each([
    { status: 'ready', bootStatus: 'Running', ms: 30_000, expected: done },
    { status: 'ready', bootStatus: 'Running', ms: 29_999, expected: waits('ready') },
    { status: 'ready', bootStatus: 'Stopped', ms: 3_600_000, expected: waits('ready') },
    { status: 'ready', bootStatus: 'Warming', ms: 3_600_000, expected: waits('ready') },
    { status: 'creating', bootStatus: 'Running', ms: 3_600_000, expected: waits('creating') },
  ] as const)(
    'where no operation is ever told is over by its power: $status $bootStatus $ms',
    ({ status, bootStatus, ms, expected }) => {
      const live = vm({ status, bootStatus });
      const seen = { live, operation: none, isUnrecorded: true, ...seenFor(ms) };
      expect(classify(create, seen)).toEqual(expected);
    },
  );

  it('with an address of its own is not over before that shows', () => {
    const seen = { live: running, operation: none, ...idleFor(3_600_000) };
    expect(classify(createWithIp, seen)).toEqual(waits('active'));
  });
});

describe('a change', () => {
  it.each(
    readRows(`
    has not begun | running |  |  | waits active
    is under way | stopping | InProgress |  | waits InProgress
    shows and is done by its record | stopped | Succeeded |  | done
    is done by its record, and does not show yet | running | Succeeded |  | waits Succeeded
    shows and holds its lock still | locked | Succeeded |  | waits Succeeded
    failed, and the resource is as it was | running | Failed internal |  | fails internal
    failed, although it shows | stopped | failed |  | fails
    shows at once, its record may still come | stopped |  | shown 0 | waits active
    has shown for too short | stopped |  | shown 1999 | waits active
    has shown for long, no record comes | stopped |  | shown 2000 | done
    shows after it was seen busy, no record comes | stopped |  | shown 0 busy | done
    shows, its record lags | stopped | Running | shown 29999 busy | waits Running
    has shown for long, its record lags for ever | stopped | Running | shown 30000 | done
    has shown for long, its record says something new | stopped | Reviewing | shown 30000 | done
    was under way, and may show any moment | running |  | idle 59999 | waits active
    was under way, and came to nothing without a record | running |  | idle 60000 | fails
    was under way, did not show, and its record says that it goes on | running | Running | idle 60000 | waits Running
    is of a resource that is gone | gone |  |  | waits accepted
    is of a resource that is gone, and its record failed | gone | Failed |  | fails
    is of a resource that failed | failed |  |  | waits failed
    shows in a status that nobody knows, and its record is done | baked | Succeeded |  | done
    shows in a status that nobody knows, and its record goes on | baked | Running | shown 29999 | waits Running
    has shown in a status that nobody knows, and its record may still come | baked |  | shown 29999 | waits baked
    has shown for long in a status that nobody knows, and no record comes | baked |  | shown 30000 | done
  `),
  )('%s', (_what, live, operation, times, expected) => {
    const seen = { live: shownAs[live], operation: readRecord(operation), ...readTimes(times) };
    expect(classify(stop, seen)).toEqual(readOutcome(expected));
  });
});

type Times = Pick<OutcomeEvidence, 'wasBusy' | 'idleForMs' | 'shownForMs'>;

function seenFor(shownForMs: number, wasBusy = false): Times {
  return { idleForMs: shownForMs, shownForMs, wasBusy };
}

/** Idle again after it was busy, as it was before. */
const idleFor = (idleForMs: number): Times => ({ idleForMs, shownForMs: 0, wasBusy: true });

describe('a change whose record may be of somebody else', () => {
  const theirs = { operation: record('Failed', 'internal'), isCertain: false };

  it.each<[string, OutcomeEvidence['live'], Times, CommandOutcome]>([
    ['shows, so theirs has failed', stopped, seenFor(2_000), done],
    ['shows after it was seen busy', stopped, seenFor(0, true), done],
    ['has shown for too short', stopped, seenFor(1_999), waits('Failed')],
    ['is under way', stopping, seenFor(0, true), waits('Failed')],
    ['may begin any moment', running, seenFor(0), waits('Failed')],
  ])('%s', (_what, live, times, expected) => {
    expect(classify(stop, { live, ...theirs, ...times })).toEqual(expected);
  });

  it('has to be believed when nothing has shown for too long', () => {
    const seen = { live: running, ...theirs, ...seenFor(0), isOverdue: true };
    expect(classify(stop, seen)).toEqual(fails('internal'));
    expect(classify(stop, { ...seen, live: stopping })).toEqual(waits('Failed'));
  });

  it('is not believed for what a rebuild shows, since it shows in part only', () => {
    const fields = { imageId: 'image-1', sshKeys: [], deleteBackups: false };
    const rebuild = { kind: 'rebuildVm', ...ofVm, ...fields } as const;
    const live = { ...(running as LiveVm), imageId: 'image-1', sshKeyIds: [] };
    const seen = { live, ...theirs, ...seenFor(5_000) };
    expect(classify(rebuild, seen)).toEqual(waits('Failed'));
    expect(classify(rebuild, { ...seen, isOverdue: true })).toEqual(fails('internal'));
  });
});

describe('a change that leaves no trace', () => {
  const silent = { kind: 'silent', hasRecord: false };

  it.each<[string, OutcomeEvidence['live'], OutcomeEvidence['operation'], CommandOutcome | object]>(
    [
      ['and has none', running, none, silent],
      [
        'but for a success of which nothing shows',
        running,
        record('Succeeded'),
        { ...silent, hasRecord: true },
      ],
      ['goes on by its record', running, record('Running'), waits('Running')],
      ['goes on by its status', stopping, none, waits('updating')],
      ['shows', stopped, none, waits('active')],
      ['is of a resource that no list shows', gone, none, waits('accepted')],
    ],
  )('%s', (_what, live, operation, expected) => {
    expect(classify(stop, { live, operation, isQuiet: true, ...seenFor(0) })).toEqual(expected);
  });

  it('and stands in a status that nobody knows, after the time in which a record would have come', () => {
    const live = vm({ status: 'baked' });
    const seen = { live, operation: none, isQuiet: true };
    expect(classify(stop, { ...seen, ...seenFor(30_000), shownForMs: 0 })).toEqual(silent);
    expect(classify(stop, { ...seen, ...seenFor(29_999), shownForMs: 0 })).toEqual(waits('baked'));
  });

  it('is no failure behind a lost answer: the VM was busy with something else', () => {
    const seen = { live: running, operation: none, isAccepted: false, ...idleFor(60_000) };
    expect(classify(stop, seen)).toEqual(waits('active'));
    expect(classify(stop, { ...seen, isQuiet: true })).toEqual(silent);
  });

  it('never is one of a create', () => {
    const seen = { live: running, operation: none, isQuiet: true, ...seenFor(0) };
    expect(classify(createWithIp, seen)).toEqual(waits('active'));
  });
});

describe('a resource that somebody deletes', () => {
  it.each([
    [3, 10_000, { kind: 'gone' }],
    [2, 60_000, waits('accepted')],
    [30, 9_999, waits('accepted')],
  ])('missed %i times over %i ms', (misses, missingForMs, expected) => {
    const seen = { live: gone, operation: none, misses, missingForMs, ...seenFor(0) };
    expect(classify(stop, seen)).toEqual(expected);
    expect(classify(create, seen)).toEqual(expected);
    expect(classify(remove, seen)).toEqual(done);
  });
});

describe('a delete of what its list still has', () => {
  const missed = { misses: 30, missingForMs: 60_000 };
  it.each<[string, OutcomeEvidence['operation'], Partial<OutcomeEvidence>, CommandOutcome]>([
    ['is over when it stays missing under its id', none, missed, done],
    ['is not over by 404s of less', none, { ...missed, missingForMs: 59_000 }, waits('deleting')],
    ['is not over by one 404', none, { misses: 1, missingForMs: 0 }, waits('deleting')],
    ['is not over where no answer came', none, { ...missed, isAccepted: false }, waits('deleting')],
    ['is over by its record and one 404', record('Succeeded'), { misses: 1 }, done],
    ['goes on by its record, whatever is missing', record('Running'), missed, waits('Running')],
  ])('%s', (_what, operation, more, expected) => {
    expect(classify(remove, { live: deleting, operation, ...seenFor(0), ...more })).toEqual(
      expected,
    );
  });
});

describe('a delete that only a list of a while ago does not show', () => {
  const missed = { misses: 3, missingForMs: 11_000 };
  it.each<[string, OutcomeEvidence['operation'], Partial<OutcomeEvidence>, CommandOutcome]>([
    ['is not over by 404s of ten seconds', none, missed, waits('accepted')],
    ['is over by 404s of a minute', none, { ...missed, missingForMs: 60_000 }, done],
    ['is over by its record and one 404', record('Succeeded'), { misses: 1 }, done],
    ['failed by its record', record('Failed'), missed, fails()],
  ])('%s', (_what, operation, more, expected) => {
    const seen = { live: gone, operation, isFromPast: true, ...seenFor(0), ...more } as const;
    expect(classify(remove, seen)).toEqual(expected);
  });
});

describe('a delete of what was made a while ago', () => {
  it.each<[string, OutcomeEvidence['operation'], Partial<OutcomeEvidence>, CommandOutcome]>([
    ['is not over by one look', none, { misses: 1, missingForMs: 0 }, waits('accepted')],
    ['is over by two looks', none, { misses: 2, missingForMs: 50 }, done],
    ['is over by its record and one look', record('Succeeded'), { misses: 1 }, done],
  ])('%s', (_what, operation, more, expected) => {
    const seen = { live: gone, operation, isYoung: true, ...seenFor(0), ...more } as const;
    expect(classify(remove, seen)).toEqual(expected);
  });
});

describe('a delete without an answer', () => {
  it.each<[string, OutcomeEvidence['operation'], Partial<OutcomeEvidence>, CommandOutcome]>([
    ['is not over because a list does not show it', none, {}, waits('sent')],
    [
      'is not over by 404s of ten seconds',
      none,
      { misses: 5, missingForMs: 11_000 },
      waits('sent'),
    ],
    ['is over by 404s of a minute', none, { misses: 9, missingForMs: 60_000 }, done],
    ['is over by its record and one 404', record('Succeeded'), { misses: 1 }, done],
  ])('%s', (_what, operation, more, expected) => {
    const seen = { live: gone, operation, isAccepted: false, ...seenFor(0), ...more };
    expect(classify(remove, seen)).toEqual(expected);
  });
});

describe('a delete', () => {
  it.each(
    readRows(`
    is over when the resource is gone | gone |  | done
    is over when the resource is gone, its record lags | gone | Running | done
    is over when the resource is gone, whatever its record says | gone | Failed | done
    is under way | deleting |  | waits deleting
    is under way, by its record | deleting | Queued | waits Queued
    is done by its record, and still is listed | deleting | Succeeded | waits Succeeded
    failed, and the resource stands | running | Failed timeout | fails timeout
  `),
  )('%s', (_what, live, operation, expected) => {
    const seen = { live: shownAs[live], operation: readRecord(operation), ...seenFor(0) };
    expect(classify(remove, seen)).toEqual(readOutcome(expected));
  });

  it('that leaves the resource standing has failed, though no record says so', () => {
    expect(classify(remove, { live: running, operation: none, ...idleFor(60_000) })).toEqual(
      fails(),
    );
  });
});

describe('a command whose result nothing shows', () => {
  it.each(
    readRows(`
    is over by its record | running | Succeeded | done
    is over by its record, the resource is gone | gone | Succeeded | done
    is over by its record, and the lock still holds | locked | Succeeded | waits Succeeded
    failed by its record | running | Failed internal | fails internal
    has no record yet | running |  | waits active
    is under way | stopping | Running | waits Running
  `),
  )('%s', (_what, live, operation, expected) => {
    // However long it stands there: it stood there before, too.
    for (const shownForMs of [0, 60_000]) {
      const seen = { live: shownAs[live], operation: readRecord(operation) };
      expect(classify(reboot, { ...seen, ...seenFor(shownForMs, true) })).toEqual(
        readOutcome(expected),
      );
    }
  });
});

describe('a rename', () => {
  const rename = { kind: 'renameVm', ...ofVm, name: 'Web' } as const;
  const at = (name: string, idleForMs: number) =>
    classify(rename, {
      ...{ live: vm({ name }), operation: none, wasBusy: false, idleForMs },
      shownForMs: name === 'Web' ? idleForMs : 0,
    });

  it('is done when the name shows', () => expect(at('Web', 0)).toEqual(done));

  it('is done when the name shows in a status that nobody knows: nothing is recorded of it', () => {
    const live = vm({ name: 'Web', status: 'baked' });
    expect(classify(rename, { live, operation: none, ...seenFor(0) })).toEqual(done);
  });

  it('is done when the service keeps another form of the name, and nothing else comes', () => {
    expect(at('web', 0)).toEqual(waits('active'));
    expect(at('web', 10_000)).toEqual(done);
  });

  it('is not done while the name is another', () =>
    expect(at('old', 10_000)).toEqual(waits('active')));
});

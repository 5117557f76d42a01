import { DiagnosticError } from '../../../../src/model/errors.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import type { StateFileName, StateFiles } from '../../../../src/state/files/files.ts';
import { acquireLock, type StateLock } from '../../../../src/state/lock/lock.ts';
import type { LockHolderClocks } from '../../../../src/state/lock/lock-medium.ts';
import type { MemoryDiskWrite } from '../../../../src/state/memory-store.ts';
import type { ProcessClock } from '../../virtual-time.ts';
import type { World } from '../../world.ts';
import type { Dice } from '../dice.ts';
import type { FaultKind, RemotePlaceKind } from '../fault-kinds.ts';
import type { Mischief } from '../mischief.ts';
import { repeatBy, type Entry } from '../race.ts';
import { bounds, drawMs } from '../spread.ts';
import {
  openBranchPlace,
  openBucketPlace,
  openDatabasePlace,
  openServerPlace,
  type StatePlace,
} from './state-places.ts';

/** What runs with its state in one place, and how. */
export interface BackendRace {
  readonly world: World;
  readonly dice: Dice;
  readonly mischief: Mischief;
  readonly kind: RemotePlaceKind;
  /** A process of its own machine. */
  readonly openProcess: () => ProcessClock;
  readonly run: (entry: Entry) => Promise<{ readonly kind: string }>;
  readonly log: (line: string) => void;
}

/** How one of them goes. */
interface Plan {
  readonly name: string;
  readonly delayMs: number;
  readonly patienceMs: number;
  readonly onStep: (lock: StateLock) => void;
}

/**
 * One to three applies whose state is elsewhere, on as many machines. Each may stand still, lose its lock or its way to the
 * state at any moment. What is there in the end goes back to the disk of the world.
 * @returns what struck, and the lines of violations
 */
export async function raceOnBackend(
  race: BackendRace,
): Promise<{ readonly struck: readonly FaultKind[]; readonly violations: readonly string[] }> {
  const { world, dice, mischief, kind, openProcess, run, log } = race;
  const { time } = world;
  const struck: FaultKind[] = [];
  const violations: string[] = [];
  const place = await time.run(openPlace(race));
  let removing: string | undefined;
  const leaseMs = dice.pick([5_000, 20_000, 60_000, 60_000]);
  const compete = async ({ name, delayMs, patienceMs, onStep }: Plan, process: ProcessClock) => {
    await process.sleep(delayMs);
    const backend = await place.open(process, mischief);
    const lock = await take({ backend, process, name, patienceMs, leaseMs, now: () => time.now() });
    if (!lock) return;
    if (lock.silentForMs !== undefined) struck.push('backend: lock taken over');
    log(`${name} has the lock, epoch ${lock.fence.epoch}`);
    // One that is being removed is held until that is done.
    const isHeld = () => place.heldBy() === lock.info.ID || removing === lock.info.ID;
    await run({
      place: {
        ...{ process, fence: lock.fence, silentForMs: lock.silentForMs },
        openFiles: (onWrite) => announce(backend.openFiles(lock.fence), onWrite),
      },
      ...{ isHeld, isBlind: backend.lock.isBlind === true },
      onStep: () => onStep(lock),
    });
    // A process that was killed leaves its lock behind, also where it had just failed.
    if (process.isStopped) return;
    await Promise.race([lock.release().catch(() => undefined), process.stopped]);
  };
  const first = openProcess();
  let stepsLeft = Math.round(drawMs(dice, 400, 1));
  const isForced = dice.chance(0.2);
  const others = Array.from({ length: dice.pick([0, 1, 1, 2]) }, (_, index) =>
    compete(
      {
        name: `other ${index + 1}`,
        delayMs: drawMs(dice, longestDelayMs),
        patienceMs: dice.pick([0, 600_000, 1_800_000]),
        onStep: () => undefined,
      },
      openProcess(),
    ),
  );
  const strikeFirst = (lock: StateLock) => {
    stepsLeft -= 1;
    if (stepsLeft !== 0) return;
    if (isForced) {
      removing = lock.info.ID;
      const clear = async () => {
        const { lock: medium } = await place.open(time.openClock());
        await medium.clear(lock.info.ID);
      };
      void clear().then(
        () => {
          removing = undefined;
          struck.push('backend: lock removed');
        },
        () => undefined,
      );
    }
    if (!isForced || dice.chance(0.3)) first.pause(drawMs(dice, bounds.pauseMs, 20_000));
  };
  const leader = { name: 'first', delayMs: 0, patienceMs: 0, onStep: strikeFirst };
  await time.run(Promise.all([compete(leader, first), ...others]));
  struck.push(kind);
  await time.run(bringBack(place, world));
  return { struck, violations };
}

/** How long after the first one another begins. */
const longestDelayMs = 600_000;

const places = {
  'state in a bucket': openBucketPlace,
  'state in a database': openDatabasePlace,
  'state on a branch': openBranchPlace,
} as const;

async function openPlace({ world, dice, kind }: BackendRace): Promise<StatePlace> {
  const { time } = world;
  const disk = world.store.readDisk();
  const options = { time, disk, latencyMs: dice.pick([1, 20, 300, 2_000]) };
  if (kind === 'state on a server') {
    return openServerPlace(options, dice.pick(['terraform', 'gitlab'] as const));
  }
  const place = places[kind](options);
  const process = time.openClock();
  const backend = await place.open(process);
  const lock = await acquire({ backend, process, name: 'setup', now: () => time.now() });
  const files = backend.openFiles(lock.fence);
  for (const [name, text] of disk) await files.replace(name, text);
  await files.close();
  await lock.release();
  return place;
}

/** What a lock is taken with. */
interface Taking {
  readonly backend: StateBackend;
  readonly process: ProcessClock;
  readonly name: string;
  readonly patienceMs?: number;
  readonly leaseMs?: number;
  /** What the wall clock of the machine shows. */
  readonly now: () => number;
}

function acquire({ backend, process, name, patienceMs, leaseMs, now }: Taking): Promise<StateLock> {
  const time: LockHolderClocks = {
    now,
    monotonic: () => process.now(),
    repeat: (work, everyMs) => repeatBy(process, work, everyMs),
  };
  return acquireLock(
    backend.lock,
    {
      ...{ operation: 'apply', version: '0', leaseMs },
      process: { pid: 1, host: `${name} ${now()}`, user: name },
    },
    { clock: process, timeoutMs: patienceMs ?? 4 * 3_600_000, time },
  );
}

/** Undefined where it is held for longer, or what keeps it cannot be reached. */
async function take(taking: Taking): Promise<StateLock | undefined> {
  try {
    return await acquire(taking);
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** Takes the lock for good, as a next run would, and puts what it reads on the disk of the world. */
async function bringBack(place: StatePlace, world: World): Promise<void> {
  const { time } = world;
  const process = time.openClock();
  const backend = await place.open(process);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    // A lock that never expires is removed by a person.
    const id = backend.lock.isBlind ? place.heldBy() : undefined;
    if (id !== undefined) await backend.lock.clear(id).catch(() => undefined);
    const taking = { backend, process, name: 'end', now: () => time.now() };
    const lock = await take({ ...taking, patienceMs: backend.lock.isBlind ? 0 : 3_600_000 });
    if (!lock) continue;
    const files = backend.openFiles(lock.fence);
    const disk = new Map<StateFileName, string>();
    for (const name of await files.list()) {
      const text = await files.read(name);
      if (text !== undefined) disk.set(name, text);
    }
    await files.close();
    await lock.release();
    const { silentForMs } = lock;
    await world.useDisk(disk, silentForMs === undefined ? undefined : time.now() - silentForMs);
    return;
  }
  throw new Error('the lock cannot be taken any more');
}

/** Requests of the dead may still take the lock. */
const mostAttempts = 30;

/** Files each write of which is announced first: a process can be killed there. */
const announce = (
  files: StateFiles,
  onWrite: (write: MemoryDiskWrite) => Promise<void> | void,
): StateFiles => ({
  pathOf: (name) => files.pathOf(name),
  list: () => files.list(),
  read: (name) => files.read(name),
  replace: async (name, text) => {
    await onWrite({ kind: 'replace', name, text });
    await files.replace(name, text);
  },
  append: async (name, text) => {
    await onWrite({ kind: 'append', name, text });
    await files.append(name, text);
  },
  remove: async (name) => {
    await onWrite({ kind: 'remove', name, text: '' });
    await files.remove(name);
  },
  close: () => files.close(),
});

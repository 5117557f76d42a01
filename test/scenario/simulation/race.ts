import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiagnosticError } from '../../../src/model/errors.ts';
import { acquireLock, type StateLock } from '../../../src/state/lock/lock.ts';
import type { ProcessClock } from '../virtual-time.ts';
import type { RunPlace, World } from '../world.ts';
import type { Dice } from './dice.ts';
import type { FaultKind } from './fault-kinds.ts';
import { MemoryLock } from './memory-lock.ts';
import { bounds, drawMs } from './spread.ts';
import { openMemoryStateFiles } from '../../../src/state/memory-store.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

/** What a race brought. */
export interface RaceReport {
  readonly struck: readonly FaultKind[];
  readonly violations: readonly string[];
}

/** Two applies of one directory, the second a moment after the first: it waits for the lock, or is refused. */
export async function raceForLock(
  world: World,
  run: () => Promise<{ readonly kind: string }>,
  isPatient: boolean,
  dice: Dice,
): Promise<RaceReport> {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-race-'));
  const struck: FaultKind[] = [];
  const violations: string[] = [];
  const locks: StateLock[] = [];
  let running = 0;
  const compete = async (delayMs: number, timeoutMs: number): Promise<void> => {
    const clock = world.time.openClock();
    if (delayMs > 0) await clock.sleep(delayMs);
    let lock: StateLock;
    try {
      lock = await world.time.hold(() =>
        acquireLock(
          openLocalBackend(directory).lock,
          {
            operation: 'apply',
            version: '0',
            process: { pid: process.pid, host: 'race', user: 'a' },
          },
          {
            clock: world.time.openHeldClock(clock),
            timeoutMs,
            onWait: () => struck.push('waits for the lock'),
            time: {
              repeat: (work, everyMs) => repeatBy(clock, () => world.time.hold(work), everyMs),
            },
          },
        ),
      );
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      struck.push('refused by the lock');
      return;
    }
    locks.push(lock);
    running += 1;
    if (running > 1) violations.push('two runs held the lock at once');
    const { kind } = await run();
    running -= 1;
    await world.time.hold(() => (kind === 'killed' ? bury(lock) : lock.release()));
  };
  try {
    const second = compete(dice.between(1, 8_000), isPatient ? 4 * 3_600_000 : 0);
    await world.time.run(Promise.all([compete(0, 0), second]));
  } finally {
    await rm(directory, { recursive: true });
    // The operating system would close the files of those that were killed.
    for (const lock of locks) await lock.release();
  }
  return { struck, violations };
}

/** Heartbeats by the clock of the simulation. */
export function repeatBy(
  clock: Pick<ProcessClock, 'sleep'>,
  work: () => Promise<void>,
  everyMs: number,
) {
  let isOver = false;
  const goOn = async () => {
    for (;;) {
      await clock.sleep(everyMs);
      if (isOver) return;
      await work();
    }
  };
  void goOn();
  return () => {
    isOver = true;
  };
}

/** What runs on one disk, and how. */
export interface SharedRace {
  readonly world: World;
  readonly dice: Dice;
  /** True: somebody removes the lock of a run that holds it. */
  readonly isForced: boolean;
  /** A process of its own machine. */
  readonly openProcess: () => ProcessClock;
  readonly run: (entry: Entry) => Promise<{ readonly kind: string }>;
}

/** One run of a race. */
export interface Entry {
  readonly place: RunPlace;
  /** True as long as nobody else has its lock. */
  readonly isHeld: () => boolean;
  /** True where it learns only with its next write that somebody removed its lock. */
  readonly isBlind?: boolean;
  /** Called before each of its steps. */
  readonly onStep: () => void;
}

/**
 * Two or three applies of one state in as many realms, where nobody sees whether another lives. The first stands still for
 * a while at any moment; who waits for it takes its lock over when it was silent for longer than its lease.
 */
export async function raceOnOneDisk({
  world,
  dice,
  isForced,
  openProcess,
  run,
}: SharedRace): Promise<RaceReport> {
  const { time } = world;
  const disk = world.store.readDisk();
  const lock = new MemoryLock(disk, () => time.now());
  const struck: FaultKind[] = [];
  const compete = async (
    name: string,
    process: ProcessClock,
    { delayMs, patienceMs, onStep }: Plan,
  ): Promise<void> => {
    await process.sleep(delayMs);
    const held = await lock.acquire(name, process, patienceMs);
    if (!held) return;
    const { fence, silentForMs, isHeld } = held;
    const openFiles: RunPlace['openFiles'] = (onWrite) =>
      openMemoryStateFiles(disk, onWrite, fence);
    const place = { process, openFiles, fence, silentForMs };
    const { kind } = await run({ place, isHeld, onStep });
    // A process that was killed leaves its lock behind.
    if (kind !== 'killed') held.release();
  };
  const first = openProcess();
  let stepsLeft = Math.round(drawMs(dice, 400, 1));
  const strikeFirst = () => {
    stepsLeft -= 1;
    if (stepsLeft !== 0) return;
    if (isForced && lock.clear()) struck.push('unlocked by force');
    if (!isForced || dice.chance(0.3)) first.pause(drawMs(dice, bounds.pauseMs, 20_000));
  };
  const others = Array.from({ length: dice.pick([1, 1, 2]) }, (_, index) =>
    compete(`other ${index + 1}`, openProcess(), {
      delayMs: drawMs(dice, longestDelayMs),
      patienceMs: dice.pick([0, 1_800_000, 14_400_000]),
      onStep: () => undefined,
    }),
  );
  const leader = compete('first', first, { delayMs: 0, patienceMs: 0, onStep: strikeFirst });
  await time.run(Promise.all([leader, ...others]));
  if (lock.takeovers > 0) struck.push('taken over by another realm');
  await world.useDisk(disk, lock.heardOfAt);
  return { struck, violations: [] };
}

/** How long after the first one another begins. */
const longestDelayMs = 600_000;

/** How one of them goes. */
interface Plan {
  readonly delayMs: number;
  readonly patienceMs: number;
  readonly onStep: () => void;
}

/** The process that held the lock is dead: its pid belongs to another by now. */
async function bury({ info }: StateLock): Promise<void> {
  const path = join(info.Path, '..', 'lock.json');
  const text = JSON.parse(await readFile(path, 'utf8')) as { ID: string; Started: string };
  if (text.ID === info.ID) await writeFile(path, JSON.stringify({ ...text, Started: '1' }));
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiagnosticError } from '../../../src/model/errors.ts';
import { acquireLock, type Lock } from '../../../src/state/lock.ts';
import type { World } from '../world.ts';
import type { Dice } from './dice.ts';
import type { FaultKind } from './fault-kinds.ts';

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
  let running = 0;
  const compete = async (delayMs: number, timeoutMs: number): Promise<void> => {
    const clock = world.time.openClock();
    if (delayMs > 0) await clock.sleep(delayMs);
    let lock: Lock;
    try {
      lock = await world.time.hold(() =>
        acquireLock(
          directory,
          {
            operation: 'apply',
            version: '0',
            process: { pid: process.pid, host: 'race', user: 'a' },
          },
          {
            clock: world.time.openHeldClock(clock),
            timeoutMs,
            onWait: () => struck.push('waits for the lock'),
          },
        ),
      );
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      struck.push('refused by the lock');
      return;
    }
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
  }
  return { struck, violations };
}

/** The process that held the lock is dead: its pid belongs to another by now. */
async function bury({ info }: Lock): Promise<void> {
  const path = join(info.Path, '..', 'lock.json');
  const text = JSON.parse(await readFile(path, 'utf8')) as { ID: string; Started: string };
  if (text.ID === info.ID) await writeFile(path, JSON.stringify({ ...text, Started: '1' }));
}

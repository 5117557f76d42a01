import { findCommandFacts } from '../../src/kinds/find-facts.ts';
import { commandNames } from '../../src/model/account/command.ts';
import type { UsualCommandDurations } from '../../src/model/state/state.ts';
import { decideOperationDuration } from '../../src/sandbox/rules/durations.ts';
import type { SandboxOperationType } from '../../src/sandbox/store/rows.ts';
import type { DecideOperationDuration } from '../../src/sandbox/store/world.ts';

const drawn = 20;

/** Every world begins with them, at one of a few speeds. */
const known = new Map<number, UsualCommandDurations>();

/** What earlier runs against the sandbox would have learned. */
export function learnFromSandbox(speed: number): UsualCommandDurations {
  const durations = known.get(speed) ?? countDurations(speed);
  known.set(speed, durations);
  return durations;
}

const countDurations = (speed: number): UsualCommandDurations =>
  learnFromDurations((type, sequence) =>
    decideOperationDuration(type, sequence, { seed: 1, speed }),
  );

/** What earlier runs would have learned where operations take so long. */
export const learnFromDurations = (
  plan: (...of: readonly [SandboxOperationType, number]) => ReturnType<DecideOperationDuration>,
): UsualCommandDurations =>
  Object.fromEntries(
    commandNames.map((command) => {
      const [type] = findCommandFacts(command).operationTypes ?? [];
      const times = Array.from({ length: drawn }, (_, sequence) => {
        if (type === undefined) return 0;
        const { queueMs, runMs } = plan(type, sequence);
        return queueMs + runMs;
      });
      const meanMs = Math.round(times.reduce((a, b) => a + b, 0) / drawn);
      const squares = times.reduce((sum, ms) => sum + (ms - meanMs) ** 2, 0);
      return [command, { meanMs, deviationMs: Math.round(Math.sqrt(squares / drawn)) }];
    }),
  );

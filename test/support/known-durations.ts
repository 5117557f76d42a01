import { findCommandFacts } from '../../src/kinds/find-facts.ts';
import { commandNames } from '../../src/model/account/command.ts';
import type { Durations } from '../../src/model/state/state.ts';
import { planDuration } from '../../src/sandbox/rules/durations.ts';

const drawn = 20;

/** Every world begins with them, at one of a few speeds. */
const known = new Map<number, Durations>();

/** What earlier runs against the sandbox would have learned. */
export function learnFromSandbox(speed: number): Durations {
  const durations = known.get(speed) ?? countDurations(speed);
  known.set(speed, durations);
  return durations;
}

const countDurations = (speed: number): Durations =>
  Object.fromEntries(
    commandNames.map((command) => {
      const [type] = findCommandFacts(command).operationTypes ?? [];
      const times = Array.from({ length: drawn }, (_, sequence) => {
        if (type === undefined) return 0;
        const { queueMs, runMs } = planDuration(type, sequence, { seed: 1, speed });
        return queueMs + runMs;
      });
      const meanMs = Math.round(times.reduce((a, b) => a + b, 0) / drawn);
      const squares = times.reduce((sum, ms) => sum + (ms - meanMs) ** 2, 0);
      return [command, { meanMs, deviationMs: Math.round(Math.sqrt(squares / drawn)) }];
    }),
  );

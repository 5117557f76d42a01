import type { FailureCode } from '../store/rows.ts';
import type { Rules } from '../store/world.ts';

/** What faults make of one request inside the service. */
export interface FaultOutcome {
  /** How the operation that it starts fails; null leaves the outcome alone. */
  readonly failureCode: FailureCode | null;
  /** How many times longer that operation takes. */
  readonly slowness: number;
  /** How many more of a configuration the cluster can host, by its id. */
  readonly capacityLeft: Readonly<Record<string, number>>;
}

export const mildOutcome: FaultOutcome = { failureCode: null, slowness: 1, capacityLeft: {} };

/** The rules that this one request meets. */
export function rulesUnder(outcome: FaultOutcome, rules: Rules): Rules {
  if (outcome === mildOutcome) return rules;
  const { failureCode, slowness, capacityLeft } = outcome;
  return {
    ...rules,
    speed: rules.speed / slowness,
    planFailure: (operation) => failureCode ?? rules.planFailure(operation),
    capacityLeft: { ...rules.capacityLeft, ...capacityLeft },
  };
}

import type { OperationFailureCode } from '../store/rows.ts';
import type { SandboxRules } from '../store/world.ts';

/** Effect of faults inside the service, on the operation of one request. */
export interface FaultOutcome {
  /** Failure code with which the operation ends; null leaves its outcome alone. */
  readonly failureCode: OperationFailureCode | null;
  /** Factor by which the operation takes longer. */
  readonly slowness: number;
  /** Most VMs of a configuration that the cluster has room for, by the id of the configuration. */
  readonly capacityLeft: Readonly<Record<string, number>>;
}

export const faultlessOutcome: FaultOutcome = { failureCode: null, slowness: 1, capacityLeft: {} };

/** Rules of the sandbox with the changes that faults make for this one request. */
export function applyFaultsToRules(outcome: FaultOutcome, rules: SandboxRules): SandboxRules {
  if (outcome === faultlessOutcome) return rules;
  const { failureCode, slowness, capacityLeft } = outcome;
  return {
    ...rules,
    speed: rules.speed / slowness,
    planFailure: (operation) => failureCode ?? rules.planFailure(operation),
    capacityLeft: { ...rules.capacityLeft, ...capacityLeft },
  };
}

import type { OperationFailureCode } from '../store/rows.ts';
import type { SandboxRules } from '../store/world.ts';

/** Effects of injected faults within the service, on the operation of one request. */
export interface InjectedFaultEffects {
  /** Failure code with which the operation ends; null leaves its outcome alone. */
  readonly failureCode: OperationFailureCode | null;
  /** Factor by which the operation takes longer. */
  readonly slowness: number;
  /** Largest number of VMs of each configuration that the cluster still has capacity for, by the configuration's id. */
  readonly capacityLeft: Readonly<Record<string, number>>;
}

export const noInjectedFaultEffects: InjectedFaultEffects = {
  failureCode: null,
  slowness: 1,
  capacityLeft: {},
};

/** Applies the effects of injected faults to the sandbox's rules, for one request. */
export function applyInjectedFaultsToRules(
  outcome: InjectedFaultEffects,
  rules: SandboxRules,
): SandboxRules {
  if (outcome === noInjectedFaultEffects) return rules;
  const { failureCode, slowness, capacityLeft } = outcome;
  return {
    ...rules,
    speed: rules.speed / slowness,
    planFailure: (operation) => failureCode ?? rules.planFailure(operation),
    capacityLeft: { ...rules.capacityLeft, ...capacityLeft },
  };
}

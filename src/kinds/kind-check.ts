import type { ResourceAddress } from '../model/address.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Plan, PlanOptions } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { State } from '../model/state/state.ts';

/** Input of the checks that one kind has for its plan. */
export interface KindCheckInput {
  readonly plan: Plan;
  /** The configured resources by address; empty when everything is to be destroyed. */
  readonly desired: ReadonlyMap<ResourceAddress, DesiredResource>;
  readonly live: LiveSnapshot;
  readonly state: State;
  /** Time of the plan, in milliseconds since the Unix epoch; without it, due dates are not checked. */
  readonly plannedAt?: number;
  /** Options of the plan from the command line; none unless given. */
  readonly planOptions?: PlanOptions;
}

/** Finds faults that only resources of one kind can have; returns a finding for each. */
export type KindCheck = (input: KindCheckInput) => readonly Finding[];

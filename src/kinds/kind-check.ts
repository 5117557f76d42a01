import type { Address } from '../model/address.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Plan, PlanOptions } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { State } from '../model/state/state.ts';

/** What the check of a kind may look at. */
export interface KindCheckInput {
  readonly plan: Plan;
  /** The configured resources by address; empty when everything is to be destroyed. */
  readonly desired: ReadonlyMap<Address, DesiredResource>;
  readonly live: LiveSnapshot;
  readonly state: State;
  /** When the plan is made, in milliseconds since the Unix epoch; what is due is not checked unless given. */
  readonly plannedAt?: number;
  /** What the flags asked for; nothing unless given. */
  readonly planOptions?: PlanOptions;
}

/** Proves what can only be wrong with resources of one kind; returns a finding for each place where it is. */
export type KindCheck = (input: KindCheckInput) => readonly Finding[];

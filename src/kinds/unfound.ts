// Resources of the state that a look at the account did not find: deleted by somebody, or hidden by a list that lags.
import type { LiveSnapshot } from '../model/account/live.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { ManagedResource, State } from '../model/state/state.ts';
import { kindRegistry } from './registry.ts';

/** A resource that the service does not show, although its records have a recent create, and no deletion. */
export interface UnshownResource {
  readonly resource: ManagedResource;
  /** Time of the create, by the service's clock, in milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** Time from which the resource counts as deleted, by the same clock. */
  readonly goneAt: number;
  /** Milliseconds until the unseen resource counts as deleted. */
  readonly leftMs: number;
}

/** Resources of the state that a look did not find, without kinds for which one look is proof. */
export function listUnfoundResources(
  { resources }: Pick<State, 'resources'>,
  live: Pick<LiveSnapshot, 'projects' | 'resources'>,
): readonly ManagedResource[] {
  const ids = new Set([...live.projects, ...live.resources].map(({ id }) => id));
  return [...resources.values()].filter(
    ({ id, kind }) =>
      !ids.has(id) &&
      !kindRegistry[kind].traits.permanent &&
      !kindRegistry[kind].traits.believedList,
  );
}

/**
 * Resources that were not found, and that the plan creates again or takes out of the state. `known`: the state that the plan
 * starts from; resources outside of a selection are in it as before.
 */
export function listUnfoundTouchedByPlan(
  unfound: readonly ManagedResource[],
  { changes, gone }: Pick<Plan, 'changes' | 'gone'>,
  known: Pick<State, 'resources'>,
): readonly ManagedResource[] {
  const changing = changes.filter(({ action }) => action !== 'no-op');
  const actedOn = new Set([...changing.map(({ address }) => address), ...gone]);
  const left = [...known.resources.values()].filter(({ address }) => !actedOn.has(address));
  const leftIds = new Set(left.map(({ id }) => id));
  return unfound.filter(({ id }) => !leftIds.has(id));
}

// A rebuild with `restoreOnFailure` that has failed: its backup is restored first, and what it asked for is not tried again by
// itself.
import { kindRegistry } from '../../kinds/registry.ts';
import { isRolledBackRebuildTarget } from '../../kinds/carry-out.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';

/** Members that a change gets because a rebuild of its resource failed before. */
export type FailedRebuild = Pick<Change, 'restoring' | 'isTriedBefore'>;

/** Finds what is left to do after a rebuild that failed in an earlier run. */
export function findFailedRebuild(
  { kind, attributes, restoresFailedRebuild }: DesiredResource,
  managed: ManagedResource | undefined,
  { id }: LiveResource,
  retriesFailed: boolean | undefined,
): FailedRebuild {
  if (!restoresFailedRebuild || managed?.id !== id || !kindRegistry[kind].traits.restore) return {};
  if (managed.wayBack?.hasFailed) return { restoring: managed.wayBack.backup };
  return !retriesFailed && isRolledBackRebuildTarget(managed, attributes)
    ? { isTriedBefore: true }
    : {};
}

/**
 * Configured resource for which no field may ask for a rebuild, where a failed rebuild is being restored or must not be tried
 * again: changes of fields that need one wait.
 */
export function omitRebuildingFields<D extends Pick<DesiredResource, 'rebuildOn'>>(
  desired: D,
  { restoring, isTriedBefore: isTried }: FailedRebuild,
): D {
  return restoring === undefined && !isTried ? desired : { ...desired, rebuildOn: [] };
}

/** The wanted values, without those of a rebuild that was taken back: an account that still shows them proves nothing. */
export function omitRebuildTarget(
  attributes: Attributes,
  { failedTarget }: Pick<ManagedResource, 'failedTarget'>,
): Attributes {
  if (!failedTarget) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !(name in failedTarget)));
}

import type { Change } from '../model/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { ManagedResource } from '../model/state.ts';

/** Whether nothing may destroy it: as the configuration says now; where it no longer says anything, as it said last. */
export function protectionOf(
  desired: DesiredResource | undefined,
  managed: ManagedResource | undefined,
): Pick<Change, 'isProtected'> {
  const isProtected = desired
    ? desired.lifecycle?.preventDestroy === true
    : managed?.isProtected === true;
  return isProtected ? { isProtected } : {};
}

import type { Change } from '../model/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { ManagedResource } from '../model/state.ts';

/**
 * Whether nothing may destroy it, as the configuration says. What is `leaving`, be it that its block is gone or that
 * everything is to be destroyed, is protected as it was when it was last applied, too.
 */
export function protectionOf(
  configured: DesiredResource | undefined,
  leaving?: ManagedResource,
): Pick<Change, 'isProtected' | 'protectedAt'> {
  const { preventDestroy = false, protectedAt } = configured?.lifecycle ?? {};
  if (!preventDestroy && leaving?.isProtected !== true) return {};
  return { isProtected: true, ...(protectedAt && { protectedAt }) };
}

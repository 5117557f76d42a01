// Members of a change that follow from the configuration alone.
import { kindRegistry } from '../../kinds/registry.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';

/** Names of fields whose values are known only after other changes. */
export function listDeferredFields({ deferred = {} }: DesiredResource): readonly string[] {
  return Object.keys(deferred);
}

/** The members of a change that the configuration alone decides. */
export function readConfiguredChangeMembers(desired: DesiredResource) {
  const { replaceTriggeredBy: triggers = [] } = desired.lifecycle ?? {};
  return {
    address: desired.address,
    kind: desired.kind,
    project: desired.project,
    sensitive: desired.sensitive ?? [],
    configured: listConfigured(desired),
    source: desired.source,
    ...(triggers.length > 0 && { triggers }),
  };
}

/** The configured fields, in one order, whether their values are known or not. */
function listConfigured({ kind, attributes, deferred }: DesiredResource): readonly string[] {
  if (!deferred) return Object.keys(attributes);
  const names = Object.keys(kindRegistry[kind].fields);
  return names.filter((name) => name in attributes || name in deferred);
}

/**
 * Members of a change by which a field stays recorded as configured while its removal waits for a rebuild: otherwise the next
 * plan would not know that the field is still to fall back.
 */
export function keepWaitingFieldsConfigured(
  desired: DesiredResource,
  { waiting }: Pick<Change, 'waiting'>,
): Partial<Pick<Change, 'configured' | 'waiting'>> {
  if (!waiting) return {};
  const configured = new Set([...listConfigured(desired), ...Object.keys(waiting)]);
  return { waiting, configured: [...configured] };
}

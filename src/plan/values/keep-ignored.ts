import type { DesiredResource } from '../../model/resource.ts';
import type { Attributes, Value } from '../../model/value.ts';

/**
 * The wanted form of a resource that stays: its ignored fields keep their live values. All code that reads the configuration
 * of an existing resource reads this form.
 */
export function keepIgnoredFields(desired: DesiredResource, live: Attributes): DesiredResource {
  const { lifecycle, attributes, deferred } = desired;
  const ignored = new Set(lifecycle?.ignoreChanges);
  if (ignored.size === 0) return desired;
  const omit = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !ignored.has(name)));
  const kept = [...ignored].flatMap((name): [string, Value][] => {
    const value = live[name] ?? null;
    return value === null ? [] : [[name, value]];
  });
  return {
    ...desired,
    attributes: { ...omit(attributes), ...Object.fromEntries(kept) },
    ...(deferred && { deferred: omit(deferred) }),
  };
}

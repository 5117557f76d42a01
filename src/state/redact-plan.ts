// Removal of secrets from a plan file: parts that depend on a sensitive value are taken out of the saved configuration, and
// read from the present configuration again when the plan is applied.
import type { DeferredValue } from '../model/deferred.ts';
import type { DesiredGraph, DesiredResource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { createStalePlanError } from './stale-plan.ts';

const withheld: DeferredValue = { kind: 'value', value: null };

/** Text that replaces a sensitive value in a plan file. */
export const hiddenValuePlaceholder = '(sensitive value)';

/** Replaces the fields of these names by the results of `change`; the other fields stay as they are. */
export function rewriteNamedFields<T>(
  fields: Readonly<Record<string, T>>,
  names: readonly string[],
  change: (name: string) => T,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, names.includes(name) ? change(name) : one]),
  );
}

interface Named {
  readonly name: string;
}

/** The parts of a configuration that may read sensitive values, each rewritten. */
function rewrite(
  graph: DesiredGraph,
  change: <T extends Named>(part: 'outputs' | 'policies' | 'checks', entry: T, blank: () => T) => T,
): DesiredGraph {
  const { outputs, policies, checks } = graph;
  return {
    ...graph,
    ...(outputs && {
      outputs: outputs.map((entry) =>
        entry.sensitive ? change('outputs', entry, () => ({ ...entry, value: withheld })) : entry,
      ),
    }),
    ...(policies && {
      policies: policies.map((entry) =>
        entry.isSensitive ? change('policies', entry, () => blankCondition(entry)) : entry,
      ),
    }),
    ...(checks && {
      checks: checks.map((entry) =>
        entry.isSensitive ? change('checks', entry, () => blankCondition(entry)) : entry,
      ),
    }),
  };
}

function blankCondition<
  T extends { readonly assert: DeferredValue; readonly message?: DeferredValue },
>(entry: T): T {
  return { ...entry, assert: withheld, ...(entry.message && { message: withheld }) };
}

/** Replaces fields of a resource. */
function rewriteResource(
  resource: DesiredResource,
  names: readonly string[],
  attributeOf: (name: string) => Value,
  deferredOf: (name: string) => DeferredValue,
): DesiredResource {
  const { attributes, deferred } = resource;
  return {
    ...resource,
    attributes: rewriteNamedFields(attributes, names, attributeOf),
    ...(deferred && { deferred: rewriteNamedFields(deferred, names, deferredOf) }),
  };
}

/** Removes the values and the expressions of these fields from a resource. */
export function redactResourceFields(
  resource: DesiredResource,
  names: readonly string[] | undefined,
): DesiredResource {
  if (!names) return resource;
  return rewriteResource(
    resource,
    names,
    () => hiddenValuePlaceholder,
    () => withheld,
  );
}

/** Removes every part that depends on a sensitive value from a configuration. */
export function redactConfigurationSecrets(graph: DesiredGraph): DesiredGraph {
  return {
    ...rewrite(graph, (_part, _entry, blank) => blank()),
    resources: graph.resources.map((one) => redactResourceFields(one, one.sensitive)),
  };
}

/**
 * Completes a saved configuration with the sensitive parts of the present one, which were left out of the plan file.
 * @throws DiagnosticError
 */
export function restoreConfigurationSecrets(
  saved: DesiredGraph,
  current: DesiredGraph,
): DesiredGraph {
  const byAddress = new Map(current.resources.map((resource) => [resource.address, resource]));
  const restored = rewrite(saved, (part, entry) => {
    const known: readonly Named[] = current[part] ?? [];
    const found = known.find(({ name }) => name === entry.name);
    return (found as typeof entry | undefined) ?? refuseLost(`${part}.${entry.name}`);
  });
  const resources = saved.resources.map((resource) => {
    const { address, sensitive } = resource;
    if (!sensitive) return resource;
    const found = byAddress.get(address);
    return rewriteResource(
      resource,
      sensitive,
      (name) => found?.attributes[name] ?? refuseLost(`${address}.${name}`),
      (name) => found?.deferred?.[name] ?? refuseLost(`${address}.${name}`),
    );
  });
  return { ...restored, resources };
}

function refuseLost(what: string): never {
  throw createStalePlanError(
    `It depends on a sensitive value in \`${what}\`, which is in no plan file, and the configuration no longer has it.`,
  );
}

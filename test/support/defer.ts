// Fields that read what is only known after apply, put into a configuration that has none: each comes to the value that
// it had, so that whoever applies it ends where the configuration without them would.
import { findDeferredValueFault } from '../../src/plan/values/resolve-fields.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import { getLiveName } from '../../src/model/account/live.ts';
import type { ResourceAddress } from '../../src/model/address.ts';
import type { DeferredValue, DeferredExpression } from '../../src/model/deferred.ts';
import { kindNames } from '../../src/model/kind-places.ts';
import type { DesiredResource } from '../../src/model/resource.ts';
import type { Value } from '../../src/model/value.ts';
import type { World } from './world.ts';

/** Which field of which resource reads which other one, counted through what can be had. */
export type DrawnRead = readonly [reader: number, field: number, read: number];

/** An expression as a configuration has it, which reads these names. */
export function expressionOf(text: string, references: readonly string[]): DeferredExpression {
  const source = { file: 'main.yaml', line: 99, column: 1, endLine: 99, endColumn: 2 };
  return { kind: 'expression', text, isTemplate: false, source, references, names: [], prefix: '' };
}

/** What comes to this value, once the id of that resource is known. */
function readBefore(value: Value, { address }: DesiredResource): DeferredValue {
  const reference = `${address}.id`;
  const text = `${reference} == "" ? ${JSON.stringify(otherThan(value))} : ${JSON.stringify(value)}`;
  return expressionOf(text, [reference]);
}

/** The world with a field of a resource given by an expression. */
export function defer(
  world: World,
  address: ResourceAddress,
  name: string,
  value: DeferredValue,
): World {
  const resources = world.desired.resources.map((one) => {
    if (one.address !== address) return one;
    const attributes = Object.fromEntries(
      Object.entries(one.attributes).filter(([given]) => given !== name),
    );
    return { ...one, attributes, deferred: { ...one.deferred, [name]: value } };
  });
  return { ...world, desired: { ...world.desired, resources } };
}

/** A value of the same type: both sides of a condition have one. */
function otherThan(value: Value): Value {
  if (Array.isArray(value)) return [];
  return typeof value === 'number' ? 0 : '';
}

/** True where another one holds the name or the port by now: nobody can tell that it has to let go of it first. */
function isPassedOn(
  { live, state }: World,
  { address, kind, attributes }: DesiredResource,
  name: string,
) {
  const own = state.resources.get(address)?.id;
  const others = [...live.projects, ...live.resources].filter(
    (one) => one.kind === kind && one.id !== own,
  );
  if (name === 'name') return others.some((one) => getLiveName(one) === attributes.name);
  return others.some((one) => 'publicPort' in one && one.publicPort === attributes.publicPort);
}

/**
 * Only what comes later in one order of all resources reads, and only what comes earlier is read, so that nothing ever
 * needs itself. `turnsProjects`: the later project comes first.
 */
export function readDeferred(
  world: World,
  draws: readonly DrawnRead[],
  turnsProjects: boolean,
): World {
  const projects = [...new Set(world.desired.resources.map(({ project }) => project))];
  const rank = new Map(projects.map((one, at) => [one, turnsProjects ? -at : at]));
  const resources = [...world.desired.resources].sort(
    (a, b) =>
      (rank.get(a.project) ?? 0) - (rank.get(b.project) ?? 0) ||
      kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind),
  );
  for (const [reader, field, read] of draws) {
    const at = reader % Math.max(1, resources.length);
    const desired = resources[at];
    // The random worlds have instances by index and by key under one name, which no configuration has.
    const earlier = resources.slice(0, at).filter(({ address }) => !address.includes('['));
    const other = earlier[read % Math.max(1, earlier.length)];
    if (!desired || !other) continue;
    const names = Object.entries(desired.attributes).flatMap(([name, value]) => {
      const { deferrable } = kindRegistry[desired.kind].fields[name] ?? {};
      const isFitting = deferrable && !findDeferredValueFault(deferrable, name, value);
      return isFitting && !isPassedOn(world, desired, name) ? [name] : [];
    });
    const name = names[field % Math.max(1, names.length)];
    if (name === undefined) continue;
    const { [name]: value = null, ...attributes } = desired.attributes;
    const deferred = { ...desired.deferred, [name]: readBefore(value, other) };
    resources[at] = { ...desired, attributes, deferred };
  }
  return { ...world, desired: { ...world.desired, resources } };
}

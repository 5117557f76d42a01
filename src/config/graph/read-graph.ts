import { NameMatcher } from '../../expressions/notation/match-name.ts';
import { ExpressionError } from '../../expressions/parse/expression-fault.ts';
import { EvaluationBudget } from '../../expressions/values/budget.ts';
import { Unknown } from '../../expressions/values/scope.ts';
import type { Address } from '../../model/address.ts';
import { formatAmount, parseAmount } from '../../model/cost/money.ts';
import { isProject } from '../../model/kind-places.ts';
import type { DesiredGraph, DesiredResource, IgnoredUnmanaged, Budget, Guards } from '../../model/resource.ts';
import type { EmptyGroup } from '../../model/state/projected-state.ts';
import { parseDuration } from '../duration.ts';
import type { Declarations } from '../scope/declarations.ts';
import { countInstances, findEachKind, listInstanceKeys } from '../scope/each.ts';
import { listScopes, type ModuleScope } from '../scope/module-scope.ts';
import { resolveSection } from '../scope/resolve-section.ts';
import { listGroups, type ResourceGroup } from '../scope/resource-group.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';
import { type LocatedNode, mapChildOf, mapEntriesOf } from '../source/located-node.ts';
import { isTrueNode, readNodeText, readNodeTexts, readNodeNumber, readBound } from '../source/read-fields.ts';
import { toSourceRange } from '../source/source-file.ts';
import { checkAddresses } from './check-addresses.ts';
import { readChecks, readOutputs, readPolicies } from './read-conditions.ts';
import { readInstanceOrders } from './read-instance-orders.ts';
import { readImports, readMoves, readRemovals, type ReadAddressEntry } from './read-moves.ts';

/** A project with one field of its block. */
interface ProjectField {
  readonly group: ResourceGroup;
  readonly project: Address;
  readonly node: LocatedNode;
}

/** Lists a field's value in every project that gives one. */
function listProjectFields(all: readonly ResourceGroup[], field: string): readonly ProjectField[] {
  return all.flatMap((group) => {
    if (!isProject(group.kind) || !group.fields.has(field)) return [];
    return listInstanceKeys(group.instances).flatMap((instance): ProjectField[] => {
      const node = group.readField(field, instance);
      if (!node || node instanceof Unknown) return [];
      return [{ group, project: group.addressOf(instance), node }];
    });
  });
}

/** Exclusive projects, in which resources that are not configured are to be deleted. */
function listExclusive(all: readonly ResourceGroup[]): readonly Address[] {
  return listProjectFields(all, 'exclusive').flatMap(({ node, project }) =>
    isTrueNode(node) ? [project] : [],
  );
}

/** Unmanaged resources that `ignoreUnmanaged` keeps out of findings. Invalid patterns are reported. */
function listIgnored(all: readonly ResourceGroup[]): readonly IgnoredUnmanaged[] {
  return listProjectFields(all, 'ignoreUnmanaged').flatMap(({ node, project, group }) => {
    if (node.kind !== 'list') return [];
    for (const item of node.items) checkPattern(item, group);
    const patterns = readNodeTexts(node);
    return patterns.length > 0 ? [{ project, patterns }] : [];
  });
}

function checkPattern(item: LocatedNode, { address, space }: ResourceGroup): void {
  try {
    new NameMatcher([readNodeText(item) ?? ''], new EvaluationBudget()).matches('-');
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message: summary, hint } = error;
    space.session.faults.add({ code, summary, hint, address, place: item });
  }
}

/** The value that an expression reads of a block without instances. */
const emptyValues = { count: 'list', forEach: 'map', none: 'null' } as const;

/** Blocks without a resource, since they are repeated no times or not enabled. */
function listEmptyGroups(
  scopes: readonly ModuleScope[],
  groups: readonly ResourceGroup[],
): readonly EmptyGroup[] {
  const modules = scopes.flatMap((scope) =>
    [...scope.modules.values()].map(({ key, instances, entry }) => ({
      address: `${scope.prefix}modules.${key}`,
      eachKind: findEachKind(entry.value),
      instances,
    })),
  );
  return [...groups, ...modules].flatMap(({ address, eachKind, instances }): EmptyGroup[] =>
    instances.kind !== 'unknown' && countInstances(instances) === 0
      ? [{ address, reads: emptyValues[eachKind] }]
      : [],
  );
}

/** Blocks with an unknown number of instances, and modules that could not be read. */
function listUncertain(
  scopes: readonly ModuleScope[],
  all: readonly ResourceGroup[],
): ReadonlySet<Address> {
  const modules = scopes.flatMap(({ modules, prefix }) =>
    [...modules.values()].map(({ instances, key, isRead }) => {
      return { instances, isRead, address: `${prefix}modules.${key}` };
    }),
  );
  const uncertain = [
    ...all.filter(({ instances }) => instances.kind === 'unknown'),
    ...modules.filter(({ instances, isRead }) => instances.kind === 'unknown' || !isRead),
  ];
  return new Set(uncertain.map(({ address }) => address));
}

function pick<T>(entries: readonly ReadAddressEntry<T>[]): readonly T[] {
  return entries.map(({ entry }) => entry);
}

/** Leaves out empty lists of an object. */
function withoutEmpty<T extends Readonly<Record<string, readonly unknown[]>>>(
  lists: T,
): Partial<T> {
  return Object.fromEntries(
    Object.entries(lists).filter(([, list]) => list.length > 0),
  ) as Partial<T>;
}

/** Reads the desired graph of a configuration: its resources, entries about addresses, conditions and outputs. */
export function readGraph(
  scope: ModuleScope,
  declarations: Declarations,
  isWhole: boolean,
): DesiredGraph {
  const resources: readonly DesiredResource[] = declarations.all.map(({ resource }) => resource);
  const scopes = listScopes(scope);
  const moved = scopes.flatMap(readMoves);
  const imports = scopes.flatMap(readImports);
  const removed = scopes.flatMap(readRemovals);
  const all = scopes.flatMap(({ collections }) => listGroups(collections));
  const exclusive = listExclusive(all);
  const ignored = listIgnored(all);
  const guards = readGuards(scope);
  const budget = readBudget(scope);
  const emptyGroups = listEmptyGroups(scopes, all);
  // After a file that could not be read, an address may seem missing that the file configures.
  if (isWhole) {
    const modules = scopes.flatMap(({ prefix }) => prefix.slice(0, -1) || []);
    const configured = { declarations, modules, uncertain: listUncertain(scopes, all) };
    checkAddresses({ moved, imports, removed }, configured, scope.session.faults);
  }
  const lists = {
    moved: pick(moved),
    imports: pick(imports),
    removed: pick(removed),
    exclusive,
    ignored,
    policies: readPolicies(scope),
    checks: readChecks(scope),
    outputs: readOutputs(scope),
    emptyGroups,
    instanceOrders: readInstanceOrders(scope),
    unprotected: declarations.unprotected,
  };
  return {
    resources,
    ...withoutEmpty(lists),
    ...(guards && { guards }),
    ...(budget && { budget }),
  };
}

/** Reads `budget`; undefined when there is none, or when a part of it was reported. */
function readBudget(space: ModuleExpressionContext): Budget | undefined {
  const entry = space.source.tree.entries.get('budget');
  const node = resolveSection('budget', space);
  const amount = parseAmount(String(readNodeNumber(mapChildOf(node, 'monthly'))));
  const currency = readNodeText(mapChildOf(node, 'currency'));
  if (!entry || amount === undefined || currency === undefined) return undefined;
  const severity = readNodeText(mapChildOf(node, 'severity')) === 'warn' ? 'warn' : 'deny';
  return {
    monthly: formatAmount(amount),
    currency: currency.toUpperCase(),
    severity,
    // The line to change is that of the amount.
    source: toSourceRange(mapChildOf(entry.value, 'monthly') ?? entry.key),
  };
}

/** Reads `guards`; undefined when nothing is guarded. */
function readGuards(space: ModuleExpressionContext): Guards | undefined {
  const entry = space.source.tree.entries.get('guards');
  const node = resolveSection('guards', space);
  if (!entry || mapEntriesOf(node).size === 0) return undefined;
  const maxDeletes = readBound(mapChildOf(node, 'maxDeletes'));
  const minResources = readNodeNumber(mapChildOf(node, 'minResources'));
  const downtime = readNodeText(mapChildOf(node, 'downtime')) ?? '';
  const maxDowntimeMs = downtime === 'deny' ? 0 : parseDuration(downtime);
  const dataLoss = readNodeText(mapChildOf(node, 'dataLoss'));
  return {
    ...(maxDeletes && { maxDeletes }),
    ...(minResources !== undefined && { minResources }),
    ...((dataLoss === 'warn' || dataLoss === 'deny') && { dataLoss }),
    ...(maxDowntimeMs !== undefined && { maxDowntimeMs }),
    source: toSourceRange(entry.key),
  };
}

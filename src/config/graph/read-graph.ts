import { NamePatternMatcher } from '../../expressions/notation/match-name.ts';
import { ExpressionError } from '../../expressions/parse/expression-fault.ts';
import { EvaluationBudget } from '../../expressions/values/budget.ts';
import { Unknown } from '../../expressions/values/scope.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { formatPriceAmount, parsePriceAmount } from '../../model/cost/money.ts';
import { isProject } from '../../model/kind-places.ts';
import type {
  DesiredGraph,
  DesiredResource,
  IgnoreUnmanagedRule,
  CostBudget,
  PlanLossGuards,
} from '../../model/resource.ts';
import type { EmptyBlockValue } from '../../model/state/projected-state.ts';
import { parseDuration } from '../duration.ts';
import type { ResourceDeclarations } from '../scope/declarations.ts';
import { countInstances, findBlockRepetition, listInstanceKeys } from '../scope/each.ts';
import { listModuleScopes, type ModuleScope } from '../scope/module-scope.ts';
import { evaluateYamlSection } from '../scope/resolve-section.ts';
import { listAllResourceGroups, type ResourceGroup } from '../scope/resource-group.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';
import {
  type LocatedYamlNode,
  findYamlMapChild,
  listYamlMapEntries,
} from '../source/located-node.ts';
import {
  isTrueNode,
  readNodeText,
  readNodeTexts,
  readNodeNumber,
  readNumberOrPercentage,
} from '../source/read-fields.ts';
import { toSourceRange } from '../source/source-file.ts';
import { checkEntryAddresses } from './check-addresses.ts';
import { readChecks, readOutputs, readPolicies } from './read-conditions.ts';
import { readModuleInstanceOrders } from './read-instance-orders.ts';
import { readImports, readMoves, readRemovals, type LocatedAddressEntry } from './read-moves.ts';

/** A project with one field of its block. */
interface ProjectField {
  readonly group: ResourceGroup;
  readonly project: ResourceAddress;
  readonly node: LocatedYamlNode;
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
function listExclusive(all: readonly ResourceGroup[]): readonly ResourceAddress[] {
  return listProjectFields(all, 'exclusive').flatMap(({ node, project }) =>
    isTrueNode(node) ? [project] : [],
  );
}

/** Unmanaged resources that `ignoreUnmanaged` keeps out of findings. Invalid patterns are reported. */
function listIgnored(all: readonly ResourceGroup[]): readonly IgnoreUnmanagedRule[] {
  return listProjectFields(all, 'ignoreUnmanaged').flatMap(({ node, project, group }) => {
    if (node.kind !== 'list') return [];
    for (const item of node.items) checkPattern(item, group);
    const patterns = readNodeTexts(node);
    return patterns.length > 0 ? [{ project, patterns }] : [];
  });
}

function checkPattern(item: LocatedYamlNode, { address, space }: ResourceGroup): void {
  try {
    new NamePatternMatcher([readNodeText(item) ?? ''], new EvaluationBudget()).matches('-');
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
): readonly EmptyBlockValue[] {
  const modules = scopes.flatMap((scope) =>
    [...scope.modules.values()].map(({ key, instances, entry }) => ({
      address: `${scope.prefix}modules.${key}`,
      eachKind: findBlockRepetition(entry.value),
      instances,
    })),
  );
  return [...groups, ...modules].flatMap(({ address, eachKind, instances }): EmptyBlockValue[] =>
    instances.kind !== 'unknown' && countInstances(instances) === 0
      ? [{ address, reads: emptyValues[eachKind] }]
      : [],
  );
}

/** Blocks with an unknown number of instances, and modules that could not be read. */
function listUncertain(
  scopes: readonly ModuleScope[],
  all: readonly ResourceGroup[],
): ReadonlySet<ResourceAddress> {
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

function pick<T>(entries: readonly LocatedAddressEntry<T>[]): readonly T[] {
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
export function readDesiredGraph(
  scope: ModuleScope,
  declarations: ResourceDeclarations,
  isWhole: boolean,
): DesiredGraph {
  const resources: readonly DesiredResource[] = declarations.all.map(({ resource }) => resource);
  const scopes = listModuleScopes(scope);
  const moved = scopes.flatMap(readMoves);
  const imports = scopes.flatMap(readImports);
  const removed = scopes.flatMap(readRemovals);
  const all = scopes.flatMap(({ collections }) => listAllResourceGroups(collections));
  const exclusive = listExclusive(all);
  const ignored = listIgnored(all);
  const guards = readGuards(scope);
  const budget = readBudget(scope);
  const emptyGroups = listEmptyGroups(scopes, all);
  // After a file that could not be read, an address may seem missing that the file configures.
  if (isWhole) {
    const modules = scopes.flatMap(({ prefix }) => prefix.slice(0, -1) || []);
    const configured = { declarations, modules, uncertain: listUncertain(scopes, all) };
    checkEntryAddresses({ moved, imports, removed }, configured, scope.session.faults);
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
    instanceOrders: readModuleInstanceOrders(scope),
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
function readBudget(space: ModuleExpressionContext): CostBudget | undefined {
  const entry = space.source.tree.entries.get('budget');
  const node = evaluateYamlSection('budget', space);
  const amount = parsePriceAmount(String(readNodeNumber(findYamlMapChild(node, 'monthly'))));
  const currency = readNodeText(findYamlMapChild(node, 'currency'));
  if (!entry || amount === undefined || currency === undefined) return undefined;
  const severity = readNodeText(findYamlMapChild(node, 'severity')) === 'warn' ? 'warn' : 'deny';
  return {
    monthly: formatPriceAmount(amount),
    currency: currency.toUpperCase(),
    severity,
    // The amount is what a person changes to mend an exceeded budget, so messages show its line.
    source: toSourceRange(findYamlMapChild(entry.value, 'monthly') ?? entry.key),
  };
}

/** Reads `guards`; undefined when nothing is guarded. */
function readGuards(space: ModuleExpressionContext): PlanLossGuards | undefined {
  const entry = space.source.tree.entries.get('guards');
  const node = evaluateYamlSection('guards', space);
  if (!entry || listYamlMapEntries(node).size === 0) return undefined;
  const maxDeletes = readNumberOrPercentage(findYamlMapChild(node, 'maxDeletes'));
  const minResources = readNodeNumber(findYamlMapChild(node, 'minResources'));
  const downtime = readNodeText(findYamlMapChild(node, 'downtime')) ?? '';
  const maxDowntimeMs = downtime === 'deny' ? 0 : parseDuration(downtime);
  const dataLoss = readNodeText(findYamlMapChild(node, 'dataLoss'));
  return {
    ...(maxDeletes && { maxDeletes }),
    ...(minResources !== undefined && { minResources }),
    ...((dataLoss === 'warn' || dataLoss === 'deny') && { dataLoss }),
    ...(maxDowntimeMs !== undefined && { maxDowntimeMs }),
    source: toSourceRange(entry.key),
  };
}

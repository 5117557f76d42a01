import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import type { KnownResource } from '../../model/deferred.ts';
import { kindPlaces, listDirectChildKinds } from '../../model/kind-places.ts';
import type { EmptyBlockValue } from '../../model/state/projected-state.ts';
import type { EvaluationBudget } from '../values/budget.ts';
import type { DeferredScope } from './evaluate-deferred.ts';
import { makeProjectNames, type NamedResource } from './name-trie.ts';
import { NameTree, Unknown, type ScopeValue } from '../values/scope.ts';

/** Names of the collections in a project or a public IP: empty ones are names, too. */
function listHeld(address: ResourceAddress): readonly string[] {
  const kind = parseResourceAddress(address)?.kind;
  return kind ? listDirectChildKinds(kind).map((one) => kindPlaces[one].collection) : [];
}

/** Attributes of a resource as expressions read them: null for an absent one, unknown for one that is known after apply. */
function valuesOf(
  address: ResourceAddress,
  known: KnownResource | undefined,
): Record<string, ScopeValue> {
  if (!known) return {};
  const { names, values, unknown } = known;
  const held = listHeld(address).map((name) => [name, NameTree.of(name, {})] as const);
  const own = names.map((name) => {
    const isUnknown = unknown.includes(name);
    return [name, isUnknown ? new Unknown(`${address}.${name}`) : (values[name] ?? null)] as const;
  });
  return Object.fromEntries<ScopeValue>([...held, ...own]);
}

/** Options of a scope of deferred expressions, while a plan is made or carried out. */
interface DeferredScopeOptions {
  /** Resources with `count: 0` or an empty `forEach`: they read as empty lists and maps, and not as unknown names. */
  readonly emptyGroups?: readonly EmptyBlockValue[];
  /** Called for each attribute that an expression reads. */
  readonly onRead?: (address: ResourceAddress, name: string) => void;
  /** Budget of all evaluations in this scope together; no bound unless given. */
  readonly steps?: EvaluationBudget | undefined;
}

/**
 * Makes the scope in which deferred expressions are evaluated. A resource is looked up when one of its attributes is
 * read, so that the same scope serves while a plan is made or carried out.
 */
export function makeDeferredScope(
  addresses: Iterable<ResourceAddress>,
  read: (address: ResourceAddress) => KnownResource | undefined,
  { emptyGroups = [], onRead, steps }: DeferredScopeOptions = {},
): DeferredScope {
  let groups: ReadonlyMap<string, NamedResource[]> | undefined;
  const made = new Map<string, NameTree>();
  return {
    steps,
    projectsOf(prefix) {
      groups ??= groupByPrefix(addresses, read, onRead);
      let names = made.get(prefix);
      if (!names) {
        names = makeProjectNames(groups.get(prefix) ?? [], prefix, emptyGroups);
        made.set(prefix, names);
      }
      return names;
    },
  };
}

function groupByPrefix(
  addresses: Iterable<ResourceAddress>,
  read: (address: ResourceAddress) => KnownResource | undefined,
  onRead: DeferredScopeOptions['onRead'],
): ReadonlyMap<string, NamedResource[]> {
  const groups = new Map<string, NamedResource[]>();
  for (const address of addresses) {
    const module = parseResourceAddress(address)?.module;
    const prefix = module === undefined ? '' : `${module}.`;
    const group = groups.get(prefix) ?? [];
    groups.set(prefix, group);
    group.push({
      address,
      get values() {
        return valuesOf(address, read(address));
      },
      ...(onRead && { onRead: (name: string) => onRead(address, name) }),
    });
  }
  return groups;
}

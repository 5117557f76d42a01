import { readAttributes } from '../../kinds/read-attributes.ts';
import { nameEntries } from '../../kinds/entry-names.ts';
import { accountName } from '../../config/tests/test-file.ts';
import { kinds } from '../../kinds/registry.ts';
import { completeAttributes, listAttributes } from '../../kinds/attribute-names.ts';
import type { LiveIdTranslator } from '../../kinds/names.ts';
import { broughtIdOf } from '../../kinds/relations/brought.ts';
import { NameTrie, readEmptyGroup, splitAddress } from '../../expressions/deferred/name-trie.ts';
import { NameTree, type ScopeValue } from '../../expressions/values/scope.ts';
import { parseAddress, singleKinds, topKinds, type Address } from '../../model/address.ts';
import {
  nameOf,
  statusOf,
  type LiveResource,
  type LiveSnapshot,
} from '../../model/account/live.ts';
import { kindPlaces, listHeldKinds } from '../../model/kind-places.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { EmptyGroup } from '../../model/state/projected-state.ts';
import type { ResourcesByAddress } from './work-in-console.ts';
import type { OnSensitiveRead } from './view-plan.ts';

/** Resources from which assertions see the account. */
export interface AccountSource {
  /** All live resources of the account, managed or not. */
  readonly live: LiveSnapshot;
  /** Managed resources by address, kept when they are deleted so that assertions can name them. */
  readonly known: ResourcesByAddress;
  /** Blocks of the configuration with no instances, which assertions see as empty. */
  readonly emptyGroups: readonly EmptyGroup[];
  /** Tells whether a resource exists in every account, so that no test creates it. */
  isOwn(live: LiveResource): boolean;
}

/** The account as assertions read it: resources with an address by that, and all resources as a list. */
export function viewTestedAccount(source: AccountSource, onSensitive: OnSensitiveRead): NameTree {
  const { live, known, emptyGroups } = source;
  const all = [...live.projects, ...live.resources];
  const byId = new Map(all.map((one) => [one.id, one]));
  const addresses = new Map([...known].map(([address, { id }]) => [id, address]));
  const trie = new NameTrie();
  for (const group of emptyGroups) trie.put(splitAddress(group.address), readEmptyGroup(group));
  for (const [address, { id }] of known) {
    const found = byId.get(id);
    if (found) {
      const names = namesFor(address, found, source, addresses);
      trie.put(splitAddress(address), viewResource(found, known.get(address), names, onSensitive));
    }
  }
  const tree = trie.toTree(accountName);
  const empty = [...topKinds.keys(), ...singleKinds.keys(), 'modules'];
  const made = all.filter((one) => !source.isOwn(one));
  const resources = made.map((one) => viewListed(one, addresses.get(one.id), byId));
  const quotas = Object.fromEntries(
    Object.entries(live.limits.quotas).map(([name, quota]) => [name, { ...quota }]),
  );
  const others: Readonly<Record<string, ScopeValue>> = {
    ...Object.fromEntries(empty.map((name) => [name, NameTree.of(name, {})])),
    resources,
    quotas,
  };
  return new NameTree(
    accountName,
    () => [...new Set([...tree.keys(), ...Object.keys(others)])],
    (name) => tree.get(name) ?? (Object.hasOwn(others, name) ? others[name] : undefined),
  );
}

/** A resource by its address: its attributes as configured, its status, and its collections. */
function viewResource(
  live: LiveResource,
  managed: ManagedResource | undefined,
  names: LiveIdTranslator,
  onSensitive: OnSensitiveRead,
): NameTree {
  const { kind } = live;
  const read = readAttributes(live, names, managed?.attributes);
  const values = completeAttributes(kind, nameEntries(kind, read, names.catalog));
  const held = listHeldKinds(kind).map((one) => kindPlaces[one].collection);
  const own: Readonly<Record<string, ScopeValue>> = {
    ...Object.fromEntries(held.map((name) => [name, NameTree.of(name, {})])),
    ...Object.fromEntries(listAttributes(kind).map((name) => [name, values[name] ?? null])),
    status: statusOf(live) ?? null,
  };
  return new NameTree(
    managed?.address ?? '',
    () => Object.keys(own),
    (name) => {
      if (managed?.sensitive?.includes(name)) onSensitive();
      return Object.hasOwn(own, name) ? own[name] : undefined;
    },
  );
}

/** Live ids as keys of the configuration, as the resource at an address would name them. */
function namesFor(
  address: Address,
  live: LiveResource,
  { live: { catalog }, known }: AccountSource,
  addresses: ReadonlyMap<string, Address>,
): LiveIdTranslator {
  const { brings } = kinds[live.kind].traits;
  const brought = broughtIdOf(known.get(address), live);
  const project = parseAddress(address)?.project;
  return {
    catalog,
    localKey(kind, id) {
      if (kind === brings?.kind && id === brought) return brings.key;
      const parsed = parseAddress(addresses.get(id) ?? '');
      return parsed?.kind === kind && parsed.project === project ? parsed.local : undefined;
    },
  };
}

/** Describes a live resource in the list that assertions read. */
function viewListed(
  live: LiveResource,
  address: Address | undefined,
  byId: ReadonlyMap<string, LiveResource>,
): NameTree {
  const { kind, id, projectId } = live;
  const project = byId.get(projectId);
  const name = nameOf(live) ?? null;
  return NameTree.of(`${kinds[kind].label} ${address ?? name ?? id}`, {
    kind,
    id,
    name,
    project: project ? (nameOf(project) ?? null) : null,
    address: address ?? null,
    status: statusOf(live) ?? null,
  });
}

import { readAttributes } from '../../kinds/read-attributes.ts';
import { replaceEntryIdsByNames } from '../../kinds/entry-names.ts';
import { testAccountName } from '../../config/tests/test-file.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { completeAttributes, listAttributes } from '../../kinds/attribute-names.ts';
import type { LiveIdTranslator } from '../../kinds/names.ts';
import { findCompanionResourceId } from '../../kinds/relations/brought.ts';
import {
  NameTrie,
  readEmptyBlockValue,
  splitResourceAddress,
} from '../../expressions/deferred/name-trie.ts';
import { NameTree, type ScopeValue } from '../../expressions/values/scope.ts';
import {
  parseResourceAddress,
  singletonKindsByCollection,
  topLevelKindsByCollection,
  type ResourceAddress,
} from '../../model/address.ts';
import {
  getLiveName,
  getLiveStatus,
  type LiveResource,
  type LiveSnapshot,
} from '../../model/account/live.ts';
import { kindPlaces, listDirectChildKinds } from '../../model/kind-places.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { EmptyBlockValue } from '../../model/state/projected-state.ts';
import type { ResourcesByAddress } from './work-in-console.ts';
import type { OnSensitiveRead } from './view-plan.ts';

/** Resources from which assertions see the account. */
export interface AccountResourcesForAssertions {
  /** All live resources of the account, managed or not. */
  readonly live: LiveSnapshot;
  /** Managed resources by address, kept when they are deleted so that assertions can name them. */
  readonly known: ResourcesByAddress;
  /** Blocks of the configuration with no instances, which assertions see as empty. */
  readonly emptyGroups: readonly EmptyBlockValue[];
  /** Tells whether a resource exists in every account, so that no test creates it. */
  isOwn(live: LiveResource): boolean;
}

/**
 * Describes the sandbox account for assertions: each resource that has an address under that address, and all resources as a
 * list.
 */
export function viewTestedAccount(
  source: AccountResourcesForAssertions,
  onSensitive: OnSensitiveRead,
): NameTree {
  const { live, known, emptyGroups } = source;
  const all = [...live.projects, ...live.resources];
  const byId = new Map(all.map((one) => [one.id, one]));
  const addresses = new Map([...known].map(([address, { id }]) => [id, address]));
  const trie = new NameTrie();
  for (const group of emptyGroups)
    trie.put(splitResourceAddress(group.address), readEmptyBlockValue(group));
  for (const [address, { id }] of known) {
    const found = byId.get(id);
    if (found) {
      const names = namesFor(address, found, source, addresses);
      trie.put(
        splitResourceAddress(address),
        viewResource(found, known.get(address), names, onSensitive),
      );
    }
  }
  const tree = trie.toTree(testAccountName);
  const empty = [
    ...topLevelKindsByCollection.keys(),
    ...singletonKindsByCollection.keys(),
    'modules',
  ];
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
    testAccountName,
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
  const values = completeAttributes(kind, replaceEntryIdsByNames(kind, read, names.catalog));
  const held = listDirectChildKinds(kind).map((one) => kindPlaces[one].collection);
  const own: Readonly<Record<string, ScopeValue>> = {
    ...Object.fromEntries(held.map((name) => [name, NameTree.of(name, {})])),
    ...Object.fromEntries(listAttributes(kind).map((name) => [name, values[name] ?? null])),
    status: getLiveStatus(live) ?? null,
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
  address: ResourceAddress,
  live: LiveResource,
  { live: { catalog }, known }: AccountResourcesForAssertions,
  addresses: ReadonlyMap<string, ResourceAddress>,
): LiveIdTranslator {
  const { brings } = kindRegistry[live.kind].traits;
  const brought = findCompanionResourceId(known.get(address), live);
  const project = parseResourceAddress(address)?.project;
  return {
    catalog,
    localKey(kind, id) {
      if (kind === brings?.kind && id === brought) return brings.key;
      const parsed = parseResourceAddress(addresses.get(id) ?? '');
      return parsed?.kind === kind && parsed.project === project ? parsed.local : undefined;
    },
  };
}

/** Describes a live resource in the list that assertions read. */
function viewListed(
  live: LiveResource,
  address: ResourceAddress | undefined,
  byId: ReadonlyMap<string, LiveResource>,
): NameTree {
  const { kind, id, projectId } = live;
  const project = byId.get(projectId);
  const name = getLiveName(live) ?? null;
  return NameTree.of(`${kindRegistry[kind].label} ${address ?? name ?? id}`, {
    kind,
    id,
    name,
    project: project ? (getLiveName(project) ?? null) : null,
    address: address ?? null,
    status: getLiveStatus(live) ?? null,
  });
}

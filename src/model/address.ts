// Addresses: the path of a resource in the YAML, and the one name for it in messages, flags, plans and the state.
// Pure text in, pure text out; what an address points at is not known here.
import {
  isKindOutsideProjects,
  isProject,
  kindNames,
  kindPlaces,
  listDirectChildKinds,
  type KindName,
} from './kind-places.ts';
import { projectKind } from './kind-table.ts';

/** The path of a resource in the configuration, e.g. `projects.shop.vms.web[0]`. */
export type ResourceAddress = string;

/** The key of one instance among several: its index (`count`) or its key (`forEach`). */
export type InstanceKey = number | string;

function byCollection(kinds: readonly KindName[]): ReadonlyMap<string, KindName> {
  return new Map(kinds.map((kind) => [kindPlaces[kind].collection, kind]));
}

/** The kinds of the collections of a project, as the YAML calls them. */
export const projectKindsByCollection = byCollection(listDirectChildKinds(projectKind));
/** Other kinds, by their collections within a project or a public IP. */
const nestedKinds = [...projectKindsByCollection.values()].flatMap(listDirectChildKinds);
/** The kinds of which there is one in every account, as the YAML calls them. */
export const singletonKindsByCollection = byCollection(
  kindNames.filter((kind) => kindPlaces[kind].isSingle),
);
/** Kinds with a collection at the top of the YAML, but for those with a single resource. */
export const topLevelKindsByCollection = byCollection(
  kindNames.filter((kind) => isKindOutsideProjects(kind) && !kindPlaces[kind].isSingle),
);

/** The address of the account's settings, and the project of all resources outside of projects. */
export const accountAddress: ResourceAddress = kindPlaces.account.collection;

/** A string as JSON, in which form addresses have keys in brackets. */
const quoted = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"`;
const instance = String.raw`\[(?:\d+|${quoted})\]`;
const instancePattern = new RegExp(`${instance}$`);

/** `web`, `web[0]` or `web["a"]`: how a resource is called within its collection. */
export function formatResourceKey(key: string, instance?: InstanceKey): string {
  if (instance === undefined) return key;
  return typeof instance === 'number'
    ? `${key}[${instance}]`
    : `${key}[${JSON.stringify(instance)}]`;
}

/** The address without its own instance: `projects.shop.vms.web` of `projects.shop.vms.web[0]`, and itself of others. */
export function removeInstanceKey(address: ResourceAddress): ResourceAddress {
  return address.replace(instancePattern, '');
}

/** Stands for every instance in an address on the command line: `projects.shop.vms.web[*]`. */
const everyInstance = '[*]';

/** The addresses that one with `[*]` in it means, in their natural order; undefined where it has none in it. */
export function findInstanceAddresses(
  written: string,
  addresses: Iterable<ResourceAddress>,
): readonly ResourceAddress[] | undefined {
  if (!written.includes(everyInstance)) return undefined;
  const parts = written.split(everyInstance).map((part) => part.replace(/[^\w]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join(instance)}$`);
  return [...addresses].filter((address) => pattern.test(address)).sort(compareResourceAddresses);
}

/** The address of a resource's block; its own for an unmanaged one, which has no block. */
export function findBlockAddress(address: ResourceAddress): ResourceAddress {
  const base = removeInstanceKey(address);
  return base.endsWith(`.${unconfiguredMark}`) ? address : base;
}

/**
 * The address of a resource at the top of the YAML: a project, a token. `prefix` is the path to its module, with a dot behind
 * it, or empty.
 */
export function makeTopLevelAddress(kind: KindName, key: string, prefix = ''): ResourceAddress {
  return `${prefix}${kindPlaces[kind].collection}.${key}`;
}

/** The address of a resource below its parent: `projects.shop` + `vm` + `web[0]`. */
export function makeChildAddress(
  parent: ResourceAddress,
  kind: KindName,
  key: string,
): ResourceAddress {
  return `${parent}.${kindPlaces[kind].collection}.${key}`;
}

/** Key in the address of an unmanaged resource. The configuration allows no such key. */
const unconfiguredMark = '(outside)';

/** Makes the address of an unmanaged resource from its id. */
export function makeUnmanagedAddress(
  parent: ResourceAddress,
  kind: KindName,
  id: string,
): ResourceAddress {
  return makeChildAddress(parent, kind, formatResourceKey(unconfiguredMark, id));
}

/** Tells whether an address is that of an unmanaged resource, made of this id. */
export function isUnmanagedAddress(address: ResourceAddress, id: string): boolean {
  return address.endsWith(`.${formatResourceKey(unconfiguredMark, id)}`);
}

const deposedPattern = / \(deposed object ([^()]+)\)$/;

/** The address of a replaced resource that is still to be destroyed. Several may have had one address, so it contains the id. */
export function makeDeposedAddress(address: ResourceAddress, id: string): ResourceAddress {
  return `${address} (deposed object ${id})`;
}

/** The address that a deposed object stood under, and its id; undefined for any other address. */
export function parseDeposedAddress(
  address: ResourceAddress,
): { readonly base: ResourceAddress; readonly id: string } | undefined {
  const match = deposedPattern.exec(address);
  const id = match?.[1];
  return match && id !== undefined ? { base: address.slice(0, match.index), id } : undefined;
}

/**
 * Tells whether an address is `name` itself, one of its instances, an address below it, or that of a deposed resource of any of
 * these.
 */
export function isAtOrBelowAddress(address: ResourceAddress, name: ResourceAddress): boolean {
  if (!address.startsWith(name)) return false;
  const rest = address.slice(name.length);
  return rest === '' || /^[.[]/.test(rest) || deposedPattern.exec(rest)?.index === 0;
}

/** An address split into its parts. */
export interface ParsedResourceAddress {
  readonly kind: KindName;
  /** The address of the project that holds the resource; itself for a project, `account` where it belongs to none. */
  readonly project: ResourceAddress;
  /** The address one level up: the project, or a port forward's public IP; undefined outside of projects. */
  readonly parent: ResourceAddress | undefined;
  /** Name of the resource within its collection: `web[0]`. */
  readonly local: string;
  /** The path of its modules: `modules.shopEu["eu"]`; absent outside of modules. */
  readonly module?: ResourceAddress;
}

const keyPattern = String.raw`[A-Za-z_][A-Za-z0-9_-]*(?:${instance})?`;
const localPattern = String.raw`(?:${keyPattern}|\(outside\)${instance})`;
const oneOf = (collections: Iterable<string>): string => `(${[...collections].join('|')})`;
const nestedCollections = nestedKinds.map((kind) => kindPlaces[kind].collection);
const addressPattern = new RegExp(
  [
    String.raw`^((?:modules\.${keyPattern}\.)*)${oneOf(topLevelKindsByCollection.keys())}\.(${keyPattern})`,
    String.raw`(?:\.${oneOf(projectKindsByCollection.keys())}\.(${localPattern})`,
    String.raw`(?:\.${oneOf(nestedCollections)}\.(${localPattern}))?)?$`,
  ].join(''),
);
const modulePattern = new RegExp(`^modules\\.${keyPattern}(?:\\.modules\\.${keyPattern})*$`);

/** Tells whether a text is the address of a module, or of all its instances: `modules.shopEu`, `modules.shopEu["eu"]`. */
export function isModuleAddress(text: string): boolean {
  return modulePattern.test(text);
}

const segmentPattern = new RegExp(`[A-Za-z]+\\.${localPattern}`, 'g');

/** Addresses of the containers of a resource, modules included, the outermost first, and last its own address. */
export function listEnclosingAddresses(address: ResourceAddress): readonly ResourceAddress[] {
  return [...address.matchAll(segmentPattern)].map((segment) =>
    address.slice(0, segment.index + segment[0].length),
  );
}

/** Takes an address apart; undefined when the text is not the address of a resource. */
export function parseResourceAddress(text: string): ParsedResourceAddress | undefined {
  const deposed = parseDeposedAddress(text);
  if (!deposed) return parseCurrent(text);
  const parsed = parseCurrent(deposed.base);
  // The local key of a deposed resource tells it from its replacement, so that references lead to the right one.
  return parsed && { ...parsed, local: makeDeposedAddress(parsed.local, deposed.id) };
}

function parseCurrent(text: string): ParsedResourceAddress | undefined {
  const single = singletonKindsByCollection.get(text);
  if (single) return { kind: single, project: accountAddress, parent: undefined, local: text };
  const [, modules = '', top = '', key, collection, local, below, localBelow] =
    addressPattern.exec(text) ?? [];
  const topKind = topLevelKindsByCollection.get(top);
  if (!topKind || key === undefined) return undefined;
  const inModule = modules === '' ? {} : { module: modules.slice(0, -1) };
  if (collection === undefined || local === undefined) {
    const project = isProject(topKind) ? text : accountAddress;
    return { kind: topKind, project, parent: undefined, local: key, ...inModule };
  }
  const kind = projectKindsByCollection.get(collection);
  if (!isProject(topKind) || !kind) return undefined;
  const project = `${modules}${top}.${key}`;
  if (localBelow === undefined) return { kind, project, parent: project, local, ...inModule };
  const nested = listDirectChildKinds(kind).find((one) => kindPlaces[one].collection === below);
  const parent = `${project}.${collection}.${local}`;
  return nested && { kind: nested, project, parent, local: localBelow, ...inModule };
}

const sortKeys = new Map<ResourceAddress, string>();

/** Digits padded, so that `web[10]` sorts behind `web[9]`; `.` and `[` before letters, so that a parent comes first. */
function sortKey(address: ResourceAddress): string {
  let key = sortKeys.get(address);
  if (key === undefined) {
    key = address.replace(/\d+/g, (digits) => digits.padStart(12, '0')).replace(/[.[]/g, '\u0001');
    if (sortKeys.size > 200_000) sortKeys.clear();
    sortKeys.set(address, key);
  }
  return key;
}

/** Natural order: numbers by value, a parent before its children. The order of every list that people read. */
export function compareResourceAddresses(a: ResourceAddress, b: ResourceAddress): number {
  const left = sortKey(a);
  const right = sortKey(b);
  if (left === right) return a < b ? -1 : a > b ? 1 : 0;
  return left < right ? -1 : 1;
}

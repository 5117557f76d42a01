// Addresses: the path of a resource in the YAML, and the one name for it in messages, flags, plans and the state.
// Pure text in, pure text out; what an address points at is not known here.
import { isOutsideProjects, kindNames, type KindName } from './resource.ts';

/** The path of a resource in the configuration, e.g. `projects.shop.vms.web[0]`. */
export type Address = string;

/** The key of one instance among several: its index (`count`) or its key (`forEach`). */
export type InstanceKey = number | string;

/** Where each kind stands in the YAML. A port forward stands below its public IP. */
export const collections = {
  project: 'projects',
  sshKey: 'sshKeys',
  network: 'networks',
  publicIp: 'publicIps',
  vm: 'vms',
  portForward: 'forwards',
  /** The account itself: there is one, so it has no key. */
  account: 'account',
  accessToken: 'tokens',
} as const satisfies Record<KindName, string>;

/** The kinds of the collections of a project, as the YAML calls them. */
export const kindOfCollection: ReadonlyMap<string, KindName> = new Map(
  kindNames
    .filter((kind) => !isOutsideProjects(kind) && kind !== 'portForward')
    .map((kind) => [collections[kind], kind]),
);

/** The address of the account's settings. It also stands where the project would for all that lies in no project. */
export const accountAddress: Address = 'account';

/** A string as JSON has it: what reads an address takes its keys apart as JSON. */
const quoted = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"`;
const instance = String.raw`\[(?:\d+|${quoted})\]`;
const instancePattern = new RegExp(`${instance}$`);

/** `web`, `web[0]` or `web["a"]`: how a resource is called within its collection. */
export function localKey(key: string, instance?: InstanceKey): string {
  if (instance === undefined) return key;
  return typeof instance === 'number'
    ? `${key}[${instance}]`
    : `${key}[${JSON.stringify(instance)}]`;
}

/** The address without its own instance: `projects.shop.vms.web` of `projects.shop.vms.web[0]`, and itself of others. */
export function baseOf(address: Address): Address {
  return address.replace(instancePattern, '');
}

/** The address of a project. */
export function projectAddress(key: string): Address {
  return `projects.${key}`;
}

/** The address of a resource below its parent: `projects.shop` + `vm` + `web[0]`. */
export function childAddress(parent: Address, kind: KindName, key: string): Address {
  return `${parent}.${collections[kind]}.${key}`;
}

/** Takes the place of a key for what nobody configured. The configuration takes no such key. */
const unconfiguredMark = '(outside)';
/** What it was, which a key can be: it still is in the states of earlier runs. */
const formerMark = '_outside';

/** The address of what nobody configured: it is made of the id. */
export function unconfiguredAddress(parent: Address, kind: KindName, id: string): Address {
  return childAddress(parent, kind, localKey(unconfiguredMark, id));
}

/** True for an address that was made of this id, since nobody had configured it. */
export function isUnconfigured(address: Address, id: string): boolean {
  return [unconfiguredMark, formerMark].some((mark) => address.endsWith(`.${localKey(mark, id)}`));
}

/** The address of an access token; `prefix` is the way into its module, with a dot behind it, or empty. */
export function tokenAddress(prefix: string, key: string): Address {
  return `${prefix}${collections.accessToken}.${key}`;
}

const deposedPattern = / \(deposed object ([^()]+)\)$/;

/**
 * The address of what stood under an address before its replacement was made, and is still to be destroyed. There may
 * be several, so it holds the id.
 */
export function deposedAddress(address: Address, id: string): Address {
  return `${address} (deposed object ${id})`;
}

/** The address that a deposed object stood under, and its id; undefined for any other address. */
export function parseDeposed(
  address: Address,
): { readonly base: Address; readonly id: string } | undefined {
  const match = deposedPattern.exec(address);
  const id = match?.[1];
  return match && id !== undefined ? { base: address.slice(0, match.index), id } : undefined;
}

/** True for an address itself, its instances, what is below it, and what stood under one of these before. */
export function isAtOrBelow(address: Address, name: Address): boolean {
  if (!address.startsWith(name)) return false;
  const rest = address.slice(name.length);
  return rest === '' || /^[.[]/.test(rest) || deposedPattern.exec(rest)?.index === 0;
}

/** An address taken apart. */
export interface ParsedAddress {
  readonly kind: KindName;
  /** The address of the project that holds the resource; itself for a project, `account` where it lies in none. */
  readonly project: Address;
  /** The address one level up: the project, or a port forward's public IP; undefined for what lies in no project. */
  readonly parent: Address | undefined;
  /** The name within the collection: `web[0]`. */
  readonly local: string;
  /** The way through the modules that it stands in: `modules.shopEu["eu"]`; absent outside of modules. */
  readonly module?: Address;
}

const keyPattern = String.raw`[A-Za-z_][A-Za-z0-9_-]*(?:${instance})?`;
const localPattern = String.raw`(?:${keyPattern}|\(outside\)${instance})`;
const addressPattern = new RegExp(
  `^((?:modules\\.${keyPattern}\\.)*)(projects\\.${keyPattern})(?:\\.(sshKeys|networks|publicIps|vms)\\.(${localPattern})(?:\\.forwards\\.(${localPattern}))?)?$`,
);
const tokenPattern = new RegExp(`^((?:modules\\.${keyPattern}\\.)*)tokens\\.(${keyPattern})$`);
const modulePattern = new RegExp(`^modules\\.${keyPattern}(?:\\.modules\\.${keyPattern})*$`);

/** True for the address of a module, or of all instances of one: `modules.shopEu`, `modules.shopEu["eu"]`. */
export function isModuleAddress(text: string): boolean {
  return modulePattern.test(text);
}

const segmentPattern = new RegExp(`[A-Za-z]+\\.${localPattern}`, 'g');

/** The address of a resource and those that it stands below, of modules too: the outermost first. */
export function listSegments(address: Address): readonly Address[] {
  return [...address.matchAll(segmentPattern)].map((segment) =>
    address.slice(0, segment.index + segment[0].length),
  );
}

/** Takes an address apart; undefined when the text is not the address of a resource. */
export function parseAddress(text: string): ParsedAddress | undefined {
  const deposed = parseDeposed(text);
  if (!deposed) return parseCurrent(text);
  const parsed = parseCurrent(deposed.base);
  // The local key tells it from what stands there now, so that a reference leads to the one that is meant.
  return parsed && { ...parsed, local: deposedAddress(parsed.local, deposed.id) };
}

function parseCurrent(text: string): ParsedAddress | undefined {
  if (text === accountAddress) {
    return { kind: 'account', project: accountAddress, parent: undefined, local: accountAddress };
  }
  const [, tokenModules = '', token] = tokenPattern.exec(text) ?? [];
  if (token !== undefined) {
    return {
      kind: 'accessToken',
      project: accountAddress,
      parent: undefined,
      local: token,
      ...(tokenModules !== '' && { module: tokenModules.slice(0, -1) }),
    };
  }
  const match = addressPattern.exec(text);
  const [, modules = '', own, collection, local, forward] = match ?? [];
  if (own === undefined) return undefined;
  const project = modules + own;
  const inModule = modules === '' ? {} : { module: modules.slice(0, -1) };
  if (collection === undefined || local === undefined) {
    return {
      kind: 'project',
      project,
      parent: undefined,
      local: own.slice('projects.'.length),
      ...inModule,
    };
  }
  if (forward !== undefined) {
    if (collection !== 'publicIps') return undefined;
    const parent = `${project}.${collection}.${local}`;
    return { kind: 'portForward', project, parent, local: forward, ...inModule };
  }
  const kind = kindOfCollection.get(collection);
  return kind && { kind, project, parent: project, local, ...inModule };
}

const sortKeys = new Map<Address, string>();

/** Digits padded, so that `web[10]` sorts behind `web[9]`; `.` and `[` before letters, so that a parent comes first. */
function sortKey(address: Address): string {
  let key = sortKeys.get(address);
  if (key === undefined) {
    key = address.replace(/\d+/g, (digits) => digits.padStart(12, '0')).replace(/[.[]/g, '\u0001');
    if (sortKeys.size > 200_000) sortKeys.clear();
    sortKeys.set(address, key);
  }
  return key;
}

/** Natural order: numbers by value, a parent before what it holds. The order of every list that people read. */
export function compareAddresses(a: Address, b: Address): number {
  const left = sortKey(a);
  const right = sortKey(b);
  if (left === right) return a < b ? -1 : a > b ? 1 : 0;
  return left < right ? -1 : 1;
}

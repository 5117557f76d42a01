import type { Budget } from '../../expressions/evaluate/budget.ts';
import { childAddress, type Address } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import {
  nameOf,
  statusOf,
  type LiveResource,
  type LiveSnapshot,
} from '../../model/account/live.ts';
import { addTo } from '../../model/group-by.ts';
import {
  isOutsideProjects,
  kindNames,
  type DesiredGraph,
  type DesiredResource,
  type ImportEntry,
} from '../../model/resource.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { textOf } from '../../model/value.ts';
import { toOneLine } from '../../model/text/unsafe-text.ts';
import { parseKnown } from '../account-index.ts';
import { findBroughtAddress } from '../../kinds/public-ip/allocated-ip.ts';
import { readAdopted } from './read-adopted.ts';
import { sortByReads } from '../deferred/read-order.ts';
import { resolveDeferred } from '../deferred/resolve-deferred.ts';
import { describeElsewhere, describeImport, listIds } from './import-findings.ts';

/** What is to be adopted: the entries of the configuration, and everything else that fits when asked for. */
export interface AdoptInput {
  readonly desired: DesiredGraph;
  readonly steps?: Budget | undefined;
  readonly live: LiveSnapshot;
  readonly state: State;
  /** `--adopt`: every configured resource whose like stands in the account unmanaged. */
  readonly adoptsAll: boolean;
}

/** The state with what was adopted. */
export interface Adopted {
  readonly state: State;
  /** Addresses that were not in the state and are now. */
  readonly imported: ReadonlySet<Address>;
  readonly findings: readonly Finding[];
}

/** Binds live resources that nobody manages to configured addresses, what others live in first. */
export function adoptResources(input: AdoptInput): Adopted {
  const { desired, state, adoptsAll } = input;
  const entries = new Map((desired.imports ?? []).map((entry) => [entry.to, entry]));
  if (entries.size === 0 && !adoptsAll) return { state, imported: new Set(), findings: [] };
  const adoption = new Adoption(input);
  const wanted = new Map(desired.resources.map((one) => [one.address, one]));
  const { scope, book } = readAdopted(input, adoption.resources);
  const byKind = kindNames.flatMap((kind) => desired.resources.filter((one) => one.kind === kind));
  const inOrder = sortByReads(
    byKind.map(({ address }) => address),
    wanted,
    book,
  );
  for (const resource of inOrder.flatMap((address) => wanted.get(address) ?? [])) {
    const isLost = adoption.isLost(resource.address);
    if (adoption.resources.has(resource.address) && !isLost) continue;
    const entry = entries.get(resource.address);
    if (entry) adoption.follow(entry, resource, isLost);
    // Its name may be made of what was adopted before it.
    else if (adoptsAll) adoption.adopt(resolveDeferred(resource, scope, book).desired);
  }
  const { resources, imported, findings } = adoption;
  return { state: { ...state, resources }, imported, findings };
}

/** One pass over the configuration; remembers what is taken. */
class Adoption {
  readonly resources: Map<Address, ManagedResource>;
  readonly imported = new Set<Address>();
  readonly findings: Finding[] = [];
  readonly #taken = new Set<string>();
  readonly #pending: State['pending'];
  readonly #byId = new Map<string, LiveResource>();
  readonly #bySlot = new Map<string, LiveResource[]>();
  /** The configured ports of each public IP, and the name of the VM that is to hold it. */
  readonly #portsOf = new Map<Address, string[]>();
  readonly #holderOf = new Map<Address, string>();

  constructor({ desired, live, state }: AdoptInput) {
    this.resources = new Map(state.resources);
    this.#pending = state.pending;
    for (const { id, allocatedPublicIpId = id, deposed = [] } of state.resources.values()) {
      for (const taken of [id, allocatedPublicIpId, ...deposed]) this.#taken.add(taken);
    }
    for (const { address, kind, project, attributes } of desired.resources) {
      if (kind === 'portForward') {
        const { parent = '' } = parseKnown(address);
        addTo(this.#portsOf, parent, portOf(attributes.protocol, attributes.publicPort));
      }
      if (kind === 'vm' && attributes.publicIp !== undefined) {
        const publicIp = childAddress(project, 'publicIp', textOf(attributes, 'publicIp'));
        this.#holderOf.set(publicIp, textOf(attributes, 'name'));
      }
    }
    const ports = new Map<string, string[]>();
    for (const one of live.resources) {
      if (one.kind === 'portForward')
        addTo(ports, one.publicIpId, portOf(one.protocol, one.publicPort));
      this.#byId.set(`${one.kind} ${one.id}`, one);
    }
    for (const project of live.projects) this.#byId.set(`project ${project.id}`, project);
    for (const one of this.#byId.values()) {
      if (statusOf(one) !== 'deleting') addTo(this.#bySlot, this.#slotOfLive(one, ports), one);
    }
  }

  /** True for an address whose resource is gone from the account, with nothing of it left: another may take its place. */
  isLost(address: Address): boolean {
    const managed = this.resources.get(address);
    if (!managed) return false;
    const { kind, id, allocatedPublicIpId = '', deposed = [] } = managed;
    const rests = [`publicIp ${allocatedPublicIpId}`, ...deposed.map((one) => `${kind} ${one}`)];
    return ![`${kind} ${id}`, ...rests].some((one) => this.#byId.has(one));
  }

  /** An `imports` entry: by id, or by name. One that an earlier run followed may lead nowhere by now. */
  follow(entry: ImportEntry, resource: DesiredResource, mayLeadNowhere: boolean): void {
    const { kind } = resource;
    const byId = entry.id === undefined ? undefined : this.#byId.get(`${kind} ${entry.id}`);
    if (byId && !this.#isInPlace(resource, byId)) {
      this.findings.push(describeElsewhere(entry, resource));
      return;
    }
    const found =
      entry.id === undefined ? this.#findAt(resource, entry.name ?? '') : byId ? [byId] : [];
    const free = found.filter((live) => !this.#taken.has(live.id));
    const [only] = free;
    if (only && free.length === 1) this.#bind(resource, only);
    else if (!mayLeadNowhere || found.length > 0) {
      this.findings.push(describeImport(entry, resource, found, free));
    }
  }

  /** `--adopt`: the live resource that is what the configuration describes. */
  adopt(resource: DesiredResource): void {
    const name = textOf(resource.attributes, 'name');
    const alike = this.#findAt(resource, name).filter((live) => !this.#taken.has(live.id));
    const [first] = alike;
    if (!first) return;
    // Nameless ones that are alike in everything are the same to us: any of them will do.
    if (alike.length === 1 || nameOf(first) === undefined) this.#bind(resource, first);
    else {
      this.findings.push({
        severity: 'error',
        code: 'ambiguous-adoption',
        summary: `${alike.length} live resources could be ${resource.address}`,
        detail: `All are named "${toOneLine(name)}". Their ids: ${listIds(alike)}.`,
        hint: 'Say which by an imports entry with its id.',
        address: resource.address,
        source: resource.source,
      });
    }
  }

  /** True when it stands in the project, or below the public IP, that the address names. */
  #isInPlace({ address, kind }: DesiredResource, live: LiveResource): boolean {
    const { parent } = parseKnown(address);
    if (kind === 'project' || parent === undefined || isOutsideProjects(kind)) return true;
    const holder = live.kind === 'portForward' ? live.publicIpId : live.projectId;
    return this.resources.get(parent)?.id === holder;
  }

  #findAt(resource: DesiredResource, name: string): readonly LiveResource[] {
    const slot = this.#slotOfDesired(resource, name);
    return (slot !== undefined && this.#bySlot.get(slot)) || [];
  }

  /** What tells a live resource from others in its place: a name, a port, or for a public IP its ports and holder. */
  #slotOfLive(live: LiveResource, ports: ReadonlyMap<string, readonly string[]>): string {
    switch (live.kind) {
      case 'project':
        return slot('project', '', live.name);
      case 'portForward':
        return slot('portForward', live.publicIpId, portOf(live.protocol, live.publicPort));
      case 'publicIp': {
        const holder = live.vmId === null ? undefined : this.#byId.get(`vm ${live.vmId}`);
        const had = [...(ports.get(live.id) ?? [])].sort();
        return slot('publicIp', live.projectId, had, (holder && nameOf(holder)) ?? null);
      }
      default:
        return slot(live.kind, isOutsideProjects(live.kind) ? '' : live.projectId, nameOf(live));
    }
  }

  /** The same of a configured resource; undefined while what it lives in is not known. */
  #slotOfDesired({ address, kind, project, attributes }: DesiredResource, name: string) {
    if (isOutsideProjects(kind)) return slot(kind, '', name);
    const parentId = this.resources.get(parseKnown(address).parent ?? project)?.id;
    if (parentId === undefined) return undefined;
    if (kind === 'portForward') {
      return slot(kind, parentId, portOf(attributes.protocol, attributes.publicPort));
    }
    if (kind !== 'publicIp') return slot(kind, parentId, name);
    const wanted = [...(this.#portsOf.get(address) ?? [])].sort();
    return slot(kind, parentId, wanted, this.#holderOf.get(address) ?? null);
  }

  #bind({ address, kind, attributes }: DesiredResource, live: LiveResource): void {
    const brought = findBroughtAddress(attributes, this.#pending.get(address), live, this.#taken);
    const bringing = brought === undefined ? {} : { publicIp: 'new' };
    this.#taken.add(live.id).add(brought ?? live.id);
    this.imported.add(address);
    this.resources.set(address, {
      address,
      kind,
      id: live.id,
      projectId: live.projectId,
      ...(live.kind === 'portForward' && { publicIpId: live.publicIpId }),
      ...(brought !== undefined && { allocatedPublicIpId: brought }),
      attributes: bringing,
      configured: Object.keys({ ...attributes, ...bringing }),
    });
  }
}

function slot(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function portOf(protocol: unknown, port: unknown): string {
  return slot(protocol, port);
}

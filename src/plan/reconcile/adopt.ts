import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { listAttributes } from '../../kinds/attribute-names.ts';
import { readAttributes } from '../../kinds/read-attributes.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { findAdoptedCompanionId } from '../../kinds/relations/brought.ts';
import { readContainerId, recordParentPlace } from '../../kinds/relations/parent-id.ts';
import {
  getLiveName,
  getLiveStatus,
  type LiveResource,
  type LiveSnapshot,
} from '../../model/account/live.ts';
import { parseDeposedAddress, type ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { addToGroup } from '../../model/group-by.ts';
import { kindNames } from '../../model/kind-places.ts';
import type { DesiredGraph, DesiredResource, ImportEntry } from '../../model/resource.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import { readAttributeText } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';
import { keepIgnoredFields } from '../values/keep-ignored.ts';
import { sortAddressesByReads, readKnownExpressionValues } from '../values/read-order.ts';
import { resolveDeferredFields } from '../values/resolve-fields.ts';
import {
  describeOccupiedImportAddress,
  describeMisplacedImport,
  describeFailedImport,
  describeAmbiguousImport,
  formatResourceIds,
} from './import-findings.ts';
import { ResourceLikeness } from './likeness.ts';

/** Resources to adopt: the `imports` of the configuration, and everything that fits where `--adopt` is given. */
export interface AdoptInput {
  readonly desired: DesiredGraph;
  readonly steps?: EvaluationBudget | undefined;
  readonly live: LiveSnapshot;
  readonly state: State;
  /** `--adopt`: every configured resource whose like exists in the account unmanaged. */
  readonly adoptsAll: boolean;
}

/** The state with the resources that were adopted into it. */
export interface AdoptedState {
  readonly state: State;
  /** Addresses that were adopted into the state by this plan. */
  readonly imported: ReadonlySet<ResourceAddress>;
  /** Adopted addresses that this plan does not change, since their entry says `as: live`. */
  readonly asLive: ReadonlySet<ResourceAddress>;
  readonly findings: readonly Finding[];
}

/** Binds unmanaged live resources to configured addresses, containers first. */
export function adoptResources(input: AdoptInput): AdoptedState {
  const { desired, state, adoptsAll } = input;
  const entries = new Map((desired.imports ?? []).map((entry) => [entry.to, entry]));
  if (entries.size === 0 && !adoptsAll) {
    return { state, imported: new Set(), asLive: new Set(), findings: [] };
  }
  const adoption = new Adoption(input);
  const wanted = new Map(desired.resources.map((one) => [one.address, one]));
  const { scope, book } = readAdopted(input, adoption.resources);
  const byKind = kindNames.flatMap((kind) => desired.resources.filter((one) => one.kind === kind));
  const inOrder = sortAddressesByReads(
    byKind.map(({ address }) => address),
    wanted,
    book,
  );
  for (const resource of inOrder.flatMap((address) => wanted.get(address) ?? [])) {
    const isLost = adoption.isLost(resource.address);
    const entry = entries.get(resource.address);
    const managed = adoption.resources.get(resource.address);
    if (managed && !isLost) {
      if (entry) adoption.reportAnother(entry, resource, managed);
    } else if (entry) adoption.follow(entry, resource, isLost);
    // The name may be computed from a resource that was adopted before it.
    else if (adoptsAll) adoption.adopt(resolveDeferredFields(resource, scope, book).desired);
  }
  const { resources, imported, findings } = adoption;
  const asLive = new Set([...imported].filter((address) => entries.get(address)?.isAsLive));
  return { state: { ...state, resources }, imported, asLive, findings };
}

/** One pass over the configuration; remembers which live resources are taken. */
class Adoption {
  readonly resources: Map<ResourceAddress, ManagedResource>;
  readonly imported = new Set<ResourceAddress>();
  readonly findings: Finding[] = [];
  /** Address for which each live resource was adopted, by its id. */
  readonly #taken = new Map<string, ResourceAddress>();
  readonly #wanted: ReadonlySet<ResourceAddress>;
  readonly #pending: State['pending'];
  readonly #byId = new Map<string, LiveResource>();
  readonly #alike = new Map<string, LiveResource[]>();
  readonly #likeness: ResourceLikeness;

  constructor({ desired, live, state }: AdoptInput) {
    this.resources = new Map(state.resources);
    this.#pending = state.pending;
    this.#wanted = new Set(desired.resources.map(({ address }) => address));
    for (const {
      address,
      id,
      allocatedPublicIpId = id,
      deposed = [],
    } of state.resources.values()) {
      const owner = parseDeposedAddress(address)?.base ?? address;
      for (const taken of [id, allocatedPublicIpId, ...deposed]) this.#taken.set(taken, owner);
    }
    for (const one of [...live.projects, ...live.resources]) {
      this.#byId.set(`${one.kind} ${one.id}`, one);
    }
    this.#likeness = new ResourceLikeness(desired.resources, this.#byId, live.catalog);
    for (const one of this.#byId.values()) {
      if (getLiveStatus(one) !== 'deleting')
        addToGroup(this.#alike, this.#likeness.ofLive(one), one);
    }
  }

  /** Tells whether the resource of an address is gone from the account, with nothing of it left: another may take its place. */
  isLost(address: ResourceAddress): boolean {
    const managed = this.resources.get(address);
    if (!managed) return false;
    const { kind, id, allocatedPublicIpId = '', deposed = [] } = managed;
    const { brings } = kindRegistry[kind].traits;
    const rests = [
      `${brings?.kind} ${allocatedPublicIpId}`,
      ...deposed.map((one) => `${kind} ${one}`),
    ];
    return ![`${kind} ${id}`, ...rests].some((one) => this.#byId.has(one));
  }

  /** Follows an `imports` entry, by id or by name. An entry that an earlier run followed may lead nowhere by now. */
  follow(entry: ImportEntry, resource: DesiredResource, mayLeadNowhere: boolean): void {
    const found = this.#findNamed(entry, resource);
    if (entry.id !== undefined && found.some((live) => !this.#isInPlace(resource, live))) {
      this.findings.push(describeMisplacedImport(entry, resource));
      return;
    }
    const free = found.filter((live) => !this.#taken.has(live.id));
    const [only] = free;
    if (only && free.length === 1) this.#bind(resource, only);
    else if (!mayLeadNowhere || found.length > 0) {
      const { to, id, source } = entry;
      // A name in the place of the id is a common mistake, for which the hint has the id.
      const named = id === undefined ? [] : this.#findNamed({ to, name: id, source }, resource);
      this.findings.push(describeFailedImport(entry, resource, { found, free, named }));
    }
  }

  /**
   * Reports an entry that names another resource than the managed one at its address, since it adopts nothing. After an entry
   * was followed, its name may belong to another configured resource, which loses nothing.
   */
  reportAnother(entry: ImportEntry, resource: DesiredResource, managed: ManagedResource): void {
    const found = this.#findNamed(entry, resource).filter(
      (live) =>
        getLiveStatus(live) !== 'deleting' &&
        (entry.name ?? getLiveName(live)) === getLiveName(live),
    );
    const [another] = found;
    if (!another || found.some(({ id }) => this.#taken.get(id) === entry.to)) return;
    const owner = this.#taken.get(another.id);
    const isLost = entry.id !== undefined || owner === undefined || !this.#wanted.has(owner);
    this.findings.push(describeOccupiedImportAddress(entry, managed, { another, owner, isLost }));
  }

  /** `--adopt`: adopts the live resource that the configuration describes. */
  adopt(resource: DesiredResource): void {
    const name = readAttributeText(resource.attributes, 'name');
    const alike = this.#findAt(resource, name).filter((live) => !this.#taken.has(live.id));
    const [first] = alike;
    if (!first) {
      const untold = this.#listUntold(resource);
      if (untold.length > 0) this.findings.push(describeAmbiguousImport(resource, untold));
      return;
    }
    // Nameless resources that are equal in everything are interchangeable: any of them will do.
    if (alike.length === 1 || getLiveName(first) === undefined) this.#bind(resource, first);
    else {
      this.findings.push({
        severity: 'error',
        code: 'ambiguous-adoption',
        summary: `${alike.length} live resources could be ${resource.address}`,
        detail: `All are named "${escapeLineEnds(name)}". Their ids: ${formatResourceIds(alike)}.`,
        hint: 'Add an imports entry with the id of one of them.',
        address: resource.address,
        source: resource.source,
      });
    }
  }

  /** Finds live resources that an entry of `imports` names. */
  #findNamed({ id, name = '' }: ImportEntry, resource: DesiredResource): readonly LiveResource[] {
    if (id === undefined) return this.#findAt(resource, name);
    const live = this.#byId.get(`${resource.kind} ${id}`);
    return live ? [live] : [];
  }

  /** Tells whether a live resource lies in the container of its address. */
  #isInPlace({ address }: DesiredResource, live: LiveResource): boolean {
    const { parent } = parseKnownAddress(address);
    return parent === undefined || this.resources.get(parent)?.id === readContainerId(live);
  }

  /** Unmanaged resources in the place of a configured one that could be it, since the service does not report their names. */
  #listUntold(resource: DesiredResource): readonly LiveResource[] {
    if (kindRegistry[resource.kind].traits.permanent) return [];
    const free = [...this.#byId.values()].filter(
      (live) => live.kind === resource.kind && !this.#taken.has(live.id),
    );
    return free.filter((live) => this.#likeness.isUntold(live) && this.#isInPlace(resource, live));
  }

  /**
   * Live resources that a configured one describes; none while its container is unknown, nor of a kind that every account
   * has.
   */
  #findAt(resource: DesiredResource, name: string): readonly LiveResource[] {
    const { parent } = parseKnownAddress(resource.address);
    const parentId = parent === undefined ? '' : this.resources.get(parent)?.id;
    if (parentId === undefined || kindRegistry[resource.kind].traits.permanent) return [];
    return this.#alike.get(this.#likeness.ofDesired(resource, parentId, name)) ?? [];
  }

  #bind({ address, kind, attributes }: DesiredResource, live: LiveResource): void {
    const brought = findAdoptedCompanionId(
      attributes,
      this.#pending.get(address),
      live,
      this.#taken,
    );
    const bringing = brought === undefined ? {} : kindRegistry[kind].traits.brings?.asked;
    this.#taken.set(live.id, address).set(brought ?? live.id, address);
    this.imported.add(address);
    this.resources.set(address, {
      address,
      kind,
      id: live.id,
      ...recordParentPlace(live),
      ...(brought !== undefined && { allocatedPublicIpId: brought }),
      attributes: { ...bringing },
      configured: Object.keys({ ...attributes, ...bringing }),
    });
  }
}

/** The account and the configuration, before anything is decided. */
interface ReadInput {
  readonly desired: Pick<DesiredGraph, 'resources'>;
  readonly live: LiveSnapshot;
  readonly steps?: EvaluationBudget | undefined;
}

/** Values that expressions read before anything is decided: those of live resources behind addresses that are managed by then. */
function readAdopted(
  { desired, live, steps }: ReadInput,
  ours: ReadonlyMap<ResourceAddress, ManagedResource>,
): ReturnType<typeof readKnownExpressionValues> {
  const wanted = new Map(desired.resources.map((one) => [one.address, one]));
  const byId = new Map(
    [...live.projects, ...live.resources].map((one) => [`${one.kind} ${one.id}`, one]),
  );
  const names = { catalog: live.catalog, localKey: () => undefined };
  const knownAt = (address: ResourceAddress) => {
    const managed = ours.get(address);
    const found = managed && byId.get(`${managed.kind} ${managed.id}`);
    const resource = wanted.get(address);
    if (!resource) return undefined;
    const { kind } = resource;
    const values = found ? readAttributes(found, names, resource.attributes) : {};
    const { attributes } = found ? keepIgnoredFields(resource, values) : resource;
    const all = listAttributes(kind);
    return {
      names: all,
      values: { ...values, ...attributes },
      unknown: found ? [] : all.filter((name) => !(name in attributes)),
    };
  };
  return readKnownExpressionValues(wanted, knownAt, steps);
}

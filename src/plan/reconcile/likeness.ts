import {
  readDistinguishingMarks,
  readLiveDistinguishingMarks,
} from '../../kinds/relations/marks.ts';
import { readContainerId } from '../../kinds/relations/parent-id.ts';
import { readAttributes } from '../../kinds/read-attributes.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { getLiveName, type Catalog, type LiveResource } from '../../model/account/live.ts';
import { addToGroup } from '../../model/group-by.ts';
import { isKindOutsideProjects, type KindName } from '../../model/kind-places.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { readAttributeText } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';

/**
 * Identity of a resource among others of its kind, as a text that a live one and a configured one have in common: its place
 * with its name or its marks. Where it has neither, the resources within it and the name of its holder.
 */
export class ResourceLikeness {
  readonly #catalog: Catalog;
  readonly #liveById: ReadonlyMap<string, LiveResource>;
  /** The marks of contained resources, by the address or the id of the container. */
  readonly #below = new Map<string, string[]>();
  /** Ids of containers that hold a resource without distinguishing marks. */
  readonly #thinBelow = new Set<string>();
  /** The name of the resource that is to hold one, by the address of the held one. */
  readonly #holders = new Map<ResourceAddress, string>();

  /** @param liveById live resources, by kind and id with a blank between. */
  constructor(
    desired: readonly DesiredResource[],
    liveById: ReadonlyMap<string, LiveResource>,
    catalog: Catalog,
  ) {
    this.#catalog = catalog;
    this.#liveById = liveById;
    for (const one of desired) {
      const { kind, address, attributes } = one;
      const marks = readDistinguishingMarks(kind, attributes);
      if (marks !== undefined)
        addToGroup(this.#below, parseKnownAddress(address).parent ?? '', marks);
      for (const { address: held } of kindRegistry[kind].references(one)) {
        if (kindRegistry[parseKnownAddress(held).kind].traits.heldBy?.kind !== kind) continue;
        this.#holders.set(held, readAttributeText(attributes, 'name'));
      }
    }
    for (const one of liveById.values()) {
      const marks = readLiveDistinguishingMarks(one, catalog);
      if (marks !== undefined) addToGroup(this.#below, readContainerId(one), marks);
      if (this.isUntold(one)) this.#thinBelow.add(readContainerId(one));
    }
  }

  ofLive(live: LiveResource): string {
    const { kind, id } = live;
    const { heldBy } = kindRegistry[kind].traits;
    const holder = heldBy && this.#liveById.get(`${heldBy.kind} ${heldBy.idOf(live)}`);
    const parentId = isKindOutsideProjects(kind) ? '' : readContainerId(live);
    const name = getLiveName(live);
    return this.#spell(
      kind,
      parentId,
      name,
      readLiveDistinguishingMarks(live, this.#catalog),
      id,
      holder && getLiveName(holder),
    );
  }

  /** Tells whether the service does not report the attributes that would distinguish a resource from others. */
  isUntold(live: LiveResource): boolean {
    const { marks, heldBy } = kindRegistry[live.kind].traits;
    if (!marks) return getLiveName(live) === undefined;
    const read = readAttributes(
      live,
      { catalog: this.#catalog, localKey: () => undefined },
      undefined,
    );
    const isUnmarked = marks.fields.some((field) => read[field] === undefined);
    return (
      isUnmarked ||
      (heldBy?.idOf(live) === undefined && heldBy !== undefined) ||
      this.#thinBelow.has(live.id)
    );
  }

  /** `parentId`: the id of the resource's container; the empty text where there is none. */
  ofDesired({ address, kind, attributes }: DesiredResource, parentId: string, name: string) {
    const marks = readDistinguishingMarks(kind, attributes);
    return this.#spell(kind, parentId, name, marks, address, this.#holders.get(address));
  }

  #spell(
    kind: KindName,
    parentId: string,
    name: string | undefined,
    marks: string | undefined,
    holds: string,
    holder: string | undefined,
  ): string {
    if (marks === undefined) return JSON.stringify([kind, parentId, name]);
    if (kindRegistry[kind].traits.marks?.fields.length !== 0)
      return JSON.stringify([kind, parentId, marks]);
    const below = [...(this.#below.get(holds) ?? [])].sort();
    return JSON.stringify([kind, parentId, below, holder ?? null]);
  }
}

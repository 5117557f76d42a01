// A part of the account, described as a configuration: the way back from live resources to YAML. A plan of the result only
// imports; a resource that cannot be described so is left out, with the reason. No decisions about resources are made here.
import type { KindExport } from '../../kinds/export/kind-export.ts';
import type { LiveIdTranslator } from '../../kinds/names.ts';
import { parentIdOf } from '../../kinds/relations/parent-id.ts';
import { kinds } from '../../kinds/registry.ts';
import { childAddress, compareAddresses, topAddress, type Address } from '../../model/address.ts';
import type {
  ExportedAccount,
  ExportedResource,
  LeftOutResource,
} from '../../model/account/exported.ts';
import {
  nameOf,
  statusOf,
  type LiveResource,
  type LiveSnapshot,
} from '../../model/account/live.ts';
import { groupBy } from '../../model/group-by.ts';
import { listHeldKinds, type KindName } from '../../model/kind-places.ts';
import { projectKind } from '../../model/kind-table.ts';
import { assignKeys, type KeyedExport } from './export-keys.ts';

/** Describes the projects with these ids, as far as the snapshot holds their contents. */
export function exportAccount(live: LiveSnapshot, projectIds: readonly string[]): ExportedAccount {
  const wanted = sortLive(live.projects.filter(({ id }) => projectIds.includes(id)));
  const writer = new Writer(live);
  writer.addAll(wanted, [projectKind], undefined);
  return { resources: writer.resources, leftOut: writer.leftOut };
}

/**
 * Sorted by the texts of their keys, numbers by value, then by id: the same account gives the same text, however its lists
 * are ordered.
 */
function sortLive<R extends LiveResource>(all: readonly R[]): readonly R[] {
  return all
    .map((one) => ({ one, text: kinds[one.kind].traits.export?.keyFrom(one) ?? '' }))
    .sort((a, b) => compareAddresses(a.text, b.text) || (a.one.id < b.one.id ? -1 : 1))
    .map(({ one }) => one);
}

function titleOf(live: LiveResource): string {
  const name = nameOf(live);
  const { label } = kinds[live.kind];
  return name === undefined
    ? `${label} ${live.id}`
    : `${label} ${JSON.stringify(name)} (${live.id})`;
}

/** The reason why a resource of this status has no place in a configuration; undefined for one that has. */
function whyUnfit(live: LiveResource): string | undefined {
  const status = statusOf(live);
  if (status === 'failed') return 'Its creation failed: a plan would replace it.';
  return status === 'deleting' ? 'It is being deleted.' : undefined;
}

/** A resource below one parent that is exported. */
interface Picked {
  readonly kind: KindName;
  readonly way: KindExport;
  readonly all: readonly KeyedExport<LiveResource>[];
}

/** The parent of exported resources. */
interface Place {
  readonly address: Address;
  readonly project: Address;
}

/** Describes the projects of an account in one pass. */
class Writer {
  readonly resources: ExportedResource[] = [];
  readonly leftOut: LeftOutResource[] = [];
  /** Resources in each project, and in each resource that holds others, in order. */
  readonly #contents: ReadonlyMap<string, readonly LiveResource[]>;
  readonly #keys = new Map<string, string>();
  readonly #names: LiveIdTranslator;

  constructor({ resources, catalog }: LiveSnapshot) {
    this.#contents = groupBy(sortLive(resources), parentIdOf);
    this.#names = { catalog, localKey: (kind, id) => this.#keys.get(`${kind} ${id}`) };
  }

  /** Describes the resources of these kinds below one parent, and those within them. */
  addAll(
    given: readonly LiveResource[],
    wanted: readonly KindName[],
    parent: Place | undefined,
  ): void {
    const picked = wanted.flatMap((kind) => {
      const ofKind = given.filter((one) => one.kind === kind);
      return this.#pick(kind, ofKind, parent);
    });
    for (const one of picked) this.#write(one, parent);
  }

  /** The resources that a configuration can describe, each with its key. */
  #pick(kind: KindName, given: readonly LiveResource[], parent: Place | undefined): Picked[] {
    const { export: way } = kinds[kind].traits;
    if (!way) return [];
    const first = new Map<string, LiveResource>();
    const whyDoubled = (one: LiveResource) => {
      const text = way.unique?.textOf(one);
      const other = text === undefined ? undefined : first.get(text);
      if (text !== undefined && !other) first.set(text, one);
      return other && way.unique?.why(other, parent?.address);
    };
    const fit = given.filter((one) => {
      const why = whyUnfit(one) ?? way.whyNot?.(one, this.#names) ?? whyDoubled(one);
      if (why === undefined) return true;
      const { project } = parent ?? {};
      this.leftOut.push({ kind, id: one.id, title: titleOf(one), project, why });
      return false;
    });
    const all = assignKeys(kind, fit, (one) => way.keyFrom(one));
    for (const { one, key } of all) this.#keys.set(`${kind} ${one.id}`, key);
    return [{ kind, way, all }];
  }

  #write({ kind, way, all }: Picked, parent: Place | undefined): void {
    const given = new Set<string>();
    for (const { one, key } of all) {
      // Resources refer to none of another project, so that keys are only kept within one.
      if (!parent) this.#keys.clear();
      const address = parent ? childAddress(parent.address, kind, key) : topAddress(kind, key);
      const name = nameOf(one);
      const isNamesake = name !== undefined && given.has(name);
      if (name !== undefined) given.add(name);
      const { fields, remarks = [] } = way.describe(one, key, this.#names, isNamesake);
      const { id } = one;
      this.resources.push({
        kind,
        address,
        parent: parent?.address,
        local: key,
        id,
        fields,
        remarks,
      });
      const place = { address, project: parent?.project ?? address };
      this.addAll(this.#contents.get(id) ?? [], listHeldKinds(kind), place);
    }
  }
}

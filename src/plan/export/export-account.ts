// A part of the account, described as a configuration: the way back from live resources to YAML. A plan of the result only
// imports; a resource that cannot be described so is left out, with the reason. No decisions about resources are made here.
import type { KindExport } from '../../kinds/export/kind-export.ts';
import type { LiveIdTranslator } from '../../kinds/names.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { readContainerId } from '../../kinds/relations/parent-id.ts';
import type {
  ExportedAccount,
  ExportedResource,
  UnexportedResource,
} from '../../model/account/exported.ts';
import {
  getLiveName,
  getLiveStatus,
  type LiveResource,
  type LiveSnapshot,
} from '../../model/account/live.ts';
import {
  makeChildAddress,
  compareResourceAddresses,
  makeTopLevelAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import { listDirectChildKinds, type KindName, kindNames } from '../../model/kind-places.ts';
import { projectKind } from '../../model/kind-table.ts';

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
    .map((one) => ({ one, text: kindRegistry[one.kind].traits.export?.keyFrom(one) ?? '' }))
    .sort((a, b) => compareResourceAddresses(a.text, b.text) || (a.one.id < b.one.id ? -1 : 1))
    .map(({ one }) => one);
}

function titleOf(live: LiveResource): string {
  const name = getLiveName(live);
  const { label } = kindRegistry[live.kind];
  return name === undefined
    ? `${label} ${live.id}`
    : `${label} ${JSON.stringify(name)} (${live.id})`;
}

/** The reason why a resource of this status has no place in a configuration; undefined for one that has. */
function whyUnfit(live: LiveResource): string | undefined {
  const status = getLiveStatus(live);
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
  readonly address: ResourceAddress;
  readonly project: ResourceAddress;
}

/** Describes the projects of an account in one pass. */
class Writer {
  readonly resources: ExportedResource[] = [];
  readonly leftOut: UnexportedResource[] = [];
  /** Resources in each project, and in each resource that holds others, in order. */
  readonly #contents: ReadonlyMap<string, readonly LiveResource[]>;
  readonly #keys = new Map<string, string>();
  readonly #names: LiveIdTranslator;

  constructor({ resources, catalog }: LiveSnapshot) {
    this.#contents = groupBy(sortLive(resources), readContainerId);
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
    const { export: way } = kindRegistry[kind].traits;
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
    const all = assignExportKeys(kind, fit, (one) => way.keyFrom(one));
    for (const { one, key } of all) this.#keys.set(`${kind} ${one.id}`, key);
    return [{ kind, way, all }];
  }

  #write({ kind, way, all }: Picked, parent: Place | undefined): void {
    const given = new Set<string>();
    for (const { one, key } of all) {
      // Resources refer to none of another project, so that keys are only kept within one.
      if (!parent) this.#keys.clear();
      const address = parent
        ? makeChildAddress(parent.address, kind, key)
        : makeTopLevelAddress(kind, key);
      const name = getLiveName(one);
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
      this.addAll(this.#contents.get(id) ?? [], listDirectChildKinds(kind), place);
    }
  }
}

/** Longest key: longer ones make addresses that nobody wants to type. */
const maxLength = 63;

const plainKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Keys with a special meaning in the names of some kind; none is given to any kind. */
const reserved = new Set(
  kindNames.flatMap((kind) => kindRegistry[kind].traits.reservedKeys?.keys ?? []),
);

/** Tells whether a text can be a key as it stands. */
function isKey(text: string, kind: KindName): boolean {
  return (
    plainKey.test(text) &&
    text.length <= maxLength &&
    kindRegistry[kind].traits.reservedKeys?.keys.includes(text) !== true &&
    // An object's prototype, and no member of its own.
    text !== '__proto__'
  );
}

/** `Café №1` becomes `Cafe-No1`; a text without any letter or digit becomes the word for its kind. */
function makeKey(text: string, kind: KindName): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  const word = kindRegistry[kind].traits.export?.keyWord ?? kind;
  const key = plain === '' ? word : plainKey.test(plain) ? plain : `${word}-${plain}`;
  return cut(reserved.has(key) ? `${word}-${key}` : key, maxLength);
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[-_]+$/, '');
}

/** Something with its new key. */
interface KeyedExport<T> {
  readonly one: T;
  readonly key: string;
}

/**
 * Gives things of one kind and place a key each. A name that can be a key is used as it is; the other keys are made from
 * names (`web`, `web-2`, `web-3`), and none equals the name of another thing.
 */
export function assignExportKeys<T>(
  kind: KindName,
  things: readonly T[],
  nameOf: (one: T) => string,
): readonly KeyedExport<T>[] {
  const taken = new Set<string>();
  const exact = new Set<T>();
  for (const one of things) {
    const name = nameOf(one);
    if (!isKey(name, kind) || taken.has(name)) continue;
    taken.add(name);
    exact.add(one);
  }
  const numbers = new Map<string, number>();
  /** Counting goes on from the last number: there may be thousands of one name. */
  const makeFree = (key: string): string => {
    for (let number = numbers.get(key) ?? 1; ; number += 1) {
      const suffix = number === 1 ? '' : `-${number}`;
      const free = `${cut(key, maxLength - suffix.length)}${suffix}`;
      if (taken.has(free)) continue;
      numbers.set(key, number + 1);
      taken.add(free);
      return free;
    }
  };
  return things.map((one) => {
    const name = nameOf(one);
    return { one, key: exact.has(one) ? name : makeFree(makeKey(name, kind)) };
  });
}

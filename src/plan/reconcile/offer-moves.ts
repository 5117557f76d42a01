import { kindRegistry } from '../../kinds/registry.ts';
import {
  removeInstanceKey,
  compareResourceAddresses,
  isAtOrBelowAddress,
  listEnclosingAddresses,
  type ResourceAddress,
} from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Change } from '../../model/plan/plan.ts';
import { findContainingKind, isProject, type KindName } from '../../model/kind-places.ts';
import type { DesiredGraph, DesiredResource } from '../../model/resource.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';

/** A removed block and a new one that describe the same live resource. */
interface Offer {
  readonly from: ResourceAddress;
  readonly to: ResourceAddress;
}

/** The changes of all instances of one block. */
interface Declared {
  readonly address: ResourceAddress;
  readonly changes: readonly Change[];
}

/** The most entries of `moved` that a hint writes out. */
const maxShown = 50;

/**
 * Offers a `moved` entry for resources that this plan would destroy and create again under another address: of one kind in
 * one place, with the same names or with everything equal. Where several could be meant, none is offered.
 */
export function offerMovedEntries(
  changes: readonly Change[],
  { resources, removed = [] }: Pick<DesiredGraph, 'resources' | 'removed'>,
): Finding[] {
  const asked = removed.filter(({ destroy }) => destroy);
  const gone = changes.filter(
    (one) => isGone(one) && !asked.some(({ from }) => isAtOrBelowAddress(one.address, from)),
  );
  const fresh = changes.filter(isFresh);
  if (gone.length === 0 || fresh.length === 0) return [];
  const offers = [...offerProjects(gone, fresh)];
  const left = withoutMoved(gone, offers, 'from');
  offers.push(
    ...offerWithin(left, withoutMoved(fresh, offers, 'to'), listStaying(resources, fresh)),
  );
  return offers.length === 0 ? [] : [describe(offers)];
}

/** Fields, by kind, that may differ from the live resource: the new block ignores them, or has them wait for a rebuild. */
type Staying = ReadonlyMap<KindName, ReadonlySet<string>>;

function listStaying(resources: readonly DesiredResource[], fresh: readonly Change[]): Staying {
  const isNew = new Set(fresh.map(({ address }) => address));
  const staying = new Map<KindName, Set<string>>();
  for (const { address, kind, lifecycle, rebuildOn } of resources) {
    if (!isNew.has(address)) continue;
    const { fields, traits } = kindRegistry[kind];
    const on = rebuildOn ?? traits.builtFrom?.rebuildOn ?? [];
    const waits = Object.keys(fields).filter(
      (name) => fields[name]?.effect === 'rebuild' && !on.includes(name),
    );
    const names = staying.get(kind) ?? new Set();
    staying.set(kind, names);
    for (const name of [...waits, ...(lifecycle?.ignoreChanges ?? [])]) names.add(name);
  }
  return staying;
}

function isGone({ action, reason, id }: Change): boolean {
  return action === 'delete' && reason === 'not-configured' && id !== null;
}

function isFresh({ action, reason }: Change): boolean {
  return action === 'create' && reason === undefined;
}

function withoutMoved(changes: readonly Change[], offers: readonly Offer[], side: keyof Offer) {
  const moved = new Set(offers.map((offer) => offer[side]));
  if (moved.size === 0) return changes;
  return changes.filter(
    ({ address }) =>
      !listEnclosingAddresses(address).some(
        (one) => moved.has(one) || moved.has(removeInstanceKey(one)),
      ),
  );
}

/** Pairs of projects under different keys: with the same name, or the same contents. */
function offerProjects(gone: readonly Change[], fresh: readonly Change[]): Offer[] {
  const left = declare(gone.filter(({ kind }) => isProject(kind)));
  const came = declare(fresh.filter(({ kind }) => isProject(kind)));
  const contents = { ...listContents(gone), ...listContents(fresh) };
  return pair(left, came, [
    nameKey,
    ({ changes }) => {
      const held = changes.map(({ address }) => contents[address]);
      return held.includes(undefined) ? undefined : JSON.stringify(held);
    },
  ]);
}

/** Lists what each project contains, as addresses relative to it. */
function listContents(changes: readonly Change[]): Record<ResourceAddress, string[]> {
  const contents: Record<ResourceAddress, string[]> = {};
  for (const { address, project, kind } of changes) {
    if (!isProject(kind)) (contents[project] ??= []).push(address.slice(project.length));
  }
  return contents;
}

/** Pairs of all other resources, containers first: all instances of a declaration, then single ones. */
function offerWithin(gone: readonly Change[], fresh: readonly Change[], staying: Staying): Offer[] {
  const others = ({ kind }: Change) => !isProject(kind) && !findContainingKind(kind);
  const nested = ({ kind }: Change) => findContainingKind(kind) !== undefined;
  const offers: Offer[] = [];
  for (const isMeant of [others, nested]) {
    for (const group of [declare, declareEach]) {
      const left = group(withoutMoved(gone.filter(isMeant), offers, 'from'));
      const came = group(withoutMoved(fresh.filter(isMeant), offers, 'to'));
      const roughKey = (declared: Declared) => likenessKey(declared, staying);
      offers.push(...pair(left, came, [nameKey, likenessKey, roughKey]));
    }
  }
  return offers;
}

/** Pairs declarations with one key on either side, where no other of the same side has it. */
function pair(
  left: readonly Declared[],
  came: readonly Declared[],
  keys: readonly ((declared: Declared) => string | undefined)[],
): Offer[] {
  const offers: Offer[] = [];
  const done = new Set<Declared>();
  for (const keyOf of keys) {
    const index = (all: readonly Declared[]) => {
      const byKey = new Map<string, Declared[]>();
      for (const one of all) {
        const key = done.has(one) ? undefined : keyOf(one);
        if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []).slice(0, 1), one]);
      }
      return byKey;
    };
    const sources = index(left);
    for (const [key, [to, otherTo]] of index(came)) {
      const [from, otherFrom] = sources.get(key) ?? [];
      if (!from || !to || otherFrom || otherTo) continue;
      offers.push({ from: from.address, to: to.address });
      done.add(from).add(to);
    }
  }
  return offers;
}

function declare(changes: readonly Change[]): Declared[] {
  const groups = groupBy(changes, (change) => removeInstanceKey(change.address));
  return [...groups].map(([address, all]) => ({ address, changes: all }));
}

function declareEach(changes: readonly Change[]): Declared[] {
  return changes.map((change) => ({ address: change.address, changes: [change] }));
}

function keyOf(
  { address, changes }: Declared,
  read: (change: Change) => Value | undefined,
): string | undefined {
  const values = changes.map(read);
  const [first] = changes;
  if (!first || values.includes(undefined)) return undefined;
  const { parent = '' } = parseKnownAddress(first.address);
  const instances = changes.map((one) => one.address.slice(address.length));
  return JSON.stringify([first.kind, parent, instances, values]);
}

function nameKey(declared: Declared): string | undefined {
  return keyOf(declared, ({ before, after }) => (before ?? after ?? {}).name);
}

/** All configured fields but the name and those that may differ. */
function likenessKey(declared: Declared, staying?: Staying): string | undefined {
  return keyOf(declared, ({ kind, configured, before, after }) => {
    const attributes: Attributes = before ?? after ?? {};
    const isLeftOut = (name: string) => name === 'name' || staying?.get(kind)?.has(name) === true;
    const names = configured.filter((name) => !isLeftOut(name)).sort();
    return names
      .map((name): [string, Value] => {
        const value = attributes[name] ?? null;
        const isSet = kindRegistry[kind].fields[name]?.isSet === true && Array.isArray(value);
        return [name, isSet ? [...value].sort() : value];
      })
      .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  });
}

/** An entry to write: in the files of a module, where it holds for all instances, or in the configuration itself. */
interface Entry extends Offer {
  readonly module: ResourceAddress | undefined;
}

function listEntries(offers: readonly Offer[]): Entry[] {
  const entries = offers.map(({ from, to }): Entry => {
    const module = parseKnownAddress(from).module;
    if (module === undefined || parseKnownAddress(to).module !== module) {
      return { module: undefined, from, to };
    }
    const below = (address: ResourceAddress) => address.slice(module.length + 1);
    return { module: withoutKeys(module), from: below(from), to: below(to) };
  });
  const distinct = new Map(entries.map((one) => [JSON.stringify(one), one]));
  return [...distinct.values()].sort(
    (a, b) =>
      compareResourceAddresses(a.module ?? '', b.module ?? '') ||
      compareResourceAddresses(a.from, b.from),
  );
}

/** A module as it is declared: `modules.env` of `modules.env["a"]`. */
function withoutKeys(module: ResourceAddress): ResourceAddress {
  return module.replaceAll(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, '');
}

function describe(offers: readonly Offer[]): Finding {
  const entries = listEntries(offers);
  const places = groupBy(entries.slice(0, maxShown), ({ module }) => module);
  const blocks = [...places].map(([module, listed]) => {
    const lines = listed.flatMap(({ from, to }) => [
      `  - from: ${spell(from)}`,
      `    to: ${spell(to)}`,
    ]);
    const place = module === undefined ? 'the configuration' : `the module ${module}`;
    return `add to ${place}:\n\nmoved:\n${lines.join('\n')}`;
  });
  const more = entries.length > maxShown ? `\n# and ${entries.length - maxShown} more` : '';
  const [only] = offers;
  const isOne = offers.length === 1 && only !== undefined;
  return {
    severity: 'warning',
    code: 'moved-perhaps',
    summary: isOne
      ? `${only.to} looks like ${only.from} under another address`
      : `${offers.length} new blocks look like removed ones under other addresses`,
    detail: `This plan destroys the ${isOne ? 'one and creates the other' : 'old ones and creates them anew'}. To keep ${isOne ? 'it' : 'them'} instead, ${blocks.join('\n\nAlso, ')}${more}`,
    hint: 'Add these entries and plan again, or leave them out to create new resources.',
    ...(isOne && { address: only.to }),
  };
}

/** An address as YAML takes it: quoted where a key could be read as something else. */
function spell(address: ResourceAddress): string {
  return /^[\w.[\]-]+$/.test(address) ? address : JSON.stringify(address);
}

// Ids of catalog entries in live records. A service may show one in another case than its catalog does, or the entry's name
// in the place of its id: that is the same entry, so everything behind the client reads the catalog's own id.
import type { Catalog, CatalogEntry, LiveResource } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import { foldNameForComparison } from '../model/text/fold-name.ts';
import type { ListedKindCodec } from './contract/codec.ts';

type EntryMembers = ListedKindCodec<KindName>['entries'];

/**
 * Replaces what a service shows for catalog entries in live resources, such as a name or an id in another case, by the ids of the
 * catalog as it was last read, so that all other code can compare ids.
 */
export class CatalogEntryIdResolver {
  #catalog: Catalog | undefined;
  #first: Promise<void> | undefined;

  /** Keeps a catalog once it was read. Until then, and where that fails, the one before it stays. */
  note(reading: Promise<Catalog>): Promise<Catalog> {
    const noted = reading.then(
      (catalog) => {
        this.#catalog = catalog;
      },
      () => undefined,
    );
    // Only without any catalog does a resource wait for one.
    if (!this.#catalog) this.#first = noted;
    return reading;
  }

  /** A live resource with the catalog's own ids; as it came while no catalog was asked for. */
  async unify<L extends LiveResource>(live: L, members: EntryMembers): Promise<L> {
    const [one = live] = await this.unifyAll([live], members);
    return one;
  }

  async unifyAll<L extends LiveResource>(
    resources: readonly L[],
    members: EntryMembers,
  ): Promise<readonly L[]> {
    const ofKind = Object.entries(members ?? {});
    if (ofKind.length === 0 || resources.length === 0) return resources;
    if (!this.#catalog) await this.#first;
    const catalog = this.#catalog;
    if (!catalog) return resources;
    return resources.map((live) => {
      const others = ofKind.flatMap(([member, list]): [string, string][] => {
        const shown: unknown = Reflect.get(live, member);
        if (typeof shown !== 'string') return [];
        const id = findShownEntryId(catalog[list], shown);
        return id === shown ? [] : [[member, id]];
      });
      if (others.length === 0) return live;
      const shown = others.map(([member]) => [member, String(Reflect.get(live, member))] as const);
      return { ...live, ...Object.fromEntries(others), shownEntries: Object.fromEntries(shown) };
    });
  }
}

/** Ids that each shown text means, by the catalog's list: thousands of resources show the same few. */
const looked = new WeakMap<readonly CatalogEntry[], Map<string, string>>();

/** The id of the one entry that a shown text means. A text that means none, or several, is returned as it came. */
function findShownEntryId(entries: readonly CatalogEntry[], shown: string): string {
  let known = looked.get(entries);
  if (!known) looked.set(entries, (known = new Map(entries.map(({ id }) => [id, id]))));
  let id = known.get(shown);
  if (id === undefined) known.set(shown, (id = lookUp(entries, shown)));
  return id;
}

function lookUp(entries: readonly CatalogEntry[], shown: string): string {
  const folded = foldNameForComparison(shown);
  // In the order of the configuration's own names for entries.
  const ways: readonly ((entry: CatalogEntry) => boolean)[] = [
    ({ name }) => name === shown,
    ({ id }) => foldNameForComparison(id) === folded,
    ({ name }) => foldNameForComparison(name) === folded,
  ];
  for (const isMeant of ways) {
    const [only, ...others] = entries.filter(isMeant);
    if (only) return others.length === 0 ? only.id : shown;
  }
  return shown;
}

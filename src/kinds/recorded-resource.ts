import type { Catalog } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import type { ManagedResource } from '../model/state/state.ts';
import { readAttributeTextList, type Attributes } from '../model/value.ts';
import { findCatalogEntryId } from './catalog.ts';
import { readIdAfterUnmanagedPrefix } from './names.ts';

/** The state's record of a resource, with the ids that its live record would have. */
export class RecordedResource {
  readonly managed: ManagedResource;
  readonly attributes: Attributes;
  readonly #catalog: Catalog;
  readonly #idAt: (kind: KindName, key: string) => string | undefined;

  /** `idAt`: the id of the resource with this key beside it; undefined where the state has none. */
  constructor(
    managed: ManagedResource,
    catalog: Catalog,
    idAt: (kind: KindName, key: string) => string | undefined,
  ) {
    this.managed = managed;
    this.attributes = managed.attributes;
    this.#catalog = catalog;
    this.#idAt = idAt;
  }

  text(name: string): string | undefined {
    const value = this.attributes[name];
    // Earlier versions stored the empty text for a value that the service did not report.
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.attributes[name];
    return typeof value === 'number' ? value : undefined;
  }

  texts(name: string): readonly string[] | undefined {
    return Array.isArray(this.attributes[name])
      ? readAttributeTextList(this.attributes, name)
      : undefined;
  }

  /** Id of a catalog entry that the resource was made with. */
  entry(name: string, list: keyof Catalog): string | undefined {
    const written = this.text(name);
    const recorded = this.managed.entryIds?.[name];
    if (recorded !== undefined) return recorded;
    return written === undefined ? undefined : findCatalogEntryId(this.#catalog[list], written);
  }

  /** Id of another resource that this one refers to. */
  reference(name: string, kind: KindName): string | undefined {
    const key = this.text(name);
    return key === undefined ? undefined : this.#idOf(kind, key);
  }

  /** The ids of other resources; undefined as a whole where one of them is unknown. */
  references(name: string, kind: KindName): readonly string[] | undefined {
    const ids = this.texts(name)?.map((key) => this.#idOf(kind, key));
    return ids?.every((id): id is string => id !== undefined) ? ids : undefined;
  }

  #idOf(kind: KindName, key: string): string | undefined {
    return readIdAfterUnmanagedPrefix(key) ?? this.#idAt(kind, key);
  }
}

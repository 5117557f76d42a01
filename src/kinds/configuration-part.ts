/** A piece of JSON Schema. It may refer to common definitions by `#/$defs/…`, and to kinds by their names. */
type SchemaPiece = Readonly<Record<string, unknown>>;

/** Part of a kind in the schema of the configuration: its `configuration.json`. */
export interface KindConfigurationSchema {
  /** The map of the kind's resources by key; for a kind of which there is one, the resource itself. */
  readonly collection: SchemaPiece;
  /** JSON Schema of one resource of the kind. */
  readonly definition: SchemaPiece & { readonly properties: Readonly<Record<string, object>> };
  /** Fields that `defaults` may give to all resources of the kind; absent for kinds without defaults. */
  readonly defaults?: SchemaPiece;
  /** The key beside `name` by which a `data` entry finds a resource of a kind without names. */
  readonly data?: Readonly<Record<string, SchemaPiece>>;
  /** Members of the kind's `lifecycle` beside those of every kind; the schema refers to it as `KINDLifecycle`. */
  readonly lifecycle?: SchemaPiece & { readonly properties: object };
  /** Further definitions of the JSON Schema that only this kind uses, by name. */
  readonly definitions?: Readonly<Record<string, SchemaPiece>>;
}

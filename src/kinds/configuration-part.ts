/** A piece of JSON Schema. It may refer to what every configuration has, by `#/$defs/…`, and to kinds by their names. */
type SchemaPiece = Readonly<Record<string, unknown>>;

/** What a kind brings to the schema of the configuration: its `configuration.json`. */
export interface ConfigurationPart {
  /** The map of its resources by key; of a kind of which there is one, the resource itself. */
  readonly collection: SchemaPiece;
  /** One resource. */
  readonly definition: SchemaPiece & { readonly properties: Readonly<Record<string, object>> };
  /** What may be given for all of them under `defaults`; absent for kinds without defaults. */
  readonly defaults?: SchemaPiece;
  /** What a `data` entry finds it by, where that is not a name: a key beside `name`. */
  readonly data?: Readonly<Record<string, SchemaPiece>>;
  /** What its `lifecycle` has beside that of every kind; it refers to that as `KINDLifecycle`. */
  readonly lifecycle?: SchemaPiece & { readonly properties: object };
  /** Definitions of its own, by their names. */
  readonly definitions?: Readonly<Record<string, SchemaPiece>>;
}

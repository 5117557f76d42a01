/** How large a configuration may be: a few lines of it can stand for any number of resources. */
export interface Bounds {
  readonly resources: number;
  /** Uses of modules, those within each other counted. */
  readonly moduleInstances: number;
  /** Of one file of YAML, in bytes. */
  readonly fileBytes: number;
}

/** What a configuration may be unless whoever runs it says otherwise. */
export const defaultBounds: Bounds = {
  resources: 150_000,
  moduleInstances: 10_000,
  fileBytes: 64 * 1024 * 1024,
};

/** Limits on the size of a configuration, of which a few lines can stand for any number of resources. */
export interface ConfigurationSizeLimits {
  readonly resources: number;
  /** The most instances of modules, nested ones included. */
  readonly moduleInstances: number;
  /** Largest size of one YAML file, in bytes. */
  readonly fileBytes: number;
}

/** Limits unless flags (`--max-resources`, …) or a server set others. */
export const defaultConfigurationSizeLimits: ConfigurationSizeLimits = {
  resources: 150_000,
  moduleInstances: 10_000,
  fileBytes: 64 * 1024 * 1024,
};

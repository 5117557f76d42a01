import { Option } from 'commander';
import { createCommandRefusal } from '../../commands/session/refuse.ts';
import {
  defaultConfigurationSizeLimits,
  type ConfigurationSizeLimits,
} from '../../model/bounds.ts';

const mega = 1024 * 1024;

/** Flags that raise a limit on a configuration's size, which no configuration may raise for itself. */
const flags = [
  {
    name: '--max-resources',
    value: 'n',
    bound: 'resources',
    unit: 1,
    words: 'how many resources a configuration may have',
  },
  {
    name: '--max-module-instances',
    value: 'n',
    bound: 'moduleInstances',
    unit: 1,
    words: 'how many module instances a configuration may have',
  },
  {
    name: '--max-file-size',
    value: 'mb',
    bound: 'fileBytes',
    unit: mega,
    words: 'how many MB a file of YAML may have',
  },
] as const;

/** Options for the flags that raise size limits of a configuration, for the program's help and its parser. */
export function listSizeLimitOptions(): readonly Option[] {
  return flags.map(({ name, value, bound, unit, words }) =>
    new Option(`${name} <${value}>`, words).default(
      defaultConfigurationSizeLimits[bound] / unit,
      String(defaultConfigurationSizeLimits[bound] / unit),
    ),
  );
}

/**
 * Reads the size limits of a configuration: the defaults, with those that flags have raised.
 * @throws DiagnosticError for a value that is no whole number above zero
 */
export function readSizeLimitFlags(
  given: Readonly<Record<string, unknown>>,
): ConfigurationSizeLimits {
  const read = flags.flatMap(({ name, bound, unit }) => {
    const text = given[new Option(name).attributeName()];
    // A value that is no text is the default of the flag, which the user did not give.
    if (typeof text !== 'string') return [];
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value === 0) {
      throw createCommandRefusal('invalid-option', `${name} takes a whole number above zero`, {
        hint: `Write for example ${name} ${defaultConfigurationSizeLimits[bound] / unit}.`,
      });
    }
    return [[bound, value * unit] as const];
  });
  return { ...defaultConfigurationSizeLimits, ...Object.fromEntries(read) };
}

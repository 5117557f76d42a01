// Permissions that the person who runs a command can give, and no YAML: each a flag that every command takes, anywhere on its
// line, and a variable of the environment for pipelines.
import { realpathSync, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { isAddressRangeList } from '../../commands/planning/probe-permission.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Permissions that the user gives by flags or variables, as the runtime names them. */
type Allowance =
  | 'allowsOutsideFiles'
  | 'allowsCommands'
  | 'allowsOtherService'
  | 'allowsOtherContract'
  | 'allowsOtherState'
  | 'allowsPlainState'
  | 'allowsPlainHttp';

interface AllowFlag {
  readonly flag: `--allow-${string}`;
  readonly description: string;
}

/**
 * The `--allow-...` flags by the permission that each gives. Only the person who runs a command can give one; no configuration
 * can.
 */
export const permissionFlags: Readonly<Record<Allowance, AllowFlag>> = {
  allowsOutsideFiles: {
    flag: '--allow-outside-files',
    description:
      'read files outside of the directory of the configuration: YAML, modules, keys, certificates, file()',
  },
  allowsCommands: {
    flag: '--allow-commands',
    description: 'run the commands that the configuration names (writeTo.command)',
  },
  allowsOtherService: {
    flag: '--allow-other-service',
    description:
      'use another service or certificate authority than the one in the state, or one that only the configuration names',
  },
  allowsOtherContract: {
    flag: '--allow-other-contract',
    description: 'use a contract file that says other things than at the last apply',
  },
  allowsOtherState: {
    flag: '--allow-other-state',
    description: 'use a state in another place, or on another host, than before',
  },
  allowsPlainState: {
    flag: '--allow-plain-state',
    description: 'read a state that is not encrypted although `encryption` is set, and encrypt it',
  },
  allowsPlainHttp: {
    flag: '--allow-plain-http',
    description:
      'send the access token, or the state, over http without encryption, also beyond this machine',
  },
};

/**
 * Name of the environment variable that gives the same permission as a flag: `HOSTWRIGHT_ALLOW_PLAIN_HTTP` for
 * `--allow-plain-http`.
 */
export function findAllowFlagVariable({ flag }: AllowFlag): string {
  return `HOSTWRIGHT_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
}

/** Permission to read environment variables from a configuration: its value lists their names. */
export const allowEnvFlag = {
  flag: '--allow-env <names>',
  variable: 'HOSTWRIGHT_ALLOW_ENV',
  description:
    'let the configuration read these variables of the environment by env(), separated by commas; can be repeated',
};

/** Permission to send probes; its value, the ranges of addresses that probes may reach, may be left out. */
export const allowProbesFlag = {
  flag: '--allow-probes [ranges]',
  variable: 'HOSTWRIGHT_ALLOW_PROBES',
  description:
    'let an apply make the probes of rollouts; loopback, private and link-local addresses only in these ranges',
};

/** Directories beside that of the configuration: a permission for some of the outside files. */
const readsFlag = {
  flag: '--reads <directory>',
  description:
    'let the configuration read files below this directory, too, such as shared modules; can be repeated',
};

/** Directories of policies, which whoever runs the command gives: those in the variable are separated as in PATH. */
export const policiesFlag = {
  flag: '--policies <directory>',
  variable: 'HOSTWRIGHT_POLICIES',
  description:
    'apply the policies in the YAML files of this directory to every plan, too; can be repeated',
};

/** The real paths of directories. @throws DiagnosticError for what is none */
function findDirectories(
  directories: readonly string[],
  cwd: string,
  example: string,
): readonly string[] {
  return directories.map((directory) => {
    try {
      const path = realpathSync.native(resolve(cwd, directory));
      if (statSync(path).isDirectory()) return path;
    } catch {
      // Reported below.
    }
    throw new DiagnosticError([
      {
        severity: 'error',
        code: 'invalid-argument',
        summary: `"${directory}" is no directory`,
        hint: `Name a directory that exists: ${example}.`,
      },
    ]);
  });
}

/** Ranges of a flag; none where it stands alone. @throws DiagnosticError for what is no range */
function readRanges(text: string): readonly string[] {
  if (/^(?:|1|true)$/i.test(text)) return [];
  if (isAddressRangeList(text)) return text.split(',');
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'invalid-argument',
      summary: `"${text}" is no list of address ranges`,
      hint: 'Write --allow-probes alone, or for example --allow-probes=10.0.0.0/8,fd00::/8.',
    },
  ]);
}

/** Permission for probes by the flag, or else by the environment; undefined where there is none. */
function readProbePermission(
  given: readonly string[],
  { [allowProbesFlag.variable]: variable = '' }: Runtime['env'],
): Runtime['probePermission'] {
  const texts = variable === '' ? given : [...given, variable];
  const allowed = texts.filter((text) => !/^(?:0|false)$/i.test(text));
  return allowed.length > 0 ? { ranges: allowed.flatMap(readRanges) } : undefined;
}

/** Adds all `--allow-...` flags to the program. */
export function addPermissionFlags(program: Command): void {
  const add = (ranges: string, before: readonly string[]) => [...before, ranges];
  program.addOption(
    new Option(allowProbesFlag.flag, allowProbesFlag.description)
      .argParser(add)
      .default([], 'none'),
  );
  const collect = (names: string, before: readonly string[]) => [...before, ...splitNames(names)];
  program.option(allowEnvFlag.flag, allowEnvFlag.description, collect, []);
  const keep = (directory: string, before: readonly string[]) => [...before, directory];
  program.addOption(
    new Option(readsFlag.flag, readsFlag.description).argParser(keep).default([], 'none'),
  );
  program.addOption(
    new Option(policiesFlag.flag, policiesFlag.description).argParser(keep).default([], 'none'),
  );
  for (const { flag, description } of Object.values(permissionFlags))
    program.option(flag, description);
}

function splitNames(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

/** Reads the permissions that are given by flags, as Commander has parsed them, or by environment variables. */
export function readPermissionFlags(
  given: Readonly<Record<string, unknown>>,
  { env, cwd }: Pick<Runtime, 'env' | 'cwd'>,
): Pick<Runtime, Allowance | 'policyDirectories' | 'readableEnv' | 'probePermission'> {
  const entries = Object.entries(permissionFlags).map(([name, one]): [string, boolean] => [
    name,
    given[new Option(one.flag).attributeName()] === true || env[findAllowFlagVariable(one)] === '1',
  ]);
  const readList = ({ flag }: { readonly flag: string }) =>
    given[new Option(flag).attributeName()] as readonly string[];
  const readableEnv = [...readList(allowEnvFlag), ...splitNames(env[allowEnvFlag.variable] ?? '')];
  const probePermission = readProbePermission(readList(allowProbesFlag), env);
  const allowed: Partial<Record<Allowance, boolean>> = Object.fromEntries(entries);
  const allowsOutsideFiles =
    allowed.allowsOutsideFiles === true ||
    findDirectories(readList(readsFlag), cwd, '--reads ../modules');
  const named = (env[policiesFlag.variable] ?? '').split(delimiter).filter((one) => one !== '');
  const all = findDirectories([...named, ...readList(policiesFlag)], cwd, '--policies ../policies');
  const policyDirectories = [...new Set(all)];
  return { ...allowed, allowsOutsideFiles, policyDirectories, readableEnv, probePermission };
}

// Destination of a secret that is shown once: one file, or the standard input of one command, and nowhere else.
import { readSecretDestination } from '../../model/write-to.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import {
  isCreateUselessWithoutAnswer,
  type ManagedResource,
  type State,
} from '../../model/state/state.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Attributes } from '../../model/value.ts';
import type { OutputFilePlace } from '../../state/files/written-file.ts';
import { claimSecretFile, isOwnerOnly, removeSecretFileRemains } from './secret-file.ts';

/** A place that keeps one secret: a file or the input of a command. */
export interface SecretSink {
  /** Name of the place in messages. */
  readonly label: string;
  /** Keeps the secret for good; rejects when it could not, with words that do not hold it. */
  keep(secret: string): Promise<void>;
  /** Removes what was prepared, so that everything is as it was before. */
  abandon(): Promise<void>;
}

/** Facts about a secret file from before this run. */
export interface RecordedSecretFile {
  /** State record of the resource whose secret the file is to hold. */
  readonly managed: Pick<ManagedResource, 'attributes'> | undefined;
  /** Tells whether a run was about to write the file, or somebody else made the token: then the state says nothing. */
  readonly isOpen: boolean;
}

/** Prepares the destination of a secret before there is a secret. @throws DiagnosticError when there can be none */
export type ClaimSecretSink = (
  attributes: Attributes | null | undefined,
  known: RecordedSecretFile,
) => Promise<SecretSink>;

/** Abilities of the runtime that `writeTo` needs. */
type Means = Pick<Runtime, 'execute' | 'env' | 'allowsCommands'>;

/**
 * Makes the function that prepares the destinations of secrets: the file or the command that `writeTo` names. A file is relative
 * to `directory`.
 */
export function makeSecretSinks(means: Means, directory: string): ClaimSecretSink {
  return async (attributes, known) => {
    const { file = '', command } = readSecretDestination(attributes);
    if (command !== undefined) return makeCommandSink(means, command);
    const isOurs = makeSecretFileOwnershipTest(file, known);
    const claimed = await claimSecretFile({ path: file, cwd: directory, root: directory, isOurs });
    return { ...claimed, label: file };
  };
}

/**
 * Tells our own file from another's: the state says that we wrote it; or, where it cannot say so, nobody but its owner
 * may read it.
 */
export function makeSecretFileOwnershipTest(
  file: string,
  { managed, isOpen }: RecordedSecretFile,
): OutputFilePlace['isOurs'] {
  const isManaged = readSecretDestination(managed?.attributes).file === file;
  return (_found, path) => isManaged || (isOpen && isOwnerOnly(path));
}

/** The environment without what is meant for Hostwright alone, the access token above all. */
function withoutOurs(env: Runtime['env']): Runtime['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^HOSTWRIGHT_/i.test(name)));
}

function makeCommandSink({ execute, env, allowsCommands }: Means, command: string): SecretSink {
  if (!allowsCommands) throw createUnallowedError();
  return {
    label: 'the command of writeTo',
    keep: async (secret) => {
      await execute(command, { input: `${secret}\n`, env: withoutOurs(env) });
    },
    abandon: () => Promise.resolve(),
  };
}

/** The refusal that a plan would give, for a command that the plan could not know of. */
function createUnallowedError(): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'command-not-allowed',
      summary: 'A command of the configuration may not run',
      detail: 'writeTo.command runs on this machine. No token was created.',
      hint: 'Read the command, and add --allow-commands.',
    },
  ]);
}

/** Removes what runs that were killed left beside the files of tokens that they were about to make. */
export async function removeAllSecretFileRemains(
  { pending, resources }: State,
  desired: readonly DesiredResource[],
  directory: string,
): Promise<void> {
  for (const one of pending.values()) {
    if (!isCreateUselessWithoutAnswer(one)) continue;
    const wanted = desired.find(({ address }) => address === one.address);
    for (const known of [wanted, resources.get(one.address)]) {
      const { file } = readSecretDestination(known?.attributes);
      if (file !== undefined) await removeSecretFileRemains(directory, file);
    }
  }
}

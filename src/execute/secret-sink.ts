// Where a secret that is shown once goes: to one file, or to the standard input of one command, and nowhere else.
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Runtime } from '../model/runtime.ts';
import { isShownOnce, type State } from '../model/state.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { claimSecretFile, removeRemains } from './secret-file.ts';

/** A place for one secret. */
export interface SecretSink {
  /** As messages call it. */
  readonly label: string;
  /** Keeps the secret for good; rejects when it could not, with words that do not hold it. */
  keep(secret: string): Promise<void>;
  /** Leaves things as they were before. */
  abandon(): Promise<void>;
}

/** Makes a place ready before there is a secret. @throws DiagnosticError when there can be none */
export type ClaimSink = (writeTo: Value | undefined) => Promise<SecretSink>;

/** Places as the configuration gives them; a file is relative to its directory. */
export function makeSinks({ execute }: Pick<Runtime, 'execute'>, directory: string): ClaimSink {
  return async (writeTo) => {
    const { file, command } = (writeTo ?? {}) as { file?: string; command?: string };
    if (command !== undefined) return makeCommandSink(execute, command);
    const path = file ?? '';
    // Where it cannot be made, claiming the file says so.
    await mkdir(dirname(resolve(directory, path)), { recursive: true, mode: 0o700 }).catch(
      () => undefined,
    );
    const claimed = await claimSecretFile({ cwd: directory }, path, true);
    return { ...claimed, label: path };
  };
}

function makeCommandSink(execute: Runtime['execute'], command: string): SecretSink {
  return {
    label: 'the command of writeTo',
    keep: async (secret) => {
      await execute(command, `${secret}\n`);
    },
    abandon: () => Promise.resolve(),
  };
}

/** Removes what runs that were killed left beside the files of tokens that they were about to make. */
export async function sweepSinks(
  { pending, resources }: State,
  desired: readonly DesiredResource[],
  directory: string,
): Promise<void> {
  for (const one of pending.values()) {
    if (!isShownOnce(one)) continue;
    const wanted = desired.find(({ address }) => address === one.address);
    for (const { attributes } of [wanted, resources.get(one.address)].filter((known) => !!known)) {
      const { file } = (attributes.writeTo ?? {}) as { file?: unknown };
      if (typeof file === 'string') await removeRemains(directory, file);
    }
  }
}

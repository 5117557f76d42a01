// The host keys of VMs, remembered by their ids in a file of the configuration. A rebuild makes new ones.
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vmKind } from '../../kinds/vm/vm.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Runtime } from '../../model/runtime.ts';
import { stateDirectoryName } from '../../state/files/files.ts';
import { makeDirectories } from '../../state/files/make-directories.ts';
import { replaceFile } from '../../state/files/replace-file.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { requireUntrackedByGit } from '../session/trust/require-safe-place.ts';

/** The file of host keys of a configuration; `directory` is absolute. */
function placeHostKeys(directory: string): string {
  return join(directory, stateDirectoryName, 'known_hosts');
}

/** Builds the alias under which SSH remembers the host key of a VM, from the VM's id. An id that is no plain word is hashed. */
export function buildHostKeyAlias(id: string): string {
  const isPlain = /^[A-Za-z0-9][\w-]{0,63}$/.test(id);
  const name = isPlain ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `hostwright-${name}`;
}

/**
 * Makes the folder for host keys. @returns the path of the file
 * @throws DiagnosticError where the file is somebody else's, or SSH could not be told its path
 */
export async function prepareHostKeyFile(
  { env }: Pick<Runtime, 'env'>,
  directory: string,
): Promise<string> {
  const path = placeHostKeys(directory);
  // SSH reads `${…}` in a path, Ansible reads two braces, and SSH has no escape for quotes.
  if (/["\\{\p{Cc}]/u.test(path)) {
    throw createCommandRefusal('ssh-path', `SSH cannot be told of the path ${path}`, {
      detail: 'It has quotes, a backslash, a brace or control characters.',
      hint: 'Move the configuration to a directory with a plain name.',
    });
  }
  const folder = join(directory, stateDirectoryName);
  makeDirectories(folder, 0o700);
  await requireUntrackedByGit({ env }, [folder]);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return path;
  throw createCommandRefusal('ssh-path', `${path} is no regular file`, {
    detail: 'Host keys are remembered in it.',
    hint: 'Remove it: the next connection makes it again.',
  });
}

/** Lists the ids of the VMs that a plan rebuilds, replaces or destroys, whose SSH host keys are invalid afterwards. */
export const listVmsLosingHostKeys = ({ changes }: Pick<Plan, 'changes'>): readonly string[] =>
  changes.flatMap(({ kind, action, id }) =>
    kind === vmKind.name && id !== null && newDisks.has(action) ? [id] : [],
  );

/** Forgets the host keys of VMs, by their ids. What cannot be written is left: SSH warns. */
export async function forgetHostKeys(directory: string, ids: readonly string[]): Promise<void> {
  const names = new Set(ids.map(buildHostKeyAlias));
  if (names.size === 0) return;
  const path = placeHostKeys(directory);
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return;
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n');
  const kept = lines.filter(
    (line) => !names.has(/^(?:\[([^\]]+)\]|([^ ,]+))/.exec(line)?.slice(1).find(Boolean) ?? ''),
  );
  if (kept.length < lines.length) await replaceFile(path, kept.join('\n')).catch(() => undefined);
}

const newDisks: ReadonlySet<string> = new Set(['rebuild', 'replace', 'delete']);

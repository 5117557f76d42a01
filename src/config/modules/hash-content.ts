// Hash of a fetched module: over the paths in their order, and the bytes of each file or the target of each link. It proves
// that content is the pinned one, wherever it was fetched from.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A file or a link of a module, by its path with slashes. */
export interface ModuleContentEntry {
  readonly path: string;
  readonly type: 'file' | 'link';
  /** Content of the file, or target of the link, as bytes. */
  readonly bytes: Uint8Array;
}

/** Limits on the content of a module, that is of its whole repository at one commit. */
export const moduleContentLimits = { files: 10_000, bytes: 64 * 1024 * 1024 };

/** Computes the hash of a module's content: `sha256:` and 64 hexadecimal digits. */
export function hashModuleEntries(entries: Iterable<ModuleContentEntry>): string {
  const hash = createHash('sha256');
  const sorted = [...entries].sort((a, b) =>
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
  );
  for (const { path, type, bytes } of sorted) {
    hash.update(`${type} ${bytes.length} ${path}\0`).update(bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}

/**
 * Computes the hash of a directory's content; undefined where the directory holds what no module may have: too much
 * content, a pipe, a device.
 */
export function hashDirectory(directory: string): string | undefined {
  const entries = [...walk(directory, '', { files: 0, bytes: 0 })];
  return entries.includes(undefined)
    ? undefined
    : hashModuleEntries(entries.filter((entry) => entry !== undefined));
}

function* walk(
  directory: string,
  below: string,
  sum: { files: number; bytes: number },
): Generator<ModuleContentEntry | undefined> {
  for (const name of readdirSync(join(directory, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const full = join(directory, path);
    const found = lstatSync(full);
    if (found.isDirectory()) {
      yield* walk(directory, path, sum);
      continue;
    }
    sum.files += 1;
    sum.bytes += found.size;
    if (sum.files > moduleContentLimits.files || sum.bytes > moduleContentLimits.bytes) {
      yield undefined;
      return;
    }
    if (found.isSymbolicLink()) {
      yield { path, type: 'link', bytes: readlinkSync(full, { encoding: 'buffer' }) };
    } else if (found.isFile()) yield { path, type: 'file', bytes: readFileSync(full) };
    else yield undefined;
  }
}

// Content of an object of the log: a first line with its kind and its writer, then its body.
import { isStateFileName, type StateFileName } from '../../files/files.ts';
import { isJsonObject, parseJsonObject, type JsonObject } from '../../../model/json-object.ts';

interface Written {
  /** ID of the lock under which the entry was written. */
  readonly by: string;
  /** Id of this write, the same in repeated attempts, by which a writer recognises its own entry. */
  readonly write: string;
}

/** Manifest of the state's log: the files of the state at one moment, and the garbage that has to be removed. */
export interface StateLogManifest {
  /** Objects that each file of the state consists of, in their order, by the name of the file. */
  readonly files: ReadonlyMap<StateFileName, readonly string[]>;
  /** Names of objects that no manifest uses any more, to be deleted. */
  readonly garbage: readonly string[];
}

/** An entry of the state's log in S3. */
export type BucketLogEntry =
  | (Written & { readonly kind: 'manifest'; readonly manifest: StateLogManifest })
  /** Entry that appends a piece to a growing text. */
  | (Written & { readonly kind: 'text'; readonly name: StateFileName; readonly text: string })
  /** Entry that closes the epoch: nothing can be written in it any more. */
  | (Written & { readonly kind: 'fence' });

/** Writes an entry of the log as text. */
export function encodeBucketLogEntry(entry: BucketLogEntry): string {
  const { kind, by, write } = entry;
  const head = { format: 1, kind, by, write, ...(kind === 'text' && { name: entry.name }) };
  const line = `${JSON.stringify(head)}\n`;
  if (kind === 'text') return line + entry.text;
  if (kind === 'fence') return line;
  const { files, garbage } = entry.manifest;
  return line + JSON.stringify({ files: Object.fromEntries(files), garbage });
}

/** Decodes an entry of the log; undefined when the text holds none. */
export function decodeBucketLogEntry(text: string): BucketLogEntry | undefined {
  const end = text.indexOf('\n');
  const head = parseJsonObject(text.slice(0, Math.max(0, end))) ?? {};
  const { format, kind, by, write, name } = head;
  if (format !== 1 || typeof by !== 'string' || typeof write !== 'string') return undefined;
  const body = text.slice(end + 1);
  if (kind === 'fence') return { kind, by, write };
  if (kind === 'text' && typeof name === 'string' && isStateFileName(name)) {
    return { kind, by, write, name, text: body };
  }
  const manifest = kind === 'manifest' ? decodeManifest(parseJsonObject(body) ?? {}) : undefined;
  return manifest && { kind: 'manifest', by, write, manifest };
}

function decodeManifest({ files, garbage }: JsonObject): StateLogManifest | undefined {
  if (!isJsonObject(files) || !areNames(garbage)) return undefined;
  const entries = Object.entries(files);
  const known: [StateFileName, readonly string[]][] = [];
  for (const [name, parts] of entries) {
    if (!isStateFileName(name) || !areNames(parts)) return undefined;
    known.push([name, parts]);
  }
  return { files: new Map(known), garbage };
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

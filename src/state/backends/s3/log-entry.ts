// What an object of the log holds: one line that says what it is and who wrote it, then its body.
import { isFileName, type FileName } from '../../files/files.ts';

interface Written {
  /** The ID of the lock under which it was written. */
  readonly by: string;
  /** Tells this write from all others: an attempt that was made twice has it twice. */
  readonly write: string;
}

/** What a state consisted of, and what has to be removed. */
export interface Manifest {
  /** By the name of a text, the objects that make it up, in their order. */
  readonly files: ReadonlyMap<FileName, readonly string[]>;
  /** Objects that nothing names any more. */
  readonly garbage: readonly string[];
}

/** An object of the log. */
export type LogEntry =
  | (Written & { readonly kind: 'manifest'; readonly manifest: Manifest })
  /** The end of a text so far. */
  | (Written & { readonly kind: 'text'; readonly name: FileName; readonly text: string })
  /** Nothing more can be written in this epoch. */
  | (Written & { readonly kind: 'fence' });

/** The text of an entry. */
export function encodeEntry(entry: LogEntry): string {
  const { kind, by, write } = entry;
  const head = { format: 1, kind, by, write, ...(kind === 'text' && { name: entry.name }) };
  const line = `${JSON.stringify(head)}\n`;
  if (kind === 'text') return line + entry.text;
  if (kind === 'fence') return line;
  const { files, garbage } = entry.manifest;
  return line + JSON.stringify({ files: Object.fromEntries(files), garbage });
}

/** Takes an entry apart; undefined when it is none. */
export function decodeEntry(text: string): LogEntry | undefined {
  const end = text.indexOf('\n');
  const head = parse(text.slice(0, Math.max(0, end)));
  const { format, kind, by, write, name } = head;
  if (format !== 1 || typeof by !== 'string' || typeof write !== 'string') return undefined;
  const body = text.slice(end + 1);
  if (kind === 'fence') return { kind, by, write };
  if (kind === 'text' && typeof name === 'string' && isFileName(name)) {
    return { kind, by, write, name, text: body };
  }
  const manifest = kind === 'manifest' ? decodeManifest(parse(body)) : undefined;
  return manifest && { kind: 'manifest', by, write, manifest };
}

function decodeManifest({ files, garbage }: Record<string, unknown>): Manifest | undefined {
  if (typeof files !== 'object' || files === null || !areNames(garbage)) return undefined;
  const entries = Object.entries(files as Record<string, unknown>);
  const known: [FileName, readonly string[]][] = [];
  for (const [name, parts] of entries) {
    if (!isFileName(name) || !areNames(parts)) return undefined;
    known.push([name, parts]);
  }
  return { files: new Map(known), garbage };
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

// The objects of a git repository in memory: blobs and commits, by names that follow from what is in them, and what
// `git fast-import` makes of the stream that the backend gives it.
import { createHash } from 'node:crypto';

/** A commit: all files by their paths, and the one before it. */
export interface Commit {
  readonly kind: 'commit';
  readonly parent: string | undefined;
  /** The names of blobs. */
  readonly files: ReadonlyMap<string, string>;
}

/** What a repository holds, by name. */
export type Objects = Map<string, Commit | { readonly kind: 'blob'; readonly text: Buffer }>;

/** What git says when a stream or a name is not what it should be. */
export class GitComplaint extends Error {}

/** The name that stands for no object. */
const noObject = '0'.repeat(40);

function nameOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** A commit that is there. @throws GitComplaint */
export function findCommit(objects: Objects, name: string): Commit {
  const found = objects.get(name);
  if (found?.kind === 'commit') return found;
  throw new GitComplaint(`fatal: Not a valid object name ${name}`);
}

/** The text of a blob, which may be named as a file of a commit. @throws GitComplaint */
export function findBlob(objects: Objects, name: string): Buffer {
  const [commit = '', path] = name.split(':');
  const id = path === undefined ? name : findCommit(objects, commit).files.get(path);
  const found = objects.get(id ?? '');
  if (found?.kind === 'blob') return found.text;
  throw new GitComplaint(`fatal: Not a valid object name ${name}`);
}

/** Copies a commit with all that it is made of, as far as it is not there. */
export function copyCommit(from: Objects, to: Objects, name: string): void {
  for (let next: string | undefined = name; next !== undefined && !to.has(next);) {
    const commit = findCommit(from, next);
    for (const blob of commit.files.values()) {
      to.set(blob, { kind: 'blob', text: findBlob(from, blob) });
    }
    to.set(next, commit);
    next = commit.parent;
  }
}

/** What `git fast-import --quiet --done` does and prints. @throws GitComplaint */
export const importStream = (objects: Objects, stream: Buffer): string =>
  new Import(objects, stream).run();

class Import {
  readonly #objects: Objects;
  readonly #stream: Buffer;
  readonly #marks = new Map<string, string>();
  #at = 0;

  constructor(objects: Objects, stream: Buffer) {
    this.#objects = objects;
    this.#stream = stream;
  }

  run(): string {
    let told = '';
    for (;;) {
      const [command = '', value = ''] = this.#readLine().split(' ');
      if (command === 'done') return told;
      if (command === 'blob') this.#readBlob();
      else if (command === 'commit') this.#readCommit();
      else if (command === 'get-mark') told += `${this.#marks.get(value) ?? ''}\n`;
      else if (command === 'reset') this.#readReset();
      else if (command !== '') throw new GitComplaint(`fatal: Unsupported command: ${command}`);
    }
  }

  #readBlob(): void {
    const mark = this.#readValue('mark');
    const text = this.#readData();
    const name = nameOf('blob', text);
    this.#objects.set(name, { kind: 'blob', text });
    this.#marks.set(mark, name);
  }

  #readCommit(): void {
    const mark = this.#readValue('mark');
    const committer = this.#readValue('committer');
    const message = this.#readData();
    let line = this.#readLine();
    let parent: string | undefined;
    if (line.startsWith('from ')) {
      parent = line.slice('from '.length);
      line = this.#readLine();
    }
    const files = new Map(parent === undefined ? [] : findCommit(this.#objects, parent).files);
    const [, kind, blob = '', written, removed] =
      /^(?:(M) 100644 (:\d+) (.+)|D (.+))$/.exec(line) ?? [];
    if (kind === 'M') files.set(written ?? '', this.#marks.get(blob) ?? '');
    else files.delete(removed ?? '');
    const name = nameOf('commit', committer, message, parent ?? '', JSON.stringify([...files]));
    this.#objects.set(name, { kind: 'commit', parent, files });
    this.#marks.set(mark, name);
  }

  #readReset(): void {
    const to = this.#readValue('from');
    if (to !== noObject) throw new GitComplaint('fatal: only scratch refs are reset');
  }

  #readValue(name: string): string {
    const line = this.#readLine();
    if (line.startsWith(`${name} `)) return line.slice(name.length + 1);
    throw new GitComplaint(`fatal: expected ${name}, got ${line}`);
  }

  #readData(): Buffer {
    const length = Number(this.#readValue('data'));
    const data = this.#stream.subarray(this.#at, this.#at + length);
    if (data.length !== length) throw new GitComplaint('fatal: EOF in data');
    this.#at += length + 1;
    return Buffer.from(data);
  }

  #readLine(): string {
    const end = this.#stream.indexOf('\n', this.#at);
    if (end < 0) throw new GitComplaint('fatal: stream ends early');
    const line = this.#stream.subarray(this.#at, end).toString('utf8');
    this.#at = end + 1;
    return line;
  }
}

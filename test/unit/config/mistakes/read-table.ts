// Tables of mistakes: what people write, and below it what they read of it. The lines that begin the blocks are the input of
// the tests, which make the others from them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frames, type FrameName } from './frames.ts';

/** What somebody writes. */
export interface Mistake {
  /** Why it stands there, where that is not to be seen. */
  readonly note: string | undefined;
  readonly frame: FrameName;
  readonly written: string;
  /** The same once a hint was followed that does not give the text itself, unless a mistake further up became that, too. */
  readonly followed: string | undefined;
}

const isFrame = (name: string): name is FrameName => name in frames;

/**
 * The mistakes of a file of this folder. Each begins with `frame  text`, perhaps below `# note`; more lines of a text stand
 * behind `|`, and what it becomes when it is mended behind `→`.
 */
export function readTable(name: string): readonly Mistake[] {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8').split('\n');
  const mistakes: { -readonly [K in keyof Mistake]: Mistake[K] }[] = [];
  let note: string | undefined;
  for (const line of lines) {
    const [, frame = '', written = ''] = /^(\w+) {2}(.*)$/.exec(line) ?? [];
    const last = mistakes.at(-1);
    if (isFrame(frame)) mistakes.push({ note, frame, written, followed: undefined });
    else if (last && line.startsWith('    → ')) last.followed = line.slice(6);
    else if (last && line.startsWith(more.trimEnd())) {
      const field = last.followed === undefined ? 'written' : 'followed';
      last[field] += `\n${line.slice(more.length)}`;
    }
    note = line.startsWith('# ') ? line.slice(2) : undefined;
  }
  return mistakes;
}

const more = '      | ';

/** A block of a table. @param said what people read of the mistake, a line each */
export function formatBlock(
  { note, frame, written, followed }: Mistake,
  said: readonly string[],
): string {
  return [
    ...(note === undefined ? [] : [`# ${note}`]),
    `${frame}  ${written.replaceAll('\n', `\n${more}`)}`,
    ...said.map((line) => `    ${line}`),
    ...(followed === undefined ? [] : [`    → ${followed.replaceAll('\n', `\n${more}`)}`]),
  ].join('\n');
}

// A console block of the documentation, carried out: its commands in this process, their output compared.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInProcess } from './run-in-process.ts';

/** A command of a block, with what is printed below it. */
export interface Shown {
  readonly command: string;
  readonly output: readonly string[];
}

/** The lines that begin with `$`, each with those that follow. */
export function readConsole(text: string): readonly Shown[] {
  const all: { command: string; output: string[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) all.push({ command: line.slice(2), output: [] });
    else all.at(-1)?.output.push(line);
  }
  return all;
}

/**
 * Runs one command as a shell would: `NAME=value` before it, `< FILE` and `> FILE` behind it, `mkdir` and `cp -r`.
 * @param surroundings - variables that it has beside its own
 * @returns what it prints: messages and progress, then results
 */
export async function runCommand(
  command: string,
  cwd: string,
  surroundings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const words = splitWords(command);
  const env: Record<string, string> = { ...surroundings };
  while (/^[A-Z_a-z]+=/.test(words[0] ?? '')) {
    const [name = '', ...value] = (words.shift() ?? '').split('=');
    env[name] = value.join('=');
  }
  const [source, target] = ['<', '>'].map((sign) => {
    const at = words.indexOf(sign);
    return at < 0 ? undefined : words.splice(at, 2)[1];
  });
  // Who is asked says yes; who reads expressions reads none.
  const typed = words.includes('console') ? '' : 'yes\n';
  const input = source === undefined ? typed : await readFile(join(cwd, source), 'utf8');
  if (words[0] === 'npx') words.shift();
  const [name, ...args] = words;
  if (name === 'mkdir') return makeDirectory(join(cwd, args.at(-1) ?? ''));
  if (name === 'cp') return copy(join(cwd, args.at(-2) ?? ''), join(cwd, args.at(-1) ?? ''));
  if (name === 'cat') return readFile(join(cwd, args[0] ?? ''), 'utf8');
  if (name !== 'hostwright') throw new Error(`A block runs no such command: ${command}`);
  const { stdout, stderr } = await runInProcess(args, { cwd, env, input });
  if (target === undefined) return `${stderr}${stdout}`;
  await writeFile(join(cwd, target), stdout);
  return stderr;
}

async function makeDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  return '';
}

async function copy(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true });
  return '';
}

/** Words of a shell: quotes keep blanks together. */
function splitWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** `…` within a line stands for any characters: a time, an id. */
function isLike(expected: string, line: string): boolean {
  const parts = expected.split('…');
  if (parts.length === 1) return line === expected;
  const pattern = parts
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(line);
}

/** True where the lines are what was printed; a line `...` stands for any lines. */
export function isPrinted(expected: readonly string[], printed: string): boolean {
  const lines = printed
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  const parts = splitAt(expected.map((line) => line.trimEnd()));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isLast
      ? lastPlace(lines, part, at, parts.length === 1)
      : findLines(lines, part, at, index === 0 ? at : lines.length);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

function splitAt(expected: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const line of expected) {
    if (line === '...') parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

/** The last part reaches to the end. */
function lastPlace(
  lines: readonly string[],
  part: readonly string[],
  from: number,
  isWhole: boolean,
): number {
  if (part.length === 0) return isWhole ? (lines.join('').length === 0 ? 0 : -1) : from;
  const at = lines.length - part.length;
  if (at < from || (isWhole && at !== 0)) return -1;
  return part.every((line, index) => isLike(line, lines[at + index] ?? '')) ? at : -1;
}

function findLines(
  lines: readonly string[],
  part: readonly string[],
  from: number,
  upTo: number,
): number {
  for (let at = from; at <= Math.min(upTo, lines.length - part.length); at += 1) {
    if (part.every((line, index) => isLike(line, lines[at + index] ?? ''))) return at;
  }
  return -1;
}

// Patterns for the paths of files, as shells have them.
import { FunctionError } from '../../expressions/parse/expression-fault.ts';

const special = /[\\^$.|+()[\]{}*?]/g;

/** A part of a pattern that has a meaning, or one character; the first group is `**` for any directories. */
const parts = /(?<=^|\/)(\*\*(?:\/|$))|\*+|\?|\[[!^]?[^\]/]+\]|[{},]|\\[^]|[^]/gu;

function quote(text: string): string {
  return text.replace(special, String.raw`\$&`);
}

/** `[!a-z]` with RE2's own sign for what is left out. */
function quoteSet(part: string): string {
  const isExcept = /^\[[!^]/.test(part);
  const inner = part.slice(isExcept ? 2 : 1, -1).replace(/[\\[\]^]/g, String.raw`\$&`);
  return `[${isExcept ? '^/' : ''}${inner}]`;
}

/** Translates a part of a pattern to RE2; `depth` is that of the braces around it. */
function translate(part: string, depth: number): string {
  if (part.startsWith('*')) return '[^/]*';
  if (part === '?') return '[^/]';
  if (part === '{') return '(?:';
  if (part === ',' && depth > 0) return '|';
  if (part === '}' && depth > 0) return ')';
  if (part.startsWith('[') && part.length > 1) return quoteSet(part);
  return quote(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
}

/**
 * A pattern of RE2 for a whole path: `*` stands for characters of one name, `**` between slashes for any directories,
 * `?` for one character, `{a,b}` for one of several, `[a-z]` for one character of several, `\\` takes what follows as
 * it is. @throws FunctionError for one that leads out of the directory
 */
export function globToPattern(glob: string): string {
  const steps = glob.split('/').filter((step) => step !== '.');
  if (steps.includes('..')) {
    throw new FunctionError(
      'fileSet() was given a pattern with `..`',
      'Name the directory in the first argument, and a pattern for paths below it.',
      'file-outside',
    );
  }
  let depth = 0;
  let made = '';
  for (const [part, directories] of steps.join('/').matchAll(parts)) {
    if (directories === undefined) made += translate(part, depth);
    else made += directories === '**' ? '.*' : '(?:[^/]+/)*';
    if (part === '{') depth += 1;
    else if (part === '}') depth = Math.max(0, depth - 1);
  }
  return `^(?s:${made}${')'.repeat(depth)})$`;
}

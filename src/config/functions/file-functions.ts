// Functions that read files, all of them by `ConfigurationFiles`: none reaches outside of the configuration's directory.
import { relative, resolve, sep } from 'node:path';
import { compileTemplate } from '../../expressions/evaluate/template.ts';
import type {
  ExpressionFunction,
  ExpressionFunctions,
} from '../../expressions/functions/define.ts';
import { compareTexts } from '../../expressions/notation/letters.ts';
import { matchPattern } from '../../expressions/notation/pattern.ts';
import { FunctionError, type ExpressionFault } from '../../expressions/parse/expression-fault.ts';
import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { NameTree, type ScopeValue } from '../../expressions/values/scope.ts';
import { InternalError } from '../../model/errors.ts';
import type { Value } from '../../model/value.ts';
import {
  describePathBase,
  type ConfigurationFiles,
  type FileReadRefusal,
} from '../source/configuration-files.ts';

/** Files that functions of expressions may read. */
export interface ReadableFunctionFiles {
  /** The directory of the configuration; paths are relative to it. Absolute. */
  readonly directory: string;
  readonly files: ConfigurationFiles;
  /** Tells whether the expressions are those of a module: its paths are relative to the same directory, and hints say so. */
  readonly isInModule?: boolean;
}

const maxFileSize = 1_000_000;
/** The most files and directories that one `fileSet()` looks at. */
const maxEntries = 10_000;
/** Cost of a system call in a function, counted in steps of the evaluation budget. */
const systemCost = 100;

function refuse(
  name: string,
  path: string,
  { code, why, hint }: FileReadRefusal,
  { isInModule }: ReadableFunctionFiles,
): FunctionError {
  const isKnownCode = code === 'file-outside' || code === 'file-unreadable';
  const summary = `${name}() cannot read \`${path}\`: ${why}`;
  const advice = isInModule === true && code === 'file-unreadable' ? describePathBase(true) : hint;
  return new FunctionError(summary, advice, isKnownCode ? code : undefined);
}

/** Reads the bytes of a file for a function. @throws FunctionError. */
function readBytes(name: string, path: string, reach: ReadableFunctionFiles): Uint8Array {
  const { files, directory } = reach;
  const content = files.read(resolve(directory, path), maxFileSize);
  if ('bytes' in content) return content.bytes;
  throw refuse(name, path, content.refusal, reach);
}

function readText(name: string, path: string, reach: ReadableFunctionFiles): string {
  const bytes = readBytes(name, path, reach);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FunctionError(
      `${name}() was given a file that is not UTF-8 text`,
      'Use `fileBase64()`.',
    );
  }
}

function exists(path: string, reach: ReadableFunctionFiles): boolean {
  const { files, directory } = reach;
  const found = files.find(resolve(directory, path));
  if ('refusal' in found) {
    if (found.refusal.system === 'ENOENT' || found.refusal.system === 'ENOTDIR') return false;
    throw refuse('fileExists', path, found.refusal, reach);
  }
  if (found.isFile) return true;
  throw new FunctionError(
    `fileExists() was given \`${path}\`, which is not a file`,
    'Use `fileSet()` to see what a directory holds.',
  );
}

/** The files below a directory, by their paths within it; `see` gets the number of entries that were read. */
function* walk(
  below: string,
  reach: ReadableFunctionFiles,
  see: (count: number) => void,
): Iterable<{ readonly shown: string; readonly refusal?: FileReadRefusal }> {
  const { files, directory } = reach;
  const top = resolve(directory, below);
  const waiting = [top];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = files.list(next);
    if ('refusal' in entries) throw refuse('fileSet', below, entries.refusal, reach);
    see(entries.length);
    for (const { path, isFile, ...entry } of entries) {
      if (isFile) yield { shown: relative(top, path).split(sep).join('/'), ...entry };
      else waiting.push(path);
    }
  }
}

function listFiles(
  below: string,
  glob: string,
  reach: ReadableFunctionFiles,
  budget: EvaluationBudget,
): Value {
  const pattern = globToPattern(glob);
  const found: string[] = [];
  let seen = 0;
  const see = (count: number) => {
    budget.spend(systemCost + 10 * count);
    seen += count;
    if (seen <= maxEntries) return;
    throw new FunctionError(
      `fileSet() found more than ${maxEntries} files and directories`,
      'Name a smaller directory.',
    );
  };
  for (const { shown, refusal } of walk(below, reach, see)) {
    if (!matchPattern(shown, pattern, budget)) continue;
    if (refusal) throw refuse('fileSet', `${below}/${shown}`, refusal, reach);
    found.push(shown);
  }
  return found.sort(compareTexts);
}

/** The number of the line of a text in which an offset lies, from 1. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The most faults of a template that a message names behind the first; the rest is counted. */
const mostFaults = 20;

function describeFault({ summary, start }: ExpressionFault, text: string): string {
  return `line ${lineAt(text, start)}: ${summary}`;
}

/** The faults of a template behind its first; undefined without any. */
function describeOthers(others: readonly ExpressionFault[], text: string): string | undefined {
  if (others.length === 0) return undefined;
  const shown = others.slice(0, mostFaults).map((one) => `  ${describeFault(one, text)}`);
  const rest = others.length - shown.length;
  return ['It also has:', ...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
}

function fillTemplate(
  path: string,
  names: Readonly<Record<string, Value>>,
  text: string,
  functions: ExpressionFunctions,
  budget: EvaluationBudget,
): ScopeValue {
  const outcome = compileTemplate(text).evaluate(NameTree.of('', names), { functions, budget });
  if (outcome.kind === 'unknown') return outcome.unknown;
  if (outcome.kind === 'fault') {
    const { fault, others = [] } = outcome;
    const { hint, code } = fault;
    throw new FunctionError(
      `templateFile() cannot evaluate \`${path}\`, ${describeFault(fault, text)}`,
      hint,
      code,
      describeOthers(others, text),
    );
  }
  const { value } = outcome;
  if (value !== null && typeof value !== 'object') return String(value);
  throw new FunctionError(
    `templateFile() gives a text, and \`${path}\` is a list, a map or null`,
    'Convert it to text with `jsonEncode()` or `yamlEncode()`.',
    'expression-type',
  );
}

function refuseRecursion(): never {
  throw new FunctionError(
    'A template cannot call templateFile()',
    'Evaluate the inner template in the configuration, and pass its text to the outer one by name.',
  );
}

/** Returns an argument as a text, which the check of the function's arguments has made sure of before the call. */
export function requireTextArgument(argument: Value | undefined): string {
  if (typeof argument === 'string') return argument;
  throw new InternalError('an argument of a function was not checked');
}

/** Makes the functions that read files. Templates may call the other functions and these, but not `templateFile()` itself. */
export function makeFileFunctions(
  reach: ReadableFunctionFiles,
  others: ExpressionFunctions,
): ExpressionFunctions {
  const plain: ExpressionFunctions = {
    file: ([path]) => readText('file', requireTextArgument(path), reach),
    fileBase64: ([path]) =>
      Buffer.from(readBytes('fileBase64', requireTextArgument(path), reach)).toString('base64'),
    fileExists: ([path]) => exists(requireTextArgument(path), reach),
    fileSet: ([directory, pattern], budget) =>
      listFiles(requireTextArgument(directory), requireTextArgument(pattern), reach, budget),
  };
  const inTemplates = { ...others, ...plain, templateFile: refuseRecursion };
  const all: ExpressionFunctions = {
    ...plain,
    templateFile: ([path, names], budget) => {
      const text = readText('templateFile', requireTextArgument(path), reach);
      const given = names as Readonly<Record<string, Value>>;
      return fillTemplate(requireTextArgument(path), given, text, inTemplates, budget);
    },
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, call]): [string, ExpressionFunction] => [
      name,
      (values, budget) => {
        budget.spend(systemCost);
        return call(values, budget);
      },
    ]),
  );
}

// Patterns for the paths of files, as shells have them.

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
function globToPattern(glob: string): string {
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

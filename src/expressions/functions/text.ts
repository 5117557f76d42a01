// Functions that work on texts.
import type { Value } from '../../model/value.ts';
import { refuseLongText, type EvaluationBudget } from '../values/budget.ts';
import { replacePattern } from '../notation/pattern.ts';
import { defineFunction, defineCostlyFunction } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import {
  isWhiteSpace,
  toLowerCaseText,
  toUpperCaseText,
  capitalizeWords,
  splitCharacters,
  trimEnds,
} from '../notation/letters.ts';
import { formatNumberWithoutExponent } from '../notation/print-number.ts';

/** A value as a part of a text. @throws FunctionError for null, a list or a map */
function printPart(value: Value): string {
  if (typeof value === 'number') return formatNumberWithoutExponent(value);
  if (value !== null && typeof value !== 'object') return String(value);
  throw new FunctionError(
    `join() takes texts, numbers and true or false, not ${value === null ? 'null' : Array.isArray(value) ? 'a list' : 'a map'}`,
    'Choose a part of the value, or make a text of it with `jsonEncode()`.',
    'expression-type',
  );
}

function joinLists(separator: string, ...lists: readonly (readonly Value[])[]): string {
  const parts = lists.flatMap((list) => list.map(printPart));
  refuseLongText(parts.reduce((sum, one) => sum + one.length + separator.length, 0));
  return parts.join(separator);
}

function splitText(separator: string, text: string): readonly string[] {
  if (text === '') return [''];
  return separator === '' ? Array.from(text) : text.split(separator);
}

function cutOut(budget: EvaluationBudget, text: string, offset: number, length: number): string {
  const all = splitCharacters(text, budget);
  const start = offset < 0 ? Math.max(0, all.length + offset) : offset;
  return all.slice(start, length < 0 ? undefined : start + length).join('');
}

/** Between slashes, what is replaced is a pattern; undefined for a plain text. */
function readPattern(part: string): string | undefined {
  return /^\/(.*)\/$/s.exec(part)?.[1];
}

function replaceParts(budget: EvaluationBudget, text: string, part: string, by: string): string {
  const pattern = readPattern(part);
  if (pattern !== undefined) return replacePattern(text, pattern, by, budget);
  // An empty search text matches before each character and at the end.
  const pieces = part === '' ? ['', ...Array.from(text), ''] : text.split(part);
  refuseLongText(text.length + pieces.length * by.length);
  return pieces.join(by);
}

function indentLines(spaces: number, text: string): string {
  if (spaces < 0) throw new FunctionError('indent() takes 0 or more spaces', 'Give 2, or 4.');
  const lines = text.split('\n');
  refuseLongText(text.length + lines.length * spaces);
  return lines.join(`\n${' '.repeat(spaces)}`);
}

export const textFunctions = [
  defineFunction(
    {
      is: 'join(separator: text, list: list, ...lists: list): text',
      does: 'The items of one or more lists as one text, with the separator between them.',
      example: ['join(", ", ["a", "b", 3])', 'a, b, 3'],
    },
    joinLists,
  ),
  defineFunction(
    {
      is: 'split(separator: text, value: text): list',
      does: 'The parts of a text between the separators.',
      example: ['split(",", "a,b,c")', ['a', 'b', 'c']],
    },
    splitText,
  ),
  defineFunction(
    {
      is: 'upper(value: text): text',
      does: 'The text in capital letters.',
      example: ['upper("grün")', 'GRÜN'],
    },
    toUpperCaseText,
  ),
  defineFunction(
    {
      is: 'lower(value: text): text',
      does: 'The text in small letters.',
      example: ['lower("EU-West")', 'eu-west'],
    },
    toLowerCaseText,
  ),
  defineFunction(
    {
      is: 'title(value: text): text',
      does: 'The text with a capital letter at the start of each word.',
      example: ['title("hello world")', 'Hello World'],
    },
    capitalizeWords,
  ),
  defineFunction(
    {
      is: 'trim(value: text, characters?: text): text',
      does: 'The text without white space at both ends, or without the given characters.',
      example: ['trim("?!hello?!", "!?")', 'hello'],
    },
    (text: string, characters?: string) => {
      const cut = new Set(characters);
      return trimEnds(text, characters === undefined ? isWhiteSpace : (one) => cut.has(one));
    },
  ),
  defineFunction(
    {
      is: 'trimPrefix(value: text, prefix: text): text',
      does: 'The text without the prefix, if it starts with it.',
      example: ['trimPrefix("web-01", "web-")', '01'],
    },
    (text: string, prefix: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
  ),
  defineFunction(
    {
      is: 'trimSuffix(value: text, suffix: text): text',
      does: 'The text without the suffix, if it ends with it.',
      example: ['trimSuffix("db.example.com", ".example.com")', 'db'],
    },
    (text: string, suffix: string) =>
      suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  defineCostlyFunction(
    {
      is: 'replace(value: text, part: text, by: text): text',
      does: 'The text with every occurrence of a part replaced. A part between slashes is an RE2 pattern. Then `$1` and `$name` in the replacement are its groups.',
      example: ['replace("a.b.c", ".", "-")', 'a-b-c'],
    },
    (budget) => (text: string, part: string, by: string) => replaceParts(budget, text, part, by),
  ),
  defineCostlyFunction(
    {
      is: 'substr(value: text, offset: integer, length: integer): text',
      does: 'A part of a text. A negative offset counts from the end. A length of -1 takes the rest.',
      example: ['substr("frontend", 0, 5)', 'front'],
    },
    (budget) => (text: string, offset: number, length: number) =>
      cutOut(budget, text, offset, length),
  ),
  defineFunction(
    {
      is: 'startsWith(value: text, prefix: text): bool',
      does: 'True if the text starts with the prefix. CEL also has `value.startsWith(prefix)`.',
      example: ['startsWith("web-01", "web-")', true],
    },
    (text: string, prefix: string) => text.startsWith(prefix),
  ),
  defineFunction(
    {
      is: 'endsWith(value: text, suffix: text): bool',
      does: 'True if the text ends with the suffix. CEL also has `value.endsWith(suffix)`.',
      example: ['endsWith("key.pub", ".pub")', true],
    },
    (text: string, suffix: string) => text.endsWith(suffix),
  ),
  defineFunction(
    {
      is: 'indent(spaces: integer, value: text): text',
      does: 'The text with that many spaces before each line but the first.',
      example: ['indent(2, "a:\\nb")', 'a:\n  b'],
    },
    indentLines,
  ),
];

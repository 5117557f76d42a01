import type { Diagnostic } from '../../../../src/model/diagnostic.ts';

/** Hints that say what to write in place of what they point at. */
const replacing = [
  /^Write `([^`]+)`(?:\.|, (?:with|or|for)\b|: (?:the|a)\b)/,
  /^Write `([^`]+)` (?:alone, without|for a key)\b/,
  /^Write the keys? alone: `([^`]+)`\.$/,
  /^Did you mean `([^`]+)`\?$/,
  /^Name one of them, for example `([^`]+)`\.$/,
  /^Use `([^`]+)`(?:\.|, the\b)/,
  /^Write a list: (\[.+\])\.$/,
  /^Put (?:it|a text) in quotes: `?(.+?)`?\.$/,
];

/** What is left to whoever reads the hint: `list.map(x, …)`, `module.NAME`, `condition ? a : b`. */
const open = /…|\b[A-Z]{3,}\b|\bcondition\b|\((?:a, b|x|value|text|list|map)\)/;

const findProposal = (hint: string): string | undefined => {
  for (const form of replacing) {
    const text = form.exec(hint)?.[1];
    if (text !== undefined && !open.test(text)) return text;
  }
  return undefined;
};

/** True for a hint with a text to be written. */
export const proposes = (hint: string): boolean => findProposal(hint) !== undefined;

const offsetOf = (text: string, line: number, column: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((all, { length }) => all + length + 1, column - 1);

/** The file with what a hint proposes in the place that it points at; undefined for a hint that proposes otherwise. */
export function followHint(text: string, { hint = '', source }: Diagnostic): string | undefined {
  const proposal = findProposal(hint);
  if (proposal === undefined || !source) return undefined;
  const start = offsetOf(text, source.line, source.column);
  const end = offsetOf(text, source.endLine, source.endColumn);
  // Of a call, its name is proposed.
  const isCall = proposal.endsWith('()');
  const name = /^[\w.]*/.exec(text.slice(start, end))?.[0] ?? '';
  return isCall
    ? text.slice(0, start) + proposal.slice(0, -2) + text.slice(start + name.length)
    : text.slice(0, start) + proposal + text.slice(end);
}

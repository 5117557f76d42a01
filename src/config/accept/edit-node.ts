// Edits of YAML that put another value in the place of one: comments, order and all other text stay.
import type { AcceptDriftWay, TextEdit } from '../../model/plan/drift-choice.ts';
import { replaceUnsafeCharacters, spellEscapedCharacter } from '../../model/text/unsafe-text.ts';
import { isEqual, type Value } from '../../model/value.ts';
import { writeYamlScalar } from '../format/write-scalar.ts';
import type { LocatedYamlNode, YamlEntry } from '../source/located-node.ts';
import { toSourceRange, type SourceFile, type SourceTextRange } from '../source/source-file.ts';

type Context = 'value' | 'flow';

/** Writes a value as YAML on one line. */
function writeValue(value: Value, context: Context): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeValue(item, 'flow')).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  // A literal `${` is written `$${`, as it would begin an expression.
  const text = value.replaceAll('${', () => '$${');
  const quoted = JSON.stringify(text);
  // YAML's escapes write what must not stand raw in a file that people open, or begins like a command of a CI log.
  if (replaceUnsafeCharacters(text, () => '') !== text || /^\s*::/.test(text)) {
    return replaceUnsafeCharacters(quoted, spellEscapedCharacter);
  }
  const scalar = {
    kind: 'scalar',
    props: [],
    style: 'double',
    lines: [quoted],
    value: text,
  } as const;
  return writeYamlScalar(scalar, context).join(' ');
}

function makeEdit(file: SourceFile, start: number, end: number, text: string): TextEdit {
  return { source: toSourceRange({ file, start, end }), start, end, text };
}

function byHand(place: SourceTextRange, why: string): AcceptDriftWay {
  return { kind: 'by-hand', why, source: toSourceRange(place) };
}

const lineStart = ({ text }: SourceFile, at: number) => text.lastIndexOf('\n', at - 1) + 1;

function lineEnd({ text }: SourceFile, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end - Number(text[end - 1] === '\r');
}

const lineBreak = ({ text }: SourceFile) => (text.includes('\r\n') ? '\r\n' : '\n');

const slice = ({ file, start, end }: SourceTextRange) => file.text.slice(start, end);

/** Tells whether a value is written by an alias, or has an anchor or a tag, so that other values may be the same text. */
function isShared(node: SourceTextRange, behind: number): boolean {
  const before = node.file.text.slice(behind, node.start).replaceAll(/#.*/g, '');
  return slice(node).startsWith('*') || /[&!]/.test(before);
}

/** Tells whether a value is within brackets or braces, where more characters need quotes. */
function isInFlow(node: SourceTextRange, block: SourceTextRange): boolean {
  return /^[[{]/.test(slice(block)) || /[[{]/.test(node.file.text.slice(block.start, node.start));
}

/**
 * Computes the edits of the YAML that change the value of an entry; where that is not safe, the reason why it has to be
 * done by hand.
 */
export function computeYamlEntryEdit(
  { key, value: node }: YamlEntry,
  value: Value,
  block: SourceTextRange,
): AcceptDriftWay {
  if (isShared(node, key.end)) {
    return byHand(
      node,
      'Its text has an anchor, an alias or a tag, so that other values may depend on it.',
    );
  }
  if (node.kind === 'map') return editMap(node, value);
  const context = isInFlow(node, block) ? 'flow' : 'value';
  if (node.kind === 'list') return editList(key, node, value);
  if (node.value === null) return byHand(node, 'Nothing is written behind its key.');
  if (Array.isArray(value)) return byHand(node, 'It is no list in the file.');
  // The node of a block scalar includes the line break behind it, which is no part of the value: it stays.
  const end = node.start + slice(node).trimEnd().length;
  return {
    kind: 'edits',
    edits: [makeEdit(node.file, node.start, end, writeValue(value, context))],
  };
}

function editMap(node: LocatedYamlNode & { kind: 'map' }, value: Value): AcceptDriftWay {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return byHand(node, 'It is a map in the file.');
  }
  const edits: TextEdit[] = [];
  for (const [name, entry] of node.entries) {
    const wanted = value[name];
    if (wanted === undefined) return byHand(entry.key, `The account has no \`${name}\`.`);
    if (entry.value.kind === 'scalar' && entry.value.value === wanted) continue;
    const way = computeYamlEntryEdit(entry, wanted, node);
    if (way.kind === 'by-hand') return way;
    edits.push(...way.edits);
  }
  return { kind: 'edits', edits };
}

function editList(
  key: SourceTextRange,
  node: LocatedYamlNode & { kind: 'list' },
  value: Value,
): AcceptDriftWay {
  if (!Array.isArray(value)) return byHand(node, 'It is a list in the file.');
  const { file, items, start, end } = node;
  const written = items.map((item) => (item.kind === 'scalar' ? item.value : undefined));
  const isOdd = items.some((item, at) => isShared(item, items[at - 1]?.end ?? start));
  if (written.includes(undefined) || isOdd) {
    return byHand(node, 'Its items are written in a way that only a person can change.');
  }
  const wanted = value;
  const stays = (item: Value | undefined) => wanted.some((one) => isEqual(one, item ?? null));
  const added = wanted.filter((one) => !written.some((item) => isEqual(item ?? null, one)));
  if (slice(node).startsWith('[')) {
    if (slice(node).includes('#')) return byHand(node, 'There are comments between its brackets.');
    const kept = items.filter((_, at) => stays(written[at])).map(slice);
    const text = `[${[...kept, ...added.map((one) => writeValue(one, 'flow'))].join(', ')}]`;
    return { kind: 'edits', edits: [makeEdit(file, start, end, text)] };
  }
  const removed = items.filter((_, at) => !stays(written[at]));
  const texts = added.map((one) => writeValue(one, 'value'));
  const edits = removed
    .slice(0, texts.length)
    .map((item, at) => makeEdit(file, item.start, item.end, texts[at] ?? ''));
  const rest = removed.slice(texts.length);
  const lines = rest.map((item) => [lineStart(file, item.start), lineEnd(file, item.end)] as const);
  const isAlone = ([from, to]: readonly [number, number]) =>
    /^\s*- [^#]*$/.test(file.text.slice(from, to));
  if (!lines.every(isAlone)) return byHand(node, 'An item that goes has a comment on its line.');
  if (wanted.length === 0) {
    if (slice(node).includes('#')) return byHand(node, 'There are comments between its items.');
    return {
      kind: 'edits',
      edits: [makeEdit(file, key.end, start + slice(node).trimEnd().length, ': []')],
    };
  }
  const line = lineBreak(file);
  edits.push(...lines.map(([from, to]) => makeEdit(file, from - line.length, to, '')));
  const last = items.at(-1);
  const more = texts.slice(removed.length);
  if (last && more.length > 0) {
    const [indent = ''] = /^\s*/.exec(file.text.slice(lineStart(file, last.start))) ?? [];
    const at = lineEnd(file, last.end);
    edits.push(makeEdit(file, at, at, more.map((text) => `${line}${indent}- ${text}`).join('')));
  }
  return { kind: 'edits', edits };
}

/**
 * Computes the edits of the YAML that add an entry at the beginning of a block; where that is not safe, the reason why
 * it has to be done by hand.
 */
export function computeYamlEntryAddition(
  { key, value: node }: YamlEntry,
  name: string,
  value: Value,
): AcceptDriftWay {
  const { file } = node;
  const [first] = node.kind === 'map' ? node.entries.values() : [];
  if (slice(node).startsWith('{')) {
    const at = node.start + 1;
    const text = ` ${name}: ${writeValue(value, 'flow')}${first ? ',' : ' '}`;
    return { kind: 'edits', edits: [makeEdit(file, at, at, text)] };
  }
  const at = lineEnd(file, key.end);
  const indent = first && file.text.slice(lineStart(file, first.key.start), first.key.start);
  if (
    indent === undefined ||
    first?.key.file !== file ||
    first.key.start < at ||
    /\S/.test(indent)
  ) {
    return byHand(
      key,
      `Its block has no \`${name}\`: add \`${name}: ${writeValue(value, 'value')}\`.`,
    );
  }
  const text = `${lineBreak(file)}${indent}${name}: ${writeValue(value, 'value')}`;
  return { kind: 'edits', edits: [makeEdit(file, at, at, text)] };
}

/** Applies edits to a text; no two of them overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), text);
}

import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { replaceUnsafeCharacters } from '../../model/text/unsafe-text.ts';
import type { YamlScalarLayout } from './layout.ts';

/** Context in which a scalar is written: one that needs quotes in brackets may need none elsewhere. */
export type YamlScalarContext = 'key' | 'value' | 'flow';

/** A document with the text in each context, for parsing it there. */
const frames: Readonly<Record<YamlScalarContext, (text: string) => string>> = {
  key: (text) => `${text}: 1`,
  value: (text) => `k: ${text}`,
  flow: (text) => `[${text}]`,
};

function pickScalar(contents: unknown, place: YamlScalarContext): unknown {
  if (isSeq(contents)) return contents.items.length === 1 ? contents.items[0] : undefined;
  if (!isMap(contents)) return undefined;
  const [pair] = contents.items;
  return contents.items.length === 1 ? pair?.[place === 'key' ? 'key' : 'value'] : undefined;
}

/**
 * Versions of YAML that must read a text as itself: words that 1.1 takes for something else are quoted (`yes`, `0o7`,
 * `1:30`).
 */
const versions = ['1.2', '1.1'] as const;

const known: Record<YamlScalarContext, Map<string, boolean>> = {
  key: new Map(),
  value: new Map(),
  flow: new Map(),
};
const mostKnown = 10_000;

/** Tells whether every version of YAML reads a text as itself without quotes. */
function isPlain(value: string, place: YamlScalarContext): boolean {
  const answers = known[place];
  const before = answers.get(value);
  if (before !== undefined) return before;
  const answer = findPlain(value, place);
  if (answers.size >= mostKnown) answers.clear();
  answers.set(value, answer);
  return answer;
}

function findPlain(value: string, place: YamlScalarContext): boolean {
  // Quotes for words that other readers take for true or null, and for invisible characters.
  if (!/^[\x21-\x7e\xa1-\uffff](?:[\x20-\x7e\xa1-\uffff]*[\x21-\x7e\xa1-\uffff])?$/.test(value))
    return false;
  if (
    /^[?:-](?=\s|$)|^(?:y|n|<<)$/i.test(value) ||
    replaceUnsafeCharacters(value, () => '') !== value
  )
    return false;
  return versions.every((version) => {
    const document = parseDocument(frames[place](value), { version, logLevel: 'silent' });
    if (document.errors.length + document.warnings.length > 0) return false;
    const scalar = pickScalar(document.contents, place);
    return isScalar(scalar) && scalar.value === value;
  });
}

/** Quotes as they read best: double ones, unless the text itself has some. */
function quote(value: string): string {
  const escaped = JSON.stringify(value);
  const isClear = escaped.slice(1, -1) === value;
  return isClear || value.includes("'") || /[\p{Cc}\p{Cf}]/u.test(value) ? escaped : `'${value}'`;
}

/** Writes a scalar as YAML; the first of its lines goes behind its key or dash. */
export function writeYamlScalar(
  scalar: YamlScalarLayout,
  place: YamlScalarContext,
): readonly string[] {
  const { style, lines, value } = scalar;
  if (style === 'alias' || lines.length > 1) return lines;
  const [text = ''] = lines;
  // A text without quotes is plain already, unless the brackets in it were replaced by letters.
  if (style === 'plain') return [place === 'flow' && /[[\]{},]/.test(text) ? quote(value) : text];
  if (isPlain(value, place)) return [value];
  // A text with escapes stays double-quoted, with the escapes as its author chose them.
  if (style === 'double' && text.includes('\\') && !/^"(?:[^\\]|\\")*"$/.test(text)) return [text];
  if (style === 'single' && value.includes('\\')) return [text];
  return [quote(value)];
}

// Texts with `${…}` in them: where the expressions stand, and what the text is once they have values.
import type { LocatedNode, ScalarNode } from './located-node.ts';
import type { Place } from './source-file.ts';

/** A piece of a text: as it stands, or an expression between `${` and `}`. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'expression';
      readonly code: string;
      /** Offset of its `${` in the text. */
      readonly offset: number;
      readonly isClosed: boolean;
    };

/** Offset of the brace that closes an expression; braces and quotes inside it are stepped over. */
function findEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== undefined) {
      if (character === '\\') at += 1;
      else if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** Takes a text apart. `$${` stands for a plain `${`. */
export function parseTemplate(text: string): Segment[] {
  if (!text.includes('${')) return [{ kind: 'text', text }];
  const segments: Segment[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = findEnd(text, at + 2);
      if (literal) segments.push({ kind: 'text', text: literal });
      literal = '';
      const code = text.slice(at + 2, end).trim();
      segments.push({ kind: 'expression', code, offset: at, isClosed: end !== undefined });
      at = end === undefined ? text.length : end + 1;
    } else {
      literal += text.charAt(at);
      at += 1;
    }
  }
  if (literal || segments.length === 0) segments.push({ kind: 'text', text: literal });
  return segments;
}

/** The place of an expression in the file: quotes and indentation make text and file differ. */
export function locateExpression(node: ScalarNode, offset: number): Place {
  const { file, start, end } = node;
  const raw = file.text.slice(start, end);
  const text = String(node.value);
  let from = raw.indexOf('${');
  for (let at = text.indexOf('${'); at >= 0 && at < offset; at = text.indexOf('${', at + 2)) {
    from = raw.indexOf('${', from + 2);
  }
  if (from < 0) return node;
  const close = findEnd(raw, from + 2) ?? raw.length - 1;
  return { file, start: start + from, end: start + close + 1 };
}

/** A text that is the same for every instance, or one of its own for each index. */
export type Template = string | ((index: number) => string);

/** Reads a text whose only expression may be `${each.index}`; undefined when it is none, or holds another. */
export function readTemplate(node: LocatedNode | undefined): Template | undefined {
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  const segments = parseTemplate(node.value);
  const parts: (string | undefined)[] = [];
  for (const segment of segments) {
    if (segment.kind === 'text') parts.push(segment.text);
    else if (segment.code === 'each.index' && segment.isClosed) parts.push(undefined);
    else return undefined;
  }
  if (!parts.includes(undefined)) return parts.join('');
  return (index) => parts.map((part) => part ?? String(index)).join('');
}

/** Reads a text without expressions; undefined when it is none. */
export function readText(node: LocatedNode | undefined): string | undefined {
  const template = readTemplate(node);
  return typeof template === 'string' ? template : undefined;
}

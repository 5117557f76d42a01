import type { YamlScalarNode } from './located-node.ts';
import type { SourceTextRange } from './source-file.ts';

/** The number of characters of an escape in a double-quoted text. */
function escapeLength(raw: string, at: number): number {
  const kind = raw.charAt(at + 1);
  if (kind === 'x') return 4;
  if (kind === 'u') return 6;
  if (kind === 'U') return 10;
  return kind === '\r' && raw.charAt(at + 2) === '\n' ? 3 : 2;
}

/** Offset in the file of the first character of the text: behind a quote, or behind the first line of a block. */
function findStart(raw: string): number {
  const first = raw.charAt(0);
  if (first === '"' || first === "'") return 1;
  return first === '|' || first === '>' ? raw.indexOf('\n') + 1 : 0;
}

/**
 * For offsets of a parsed text, in ascending order, the offsets in its source. Characters of the source that are not in the
 * text are stepped over: indentation, folded line breaks, the second of two quotes.
 */
function alignOffsets(raw: string, text: string, offsets: readonly number[]): number[] {
  const isDouble = raw.startsWith('"');
  const isSingle = raw.startsWith("'");
  const found: number[] = [];
  let at = findStart(raw);
  let done = 0;
  for (const offset of offsets) {
    while (done < offset && at < raw.length) {
      const character = raw.charAt(at);
      if (isDouble && character === '\\') {
        const length = escapeLength(raw, at);
        // An escaped line break of a quoted text stands for no character.
        if (!'\r\n'.includes(raw.charAt(at + 1)))
          done += length === 10 && (text.codePointAt(done) ?? 0) > 0xffff ? 2 : 1;
        at += length;
      } else if (isSingle && character === "'") {
        at += 2;
        done += 1;
      } else {
        if (character === text[done] || (character === '\n' && text[done] === ' ')) done += 1;
        at += 1;
      }
    }
    // Indentation before the sought character is no part of the value.
    const wanted = text[offset];
    while (wanted !== undefined && /\s/.test(raw.charAt(at)) && raw.charAt(at) !== wanted) at += 1;
    found.push(at);
  }
  return found;
}

/** Finds the range of a part of a text in its file; the range of the whole value where the part cannot be located. */
export function locateText(node: YamlScalarNode, start: number, end: number): SourceTextRange {
  const { file } = node;
  const raw = file.text.slice(node.start, node.end);
  const text = typeof node.value === 'string' ? node.value : '';
  // The text of an alias was written at its anchor, so it has no offsets here.
  if (raw.startsWith('*') || text === '') return node;
  const [from = 0, last = 0] = alignOffsets(raw, text, [start, Math.max(start, end - 1)]);
  const isWhole = from >= raw.length;
  return isWhole
    ? node
    : { file, start: node.start + from, end: Math.min(node.start + last + 1, node.end) };
}

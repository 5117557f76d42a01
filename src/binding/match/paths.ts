// The parts of the paths of a document.
import { type NameWords, splitWords } from '../vocabulary/words.ts';

/** A segment of a path in the API document. */
export interface PathSegment {
  readonly text: string;
  /** Words of the segment; of a parameter, those of its name. */
  readonly words: NameWords;
  readonly isParam: boolean;
}

const parsed = new Map<string, readonly PathSegment[]>();

/** The parts of a path; what stands behind a parameter in the same segment is a part of its own. */
export function parseApiPath(path: string): readonly PathSegment[] {
  const known = parsed.get(path);
  if (known) return known;
  const segments = path
    .split('/')
    .slice(1)
    .flatMap((text) => text.split(/(\{[^{}]*\})|[:.](?=[a-z])/i).filter(Boolean))
    .map((text): PathSegment => {
      const isParam = text.startsWith('{');
      const name = isParam ? text.slice(1, -1) : text;
      return { text: name, words: splitWords(name), isParam };
    })
    .filter(({ text }) => text !== '' && text !== 'json');
  parsed.set(path, segments);
  return segments;
}

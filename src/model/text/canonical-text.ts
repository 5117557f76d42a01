import canonicalize from 'canonicalize';
import { generateJsonChunks } from './json-parts.ts';

/** An escaped backslash, or half a character, which JSON has as an escape and the canonical form refuses. */
const halfCharacter = /\\(\\|ud[89a-f][0-9a-f]{2})/g;

/**
 * A value as JSON in its one canonical form (RFC 8785), for hashes: without what is undefined, its keys sorted. Half a
 * character stands in it as the text of its escape.
 */
export function formatCanonicalJson(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? 'null';
  const whole = text.replace(halfCharacter, (found, escape: string) =>
    escape === '\\' ? found : `\\${found}`,
  );
  return canonicalize(JSON.parse(whole)) ?? '';
}

/** The canonical text in parts, in order, so that a large one is never in memory as a whole. */
export function listCanonicalJsonParts(value: object): Generator<string> {
  return generateJsonChunks(value, {
    keysOf: (one) => Object.keys(one).sort(),
    format: formatCanonicalJson,
  });
}

import { createHash } from 'node:crypto';
import { listCanonicalJsonParts } from '../model/text/canonical-text.ts';
import { joinTextChunks } from '../model/text/json-parts.ts';

/** Computes the SHA-256 of a value in its canonical form, in hexadecimal digits; equal values have equal hashes. */
export function hashCanonicalJson(value: object): string {
  const hash = createHash('sha256');
  for (const piece of joinTextChunks(listCanonicalJsonParts(value))) hash.update(piece);
  return hash.digest('hex');
}

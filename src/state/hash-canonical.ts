import { createHash } from 'node:crypto';
import { listCanonicalParts } from '../model/text/canonical-text.ts';
import { gatherPieces } from '../model/text/json-parts.ts';

/** The SHA-256 of a value in its canonical form, in hexadecimal digits: equal for equal values. */
export function hashCanonical(value: object): string {
  const hash = createHash('sha256');
  for (const piece of gatherPieces(listCanonicalParts(value))) hash.update(piece);
  return hash.digest('hex');
}

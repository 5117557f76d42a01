import { createHash } from 'node:crypto';
import { listCanonicalJsonParts } from '../model/text/canonical-text.ts';
import { gatherTextPieces } from '../model/text/json-parts.ts';

/** The SHA-256 of a value in its canonical form, in hexadecimal digits: equal for equal values. */
export function hashCanonicalJson(value: object): string {
  const hash = createHash('sha256');
  for (const piece of gatherTextPieces(listCanonicalJsonParts(value))) hash.update(piece);
  return hash.digest('hex');
}

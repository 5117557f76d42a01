import { listFields } from '../../kinds/list-fields.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { readAttributeText } from '../../model/value.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import { locateFinding } from '../../model/place-of.ts';
import { isUnchangedLiveValue, type PlanCheck } from '../check.ts';

/** Characters as people count them for a cap: code points, not the halves of an emoji. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

/**
 * A text that is too long, or may be: by what a service counts for its caps is not known. Bytes are the most that it can be.
 */
function measure(text: string, limit: number): 'fits' | 'may-fit' | 'too-long' {
  if (countCharacters(text) > limit) return 'too-long';
  return Buffer.byteLength(text) > limit ? 'may-fit' : 'fits';
}

/** Finds names and public keys that the service would reject for their length. Values that stay as they are pass. */
export const checkNameLengths: PlanCheck = ({ plan, desired, live }) => {
  const findings: Finding[] = [];
  for (const change of plan.changes) {
    const resource = desired.get(change.address);
    if (!resource) continue;
    const kind = kindRegistry[change.kind];
    for (const [attribute, { cap }] of listFields(kind)) {
      if (cap === undefined) continue;
      const limit = live.nameLengths[cap.name];
      const text = readAttributeText(resource.attributes, attribute);
      if (limit === null || isUnchangedLiveValue(change, attribute, text)) continue;
      const length = countCharacters(text);
      const fit = measure(text, limit);
      if (fit === 'fits') continue;
      if (fit === 'may-fit') {
        findings.push({
          severity: 'warning',
          code: 'may-be-too-long',
          summary: `The ${attribute === 'name' ? 'name' : 'public key'} of this ${kind.label} has ${length} characters and ${Buffer.byteLength(text)} bytes, the service takes ${limit}`,
          detail:
            'A service that counts bytes, or halves of characters, refuses it during the apply.',
          hint: `Shorten it to ${limit} bytes to be sure: a character that is not in ASCII has 2 to 4.`,
          ...locateFinding(resource, attribute),
        });
        continue;
      }
      findings.push({
        severity: 'error',
        code: attribute === 'name' ? 'name-too-long' : 'public-key-too-long',
        summary: `The ${attribute === 'name' ? 'name' : 'public key'} of this ${kind.label} has ${length} characters, the service takes ${limit}`,
        ...(attribute === 'name' && { detail: `The name is "${escapeLineEnds(text)}".` }),
        hint:
          attribute === 'name'
            ? `Shorten it by ${length - limit} or more.`
            : 'Use a key of a shorter type, such as ssh-ed25519, or shorten its comment.',
        ...locateFinding(resource, attribute),
      });
    }
  }
  return findings;
};

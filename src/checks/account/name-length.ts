import { kinds } from '../../kinds/registry.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { NameLengths } from '../../model/account/live.ts';
import type { KindName } from '../../model/resource.ts';
import { textOf } from '../../model/value.ts';
import { toOneLine } from '../../model/text/unsafe-text.ts';
import { isKept, placeOf, type Check } from '../check.ts';

/** The capped attributes of each kind, with the cap that holds. */
const capped: readonly {
  kind: KindName;
  attribute: string;
  what: string;
  cap: keyof NameLengths;
}[] = [
  { kind: 'project', attribute: 'name', what: 'name', cap: 'project' },
  { kind: 'network', attribute: 'name', what: 'name', cap: 'network' },
  { kind: 'vm', attribute: 'name', what: 'name', cap: 'vm' },
  { kind: 'sshKey', attribute: 'name', what: 'name', cap: 'sshKey' },
  { kind: 'accessToken', attribute: 'name', what: 'name', cap: 'accessToken' },
  { kind: 'sshKey', attribute: 'publicKey', what: 'public key', cap: 'sshPublicKey' },
];

/** Characters as people count them for a cap: code points, not the halves of an emoji. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Names and public keys that the service would reject for their length. Values that stay as they are pass. */
export const checkNameLengths: Check = ({ plan, desired, live }) => {
  const findings: Finding[] = [];
  for (const change of plan.changes) {
    const resource = desired.get(change.address);
    if (!resource) continue;
    for (const { kind, attribute, what, cap } of capped) {
      const limit = live.nameLengths[cap];
      const text = textOf(resource.attributes, attribute);
      if (kind !== change.kind || limit === null || isKept(change, attribute, text)) continue;
      const length = countCharacters(text);
      if (length <= limit) continue;
      findings.push({
        severity: 'error',
        code: attribute === 'name' ? 'name-too-long' : 'public-key-too-long',
        summary: `The ${what} of this ${kinds[kind].label} has ${length} characters, the service takes ${limit}`,
        ...(attribute === 'name' && { detail: `The name is "${toOneLine(text)}".` }),
        hint:
          attribute === 'name'
            ? `Shorten it by ${length - limit} or more.`
            : 'Use a key of a shorter type, such as ssh-ed25519, or shorten its comment.',
        ...placeOf(resource, attribute),
      });
    }
  }
  return findings;
};

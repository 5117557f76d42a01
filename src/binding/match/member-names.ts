// The likeness of a place's name, and of what holds it, to that of a member of the contract's records.
import type { MemberShape } from '../../api/contract/shapes.ts';
import { findMemberSense, hasContractMember } from '../vocabulary/senses.ts';
import { groupingWords } from '../vocabulary/meanings.ts';
import { areNamesOutsideContract } from '../vocabulary/strangers.ts';
import {
  type BindingLexicon,
  type NameSense,
  splitWords,
  type NameWords,
} from '../vocabulary/words.ts';
import type { SchemaLeaf } from './leaves.ts';

/** A member of a record that is about things of a kind. */
export interface RecordMember {
  readonly record: string;
  readonly name: string;
  readonly shape: MemberShape;
  readonly kind: string;
}

/** The likelihood, from 0 to 1, that a place is called as a member. */
export function likenessOfMemberName(
  lexicon: BindingLexicon,
  { record, name, shape, kind }: RecordMember,
  leaf: SchemaLeaf,
): number {
  const own = splitWords(name);
  const { words, holders, entity, schema } = leaf;
  const sense = findMemberSense(record, name);
  const isId = shape.type === 'id';
  const value = schema.type === 'array' ? schema.items : schema;
  // A date's name may lack or have the word for its form: `createdDate`, `createdAt`, `created`.
  const withoutForm = (said: NameWords) =>
    shape.type === 'time' ? said.filter((word) => !formsOfTime.has(word)) : said;
  const score = (said: NameWords, part = 1) =>
    part *
    (isSame(own, said)
      ? 1
      : Math.max(
          0.99 * lexicon.likeness(sense, said, kind),
          0.97 * lexicon.likeness(sense, withoutForm(said), kind),
        ));
  if (holders.length === 0) {
    const plain = score(words);
    // A member named after a kind, as `image`, may hold only the id of a resource of that kind.
    const implied =
      isId && sense.at(-1) === 'id' && sense.length > 1 && value?.members.size === 0
        ? score([...words, 'id'], value.format === 'uuid' || value.type === 'integer' ? 0.93 : 0.8)
        : 0;
    // An item of a network's list may have the network's id under the plain name `id`.
    const isOwn = isId && name !== 'id' && shape.of === kind;
    const own = isOwn ? 0.85 * lexicon.likeness(idSense, words, kind) : 0;
    return Math.max(plain, implied, own);
  }
  const telling = entity ? holders : holders.filter((word) => !groupingWords.has(word));
  const whole = Math.max(
    score([...holders, ...words], 0.97),
    telling.length < holders.length ? grouped * score([...telling, ...words]) : 0,
  );
  if (entity === undefined) {
    // A group such as `access` says nothing of what an id in it refers to.
    const isReference = isId && sense.length > 1 && telling.length > 0;
    // Of a reference the whole name is needed; elsewhere what holds a member only groups it.
    const isOther = areNamesOutsideContract(holders);
    // The very name tells no more there than another of its meaning.
    if (isReference) return Math.max(whole, asked * score(words));
    return isOther ? whole : Math.max(whole, grouped * Math.min(score(words), 0.94));
  }
  return Math.max(
    whole,
    score([...entity, ...words], 0.93),
    isToldByConfiguration(lexicon, name, shape, entity) ? score(words, 0.8) : 0,
  );
}

/** True for a VM's resource figures: its size tells as much as the VM. */
function isToldByConfiguration(
  lexicon: BindingLexicon,
  name: string,
  shape: MemberShape,
  entity: NameWords,
): boolean {
  const isNumber = shape.type === 'number' && hasContractMember('configuration', name);
  return isNumber && lexicon.likeness(configuration, entity, 'vm') > 0.6;
}

const formsOfTime = new Set('date time timestamp datetime at on'.split(' '));

const idSense: NameSense = ['id'];

/** The likelihood of a reference in a group, over that of the same without one: it may be of another thing. */
const asked = 0.55;
/** The likelihood of a name in a group, over that of the same without one. */
const grouped = 0.85;

const configuration: NameSense = ['configuration'];

function isSame(one: NameWords, other: NameWords): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

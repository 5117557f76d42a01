// Where in an answer the record, or the list of them, stands.
import type { Pointer } from '../../model/account/binding.ts';
import type { ApiSchema } from '../document/document.ts';
import { escape } from '../document/schema-reader.ts';
import { kindOfRecord } from '../vocabulary/senses.ts';
import { type Lexicon, splitWords } from '../vocabulary/words.ts';
import type { MemberMatcher } from './match-members.ts';

/** A record, or a list, in an answer. */
export interface Wrapped {
  readonly pointer: Pointer;
  readonly schema: ApiSchema;
  /** How much of the record it has, from 0 to 1. */
  readonly share: number;
}

/** By how much a part of an answer must be more of a record than all of it. */
const clearly = 0.15;

interface Inner {
  readonly pointer: Pointer;
  readonly name: string;
  readonly schema: ApiSchema;
}

/** The objects and lists in an answer, three members deep, those in lists left out. */
function listInner(schema: ApiSchema, pointer = '', depth = 1): readonly Inner[] {
  return [...schema.members].flatMap(([name, { schema: inner }]) => {
    const at = `${pointer}/${escape(name)}`;
    const own = { pointer: at, name, schema: inner };
    const isObject = depth < 3 && inner.type === 'object';
    return [own, ...(isObject ? listInner(inner, at, depth + 1) : [])];
  });
}

/** The record in an answer. */
export function findRecord(matcher: MemberMatcher, record: string, schema: ApiSchema): Wrapped {
  const whole = { pointer: '', schema, share: matcher.match(record, schema).share };
  const parts = listInner(schema)
    .filter(({ schema: inner }) => inner.type === 'object' && inner.members.size > 0)
    .map(({ pointer, schema: inner }) => ({
      pointer,
      schema: inner,
      share: matcher.match(record, inner).share,
    }));
  return parts.reduce<Wrapped>(
    (best, one) => (one.share > best.share + (best === whole ? clearly : 0) ? one : best),
    whole,
  );
}

/** The list in an answer; its schema is that of an item. Undefined where there is none. */
export function findItems(
  matcher: MemberMatcher,
  lexicon: Lexicon,
  record: string,
  schema: ApiSchema,
): Wrapped | undefined {
  const wrap = (pointer: string, items: ApiSchema | undefined) =>
    items && { pointer, schema: items, share: matcher.match(record, items).share };
  if (schema.type === 'array') return wrap('', schema.items);
  const kind = kindOfRecord[record] ?? '';
  const found = listInner(schema).flatMap(({ pointer, name, schema: inner }) => {
    if (inner.type !== 'array') return [];
    const one = wrap(pointer, inner.items);
    if (!one) return [];
    const words = splitWords(name);
    const byName = Math.max(
      lexicon.likeness(['items'], words, kind),
      lexicon.likeness([kind], words),
    );
    return [{ one, score: byName * 0.5 + one.share }];
  });
  const best = found.toSorted((one, other) => other.score - one.score)[0];
  return best && best.score > 0.3 ? best.one : undefined;
}

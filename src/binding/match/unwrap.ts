// The place of the record, or of the list of them, in an answer.
import type { JsonPointer } from '../../model/account/binding.ts';
import { recordShapes } from '../../api/contract/shapes.ts';
import type { ApiSchema } from '../document/document.ts';
import { escapeJsonPointerStep } from '../document/schema-reader.ts';
import { resourceKindByRecord } from '../vocabulary/senses.ts';
import { type BindingLexicon, findKindSense, splitWords } from '../vocabulary/words.ts';
import type { MatchedRecordMembers, RecordMemberMatcher } from './match-members.ts';

/** A schema within an answer, with the pointer to it: envelopes may surround the record. */
export interface LocatedAnswerSchema {
  readonly pointer: JsonPointer;
  readonly schema: ApiSchema;
  /** Share of the record's members that the schema has, from 0 to 1. */
  readonly share: number;
}

/** Lead that a part of an answer needs over the whole answer to be taken as the record. */
const clearly = 0.15;
/** Share by which a part may fall short of the whole answer, where every matched member lies in that part. */
const nearly = 0.02;
/** Number of matched members from which a part of an answer is the record, if no member was matched outside of it. */
const whole = 3;

interface Inner {
  readonly pointer: JsonPointer;
  readonly name: string;
  readonly schema: ApiSchema;
}

/** The objects and lists in an answer, three members deep, those in lists left out. */
function listInner(schema: ApiSchema, pointer = '', depth = 1): readonly Inner[] {
  return [...schema.members].flatMap(([name, { schema: inner }]) => {
    const at = `${pointer}/${escapeJsonPointerStep(name)}`;
    const own = { pointer: at, name, schema: inner };
    const isObject = depth < 3 && inner.type === 'object';
    return [own, ...(isObject ? listInner(inner, at, depth + 1) : [])];
  });
}

/** Some services answer one resource as a list of one, `data: [{ … }]`: then it is the only list there. */
function toOnlyItem(parts: readonly Inner[]): readonly Inner[] {
  const isList = ({ schema }: Inner) => schema.items?.type === 'object';
  if (parts.filter(isList).length !== 1) return parts;
  return parts.map((one) => {
    const { pointer, schema } = one;
    return isList(one) && schema.items
      ? { ...one, pointer: `${pointer}/0`, schema: schema.items }
      : one;
  });
}

/** Finds the record within an answer, below any envelope; a creation never answers with a list, which would be of all. */
export function findAnswerRecord(
  matcher: RecordMemberMatcher,
  record: string,
  schema: ApiSchema,
  { isRead }: { readonly isRead: boolean },
): LocatedAnswerSchema {
  const matched = matcher.match(record, schema);
  const found = [...matched.bound.values()].map(({ theirs }) => theirs.pointer);
  const hasId = ({ bound, open }: MatchedRecordMembers) => bound.has('id') || open.has('id');
  let best: LocatedAnswerSchema = { pointer: '', schema, share: matched.share };
  const isThing = recordShapes[record]?.['id'] !== undefined;
  // Beside an id, a list is of other things.
  const mayBeList = isRead && isThing && !hasId(matched);
  const parts = mayBeList ? toOnlyItem(listInner(schema)) : listInner(schema);
  for (const { pointer, schema: inner } of parts) {
    if (inner.type !== 'object' || inner.members.size === 0) continue;
    const own = matcher.match(record, inner);
    // A part without the id that the rest has is no whole record: `spec` beside `metadata`.
    if (hasId(matched) && !hasId(own)) continue;
    const { share } = own;
    const holdsAll = found.every((one) => one.startsWith(`${pointer}/`));
    const isRecord = best.pointer === '' && holdsAll && found.length >= whole;
    const needed = best.pointer === '' ? (holdsAll ? -nearly : clearly) : 0;
    if (share > 0 && (isRecord || share > best.share + needed))
      best = { pointer, schema: inner, share };
  }
  return best;
}

/** The list in an answer; its schema is that of an item. Undefined where there is none. */
export function findAnswerItems(
  matcher: RecordMemberMatcher,
  lexicon: BindingLexicon,
  record: string,
  schema: ApiSchema,
): LocatedAnswerSchema | undefined {
  const wrap = (pointer: string, items: ApiSchema | undefined) =>
    items && { pointer, schema: items, share: matcher.match(record, items).share };
  if (schema.type === 'array') return wrap('', schema.items);
  const kind = resourceKindByRecord[record] ?? '';
  const found = listInner(schema).flatMap(({ pointer, name, schema: inner }) => {
    if (inner.type !== 'array') return [];
    const one = wrap(pointer, inner.items);
    if (!one) return [];
    const words = splitWords(name);
    const byName = Math.max(
      lexicon.likeness(findKindSense('items'), words, kind),
      lexicon.likeness(findKindSense(kind), words),
    );
    return [{ one, score: byName * 0.5 + one.share }];
  });
  const best = found.toSorted((one, other) => other.score - one.score)[0];
  return best && best.score > 0.3 ? best.one : undefined;
}

// The envelopes of lists, and how they are paged.
import type { ListEnvelopeLine, ListPaging } from '../../model/account/binding.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import type { OperationId } from '../../api/contract/routes.ts';
import type { ApiOperation, ApiSchema } from '../document/document.ts';
import { escapeJsonPointerStep } from '../document/schema-reader.ts';
import type { RecordMemberMatcher } from '../match/match-members.ts';
import { findAnswerItems, type LocatedAnswerSchema } from '../match/unwrap.ts';
import {
  type BindingLexicon,
  type NameSense,
  findKindSense,
  splitWords,
} from '../vocabulary/words.ts';

/** The list in an operation's answer. */
export interface AnswerListLocation {
  /** Undefined where pages have a length, and nothing says how the next is asked for. */
  readonly line:
    (Required<Pick<ListEnvelopeLine, 'items' | 'page'>> & ListEnvelopeLine) | undefined;
  readonly items: LocatedAnswerSchema;
  /** Tells whether the envelope alone says that there may be more: by the address of the next page, or the number of this one. */
  readonly isPart: boolean;
}

/** The line of the contract file for a list that the service spells as the contract does. */
export function makeContractListLine(operation: OperationId): ListEnvelopeLine {
  return operationShapes[operation].query.includes('page')
    ? {
        items: '/items',
        total: '/totalCount',
        page: { by: 'page', page: 'page', size: 'pageSize' },
      }
    : { items: '', page: { by: 'none' } };
}

/** Finds the list in the answer of an operation; undefined where none is described. */
export function findAnswerList(
  operation: OperationId,
  theirs: ApiOperation,
  lexicon: BindingLexicon,
  matcher: RecordMemberMatcher,
): AnswerListLocation | undefined {
  const { answer } = theirs;
  const record = operationShapes[operation].answer;
  if (!answer || record === undefined) return undefined;
  const items = findAnswerItems(matcher, lexicon, record, answer);
  if (!items) return undefined;
  const numbers = items.pointer === '' ? [] : listScalars(answer);
  const total = pick(
    numbers.filter(({ schema, words }) => isNumber(schema) && !words.includes('page')),
    findKindSense('total'),
    lexicon,
    0.6,
  );
  const page = findPaging(theirs, numbers, lexicon);
  return {
    items,
    isPart: page?.by === 'none' && numbers.some(tellsOfMore),
    line: page && { items: items.pointer, ...(total !== undefined && { total }), page },
  };
}

interface Scalar {
  readonly pointer: string;
  readonly schema: ApiSchema;
  readonly words: readonly string[];
}

/** Members with plain values beside the list in its envelope, such as a total or a cursor. */
function listScalars(schema: ApiSchema, pointer = '', depth = 1): readonly Scalar[] {
  return [...schema.members].flatMap(([name, { schema: inner }]) => {
    const at = `${pointer}/${escapeJsonPointerStep(name)}`;
    if (inner.type === 'object' && depth < 4) return listScalars(inner, at, depth + 1);
    return inner.type === 'array' ? [] : [{ pointer: at, schema: inner, words: splitWords(name) }];
  });
}

function isNumber({ type }: ApiSchema): boolean {
  return type === 'integer' || type === 'number';
}

/** The one that is likeliest; undefined where none is likely, or two are. */
function pick(
  scalars: readonly Scalar[],
  sense: NameSense,
  lexicon: BindingLexicon,
  from = 0.6,
): string | undefined {
  const scored = scalars
    .map((one) => {
      const score = Math.max(
        lexicon.likeness(sense, one.words),
        // A total may be named after the list: `total_rows` beside `rows`.
        lexicon.likeness([...sense, 'items'], one.words) * 0.99,
      );
      return { one, score };
    })
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  if (!best || best.score < from) return undefined;
  return next && next.score > best.score - 0.01 ? undefined : best.one.pointer;
}

/** True for the page of Spring Data, which counts from 0, whatever the document says of the parameter. */
function isSpringPage(envelope: readonly Scalar[]): boolean {
  const names = envelope.map(({ pointer }) => pointer.slice(pointer.lastIndexOf('/') + 1));
  return ['number', 'totalElements', 'totalPages'].every((name) => names.includes(name));
}

/** Finds how a list is paged; undefined where a page has a length, and nothing says how the next is asked for. */
function findPaging(
  { parameters }: ApiOperation,
  envelope: readonly Scalar[],
  lexicon: BindingLexicon,
): ListPaging | undefined {
  const query = parameters.filter(({ in: place }) => place === 'query');
  const find = (sense: NameSense, except?: string) => {
    const scored = query
      .filter(({ name }) => name !== except)
      .map((one) => ({ one, score: lexicon.likeness(sense, splitWords(one.name)) }))
      .sort((a, b) => b.score - a.score);
    return scored[0] && scored[0].score > 0.85 ? scored[0].one : undefined;
  };
  const size = find(findKindSense('pageSize'))?.name;
  const sized = size === undefined ? {} : { size };
  const texts = envelope.filter(({ schema }) => !isNumber(schema) && schema.type !== 'boolean');
  const cursor = find(findKindSense('cursor'), size);
  const next = pick(texts, findKindSense('nextCursor'), lexicon, 0.85);
  if (cursor && next !== undefined) return { by: 'cursor', cursor: cursor.name, next, ...sized };
  const page = find(findKindSense('pageNumber'), size);
  if (page) {
    const { schema, description } = page;
    const isFromZero =
      isSpringPage(envelope) ||
      schema?.minimum === 0 ||
      schema?.defaultValue === 0 ||
      /\b(?:zero|0)[- ]based|\b(?:starts?|starting|begins?|counted) (?:at|from|with) (?:zero|0)\b/i.test(
        `${description} ${schema?.description ?? ''}`,
      );
    return { by: 'page', page: page.name, ...sized, ...(isFromZero && { first: 0 as const }) };
  }
  const offset = find(findKindSense('offset'), size);
  if (offset) return { by: 'offset', offset: offset.name, ...sized };
  return size === undefined ? { by: 'none' } : undefined;
}

/** True for a member of an envelope that only a list with pages has: the number of this page, or the address of the next. */
function tellsOfMore({ words, schema }: Scalar): boolean {
  const isNext = words.includes('next') && !isNumber(schema) && schema.type !== 'boolean';
  return isNext || pageMarks.test(words.join(' '));
}

const pageMarks =
  /^(?:has (?:more|next)|more|is last|last page|total page|page count|number of page|current page|page number|page|next page)$/;

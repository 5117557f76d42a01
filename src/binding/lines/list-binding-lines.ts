// The lines of lists: their envelopes, and how the rest of a list is asked for.
import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../api/contract/routes.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import type { Binding, JsonPointer, ListEnvelopeLine } from '../../model/account/binding.ts';
import type { RecordMemberMatcher } from '../match/match-members.ts';
import type { BoundOperation } from '../match/match-operations.ts';
import type { LocatedAnswerSchema } from '../match/unwrap.ts';
import type { BindingLexicon } from '../vocabulary/words.ts';
import type { BindingFileDraft } from './draft.ts';
import { findAnswerList, makeContractListLine } from './list-lines.ts';

/** The items of a list in an answer, and the record of the contract that each of them is. */
interface ListedRecord {
  readonly record: string;
  readonly items: LocatedAnswerSchema;
}

/** Lists of one form that are needed before others are taken to have the same. */
const enough = 3;

/** A list of which it is not known how the rest of it is asked for. */
interface AskedList {
  readonly operation: OperationId;
  readonly why: string;
  /** The place of its items, where it is described. */
  readonly items?: JsonPointer;
}

/** Writes the lines of lists, and asks about those whose rest nothing says how to get. */
export class ListBindingLines {
  readonly #draft: BindingFileDraft;
  readonly #lexicon: BindingLexicon;
  readonly #matcher: RecordMemberMatcher;
  /** The lines of a file that exists. */
  readonly #former: NonNullable<Binding['lists']>;
  /** The `default` line, by which all lists are read that have no line of their own; from the present file, or derived. */
  #default: ListEnvelopeLine | undefined;

  constructor(
    draft: BindingFileDraft,
    lexicon: BindingLexicon,
    matcher: RecordMemberMatcher,
    former: Binding['lists'] = {},
  ) {
    this.#draft = draft;
    this.#lexicon = lexicon;
    this.#matcher = matcher;
    this.#former = former;
    this.#default = former.default === 'open' ? undefined : former.default;
  }

  /** Writes the lines of the bound lists. Returns the schemas of their items, by the record that they hold. */
  write(bound: ReadonlyMap<OperationId, BoundOperation>): readonly ListedRecord[] {
    const found: ListedRecord[] = [];
    const lines = new Map<OperationId, ListEnvelopeLine>();
    const parts = new Map<OperationId, ListEnvelopeLine>();
    const undescribed: OperationId[] = [];
    const asked: AskedList[] = [];
    for (const [operation, { view }] of bound) {
      const { isList = false, answer } = operationShapes[operation];
      if (!isList || answer === undefined) continue;
      const list = findAnswerList(operation, view.operation, this.#lexicon, this.#matcher);
      if (!list) {
        undescribed.push(operation);
        continue;
      }
      found.push({ record: answer, items: list.items });
      const { items, line, isPart } = list;
      if (line && !isPart) lines.set(operation, line);
      else if (line) parts.set(operation, line);
      else
        asked.push({
          operation,
          why: 'nothing says how its pages are asked for',
          items: items.pointer,
        });
    }
    // In an envelope whose other lists say how they are paged, a list that does not is whole.
    const isPagingTold = ({ items }: ListEnvelopeLine) =>
      [...lines.values()].some((one) => one.page && one.page.by !== 'none' && one.items === items);
    for (const [operation, line] of parts) {
      if (isPagingTold(line)) lines.set(operation, line);
      else
        asked.push({
          operation,
          why: 'nothing says how its next page is asked for',
          ...(line.items !== undefined && { items: line.items }),
        });
    }
    this.#askAboutLists(asked, lines.size > 0);
    this.#writeDefault(lines);
    for (const [operation, line] of lines) this.#putList(operation, line, 'its envelope');
    for (const operation of undescribed) this.#writeAsOthers(operation, lines);
    return found;
  }

  /** Writes one line for all lists, where none is as in the contract and all bound ones are the same. */
  #writeDefault(lines: ReadonlyMap<OperationId, ListEnvelopeLine>): void {
    const spellings = new Set([...lines].map(([, line]) => JSON.stringify(line)));
    const [line] = lines.values();
    const isOurs = [...lines].some(([one, own]) => isSame(own, makeContractListLine(one)));
    if (!line || spellings.size > 1 || lines.size < enough || isOurs) return;
    this.#default ??= line;
    const row = { is: 'otherwise', theirs: line, why: 'the envelope of every list' } as const;
    this.#draft.put('lists', 'default', line, row);
  }

  /** A list that nothing describes is as all others of its kind are, where there are enough of them. */
  #writeAsOthers(operation: OperationId, lines: ReadonlyMap<OperationId, ListEnvelopeLine>): void {
    const isPaged = (one: OperationId) => operationShapes[one].query.includes('page');
    const others = [...lines].filter(([one]) => isPaged(one) === isPaged(operation));
    const spellings = new Map(others.map(([, line]) => [JSON.stringify(line), line] as const));
    const [only] = spellings.values();
    if (!only || spellings.size > 1 || others.length < enough)
      this.#askAboutLists([{ operation, why: 'nothing describes its answer' }], true);
    else this.#putList(operation, only, 'all other lists are so');
  }

  /**
   * Asks about lists, and only once where all have one envelope. The file's line for all lists answers, but for those that have
   * an open line of their own there.
   */
  #askAboutLists(lists: readonly AskedList[], isOneTold: boolean): void {
    const { default: ofAll = 'open' } = this.#former;
    const asked = lists.filter(
      ({ operation }) => ofAll === 'open' || this.#former[operation] === 'open',
    );
    const envelopes = new Set(asked.map(({ items }) => items));
    const isOne = !isOneTold && ofAll === 'open' && envelopes.size === 1 && asked.length >= enough;
    for (const { operation, why, items } of isOne ? asked.slice(0, 1) : asked) {
      const candidates =
        items === undefined ? [] : [`{ items: ${JSON.stringify(items)}, page: … }`];
      const row = { is: 'open', why, candidates } as const;
      this.#draft.put('lists', isOne ? 'default' : operation, 'open', row);
    }
  }

  #putList(operation: OperationId, line: ListEnvelopeLine, why: string): void {
    // A list without a line of its own is as the line for all says.
    if (this.#default && isSame(line, this.#default)) return;
    const isOurs = !this.#default && isSame(line, makeContractListLine(operation));
    const is = isOurs ? 'same' : 'otherwise';
    this.#draft.put('lists', operation, line, {
      is,
      why,
      ...(is === 'otherwise' && { theirs: line }),
    });
  }
}

function isSame(one: ListEnvelopeLine, other: ListEnvelopeLine): boolean {
  return isDeepStrictEqual(one, other);
}

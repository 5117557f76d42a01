// The likelihood that an operation of the document does to a collection, or to one of its things, what one of the contract does.
import type { OperationId } from '../../api/contract/routes.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import type { ApiSchema } from '../document/document.ts';
import {
  areMeaninglessWords,
  type BindingLexicon,
  findKindSense,
  splitWords,
} from '../vocabulary/words.ts';
import {
  changingHttpMethods,
  operationWordLikelihood,
  maxWithUnnamedLikelihood,
  unnamedOperationLikelihood,
} from './deeds.ts';
import { canCollectionHoldKind } from './kinds.ts';
import { listSchemaLeaves } from './leaves.ts';
import type { RecordMemberMatcher } from './match-members.ts';
import type { CollectionRole } from './roles.ts';
import { findAnswerItems, findAnswerRecord } from './unwrap.ts';
import { listParentKinds, type OperationPathView } from './views.ts';

/** Judges operations by method and path: list, create, get, update and delete of a collection. */
export class CollectionOperationMatcher {
  readonly #lexicon: BindingLexicon;
  readonly #matcher: RecordMemberMatcher;

  constructor(lexicon: BindingLexicon, matcher: RecordMemberMatcher) {
    this.#lexicon = lexicon;
    this.#matcher = matcher;
  }

  /** Likelihood, from 0 to 1, that an operation of the document is one of the contract. */
  likelihoodOf(operation: OperationId, role: CollectionRole, view: OperationPathView): number {
    const { is, kind } = role;
    const { method, body, answer } = view.operation;
    const last = view.chain.at(-1);
    if (last?.kind !== kind || last.isGuess || !canCollectionHoldKind(kind, listParentKinds(view)))
      return this.#judgeElsewhere(operation, role, view);
    const isOne = last.param !== undefined;
    const said = operationWordLikelihood(this.#lexicon, view.extra);
    const isPlain = view.extra.length === 0;
    // An action on a part of a collection's resource does not concern the resource itself.
    if (!isPlain && view.strangers.length > 0) return 0;
    switch (is) {
      case 'list': {
        if (method !== 'GET' || isOne) return 0;
        if (!isPlain) return said('list') > 0.9 || said('all') > 0.9 ? 0.75 : 0;
        // A list of plain values, such as ids, has no records.
        if (answer?.items?.type !== undefined && answer.items.type !== 'object') return 0;
        const record = operationShapes[operation].answer ?? '';
        const isOther =
          answer &&
          answer.members.size > 0 &&
          !findAnswerItems(this.#matcher, this.#lexicon, record, answer);
        return isOther ? 0.55 : 0.95;
      }
      case 'create':
        if (isOne || !changingHttpMethods.includes(method)) return 0;
        if (isPlain) return method === 'POST' ? 0.95 : 0.6;
        return method === 'POST'
          ? maxWithUnnamedLikelihood(this.#lexicon, said('create') * 0.85, view.extra)
          : 0;
      case 'get':
        return method === 'GET' && isOne ? (isPlain ? 0.95 : said('get') * 0.6) : 0;
      case 'delete':
        if (!isOne) return 0;
        if (method === 'DELETE') return isPlain && !isOtherEnd(view) ? 0.95 : 0.55;
        if (!changingHttpMethods.includes(method) || isPlain) return 0;
        return said('delete') > 0.9 ? 0.58 : maxWithUnnamedLikelihood(this.#lexicon, 0, view.extra);
      case 'rename': {
        if (!isOne || !changingHttpMethods.includes(method)) return 0;
        if (!isPlain)
          return said('rename') > 0.6 || this.#isNamePath(view)
            ? 0.97 - (method === 'PATCH' ? 0 : 0.01)
            : maxWithUnnamedLikelihood(this.#lexicon, 0, view.extra);
        return this.#judgeUpdate(method, body, ['name'], kind);
      }
      default:
        if (!isOne || !isPlain || !changingHttpMethods.includes(method)) return 0;
        return this.#judgeUpdate(method, body, undefined);
    }
  }

  /** True for a change of one name alone, at a path that says so: `PUT /vms/{vmId}/label`, and not `/labels`. */
  #isNamePath({ extra, operation: { method, path, body } }: OperationPathView): boolean {
    const [only, ...others] = listSchemaLeaves(body);
    const sense = findKindSense('name');
    return (
      method !== 'POST' &&
      !/s\/?$/.test(path) &&
      this.#lexicon.likeness(sense, extra) > 0.9 &&
      only?.schema.type === 'string' &&
      others.length === 0 &&
      this.#lexicon.likeness(sense, only.words) > 0.9
    );
  }

  /** An operation away from the others of its things, at a place that says nothing. */
  #judgeElsewhere(
    operation: OperationId,
    { is, kind }: CollectionRole,
    view: OperationPathView,
  ): number {
    const { method, answer, body, path } = view.operation;
    const isOfAll = is === 'list' || is === 'create';
    // True where only the name of a path parameter says which kind of resource the path is about.
    const isGuess = view.chain.at(-1)?.isGuess === true && view.chain.at(-1)?.kind === kind;
    const chain = isGuess ? view.chain.slice(0, -1) : view.chain;
    const strangers = isOfAll || isGuess ? 0 : 1;
    if (view.strangers.length !== strangers || /\}\/?$/.test(path) === isOfAll) return 0;
    const [last] = chain.slice(-1);
    const isHeld = canCollectionHoldKind(
      kind,
      chain.map((one) => one.kind),
    );
    if (!isHeld || (last && last.param === undefined)) return 0;
    const shape = operationShapes[operation];
    const isLike = (record: string | undefined, schema: ApiSchema | undefined) => {
      if (record === undefined || !schema) return false;
      const found =
        is === 'list'
          ? findAnswerItems(this.#matcher, this.#lexicon, record, schema)
          : findAnswerRecord(this.#matcher, record, schema, { isRead: is === 'get' });
      return found !== undefined && found.share > 0.6;
    };
    const mayBe = {
      list: method === 'GET' && isLike(shape.answer, answer),
      get: method === 'GET' && isLike(shape.answer, answer),
      create: method === 'POST' && (isLike(shape.answer, answer) || isLike(shape.body, body)),
      delete: method === 'DELETE',
      rename:
        changingHttpMethods.includes(method) &&
        this.#judgeUpdate(method, body, ['name'], kind) > unnamedOperationLikelihood,
      update: changingHttpMethods.includes(method) && isLike(shape.body, body),
    };
    if (isGuess) return mayBe[is] ? unnamedOperationLikelihood : 0;
    return mayBe[is]
      ? maxWithUnnamedLikelihood(this.#lexicon, 0, last ? view.extra : view.before)
      : 0;
  }

  /** A change of a thing in place. A PUT replaces it: what the body requires and the request lacks would be refused. */
  #judgeUpdate(
    method: string,
    body: OperationPathView['operation']['body'],
    members: readonly string[] | undefined,
    kind = '',
  ): number {
    const base = method === 'PATCH' ? 0.93 : method === 'PUT' ? 0.85 : 0.72;
    if (!body || body.members.size === 0) return base * 0.75;
    const leaves = listSchemaLeaves(body);
    const has = (name: string) =>
      leaves.some(
        ({ words, holders }) =>
          holders.filter((word) => !areMeaninglessWords([word], kind)).length <= 1 &&
          this.#lexicon.likeness(findKindSense(name), words, kind) > 0.9,
      );
    // A text that is called as nothing may be it.
    if (members && !members.every(has))
      return leaves.some(({ schema }) => schema.type === 'string') ? unnamedOperationLikelihood : 0;
    const [alone] = body.members.size === 1 ? [...body.members.values()] : [];
    const inner = alone && alone.schema.members.size > 0 ? alone.schema : body;
    const required = [...inner.members].filter(
      ([, one]) => one.isRequired && !one.schema.hasDefault,
    );
    if (method === 'PATCH' || !members)
      return method === 'PUT' && required.length > 0 ? 0.55 : base;
    const isMore = required.some(([name]) =>
      members.every(
        (member) => this.#lexicon.likeness(findKindSense(member), splitWords(name), kind) <= 0.9,
      ),
    );
    // A PUT replaces the whole record, so that an update of one field would lose the others.
    const isWhole = method === 'PUT' && inner.members.size > 1;
    return isMore || isWhole ? 0.55 : base;
  }
}

/** True for a DELETE that does not end the resource for good, by its id or summary. */
function isOtherEnd({ operation: { id, summary } }: OperationPathView): boolean {
  const words = new Set([...splitWords(id ?? ''), ...splitWords(summary)]);
  return ['detach', 'cancel', 'archive', 'disable', 'deactivate', 'unassign', 'suspend'].some(
    (word) => words.has(word) && !words.has('delete') && !words.has('remove'),
  );
}

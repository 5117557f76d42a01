// The likelihood that an operation of the document is one of the contract.
import type { ApiSchema } from '../document/document.ts';
import type { OperationId } from '../../api/contract/routes.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import {
  findKindIdSense,
  type BindingLexicon,
  findKindSense,
  splitWords,
  type NameSense,
  type NameWords,
} from '../vocabulary/words.ts';
import { CollectionOperationMatcher } from './collection-candidates.ts';
import {
  changingHttpMethods,
  meaninglessOperationWords,
  operationWordLikelihood,
  maxWithUnnamedLikelihood,
  unnamedOperationLikelihood,
} from './deeds.ts';
import { canCollectionHoldKind, requiredPathContainers } from './kinds.ts';
import { type SchemaLeaf, listSchemaLeaves } from './leaves.ts';
import type { RecordMemberMatcher } from './match-members.ts';
import { findNameSense } from '../vocabulary/senses.ts';
import { isNameOutsideContract } from '../vocabulary/strangers.ts';
import { type CollectionRole, type OperationRole, findContractOperationRole } from './roles.ts';
import { findAnswerRecord } from './unwrap.ts';
import { listParentKinds, type OperationPathView } from './views.ts';

/** The mark of an operation among others at its place: a member of its body and the value of that. */
export interface OperationBodyConstant {
  readonly pointer: string;
  readonly value: string | boolean;
}

/** Likelihood that an operation of the document is the contract's, and the constant that its body needs for that. */
export interface OperationCandidate {
  readonly score: number;
  readonly constant?: OperationBodyConstant;
}

const internalIp = findNameSense('internalIp');
const newInternalIp: NameSense = ['update', 'internalIp'];
const listOfVms: NameSense = ['list', 'vm'];

/** True for a place that turns something on or off, or chooses. */
function isSwitch({ schema, words }: SchemaLeaf): boolean {
  return (schema.type === 'boolean' || schema.words.length > 0) && !isNameOutsideContract(words);
}

/** True for a list, bare or in an envelope of plain values. */
function isListAnswer({ type, members }: ApiSchema): boolean {
  const inner = [...members.values()].map(({ schema }) => schema);
  const lists = inner.filter((one) => one.type === 'array');
  const isList = (one: ApiSchema | undefined) => (one?.items?.members.size ?? 0) > 0;
  return (
    type === 'array' ||
    (lists.length === 1 && isList(lists[0]) && inner.every(({ type: of }) => of !== 'object'))
  );
}

/** Judges which operations of an API document may be which operations of the contract. */
export class OperationCandidateFinder {
  readonly #lexicon: BindingLexicon;
  readonly #matcher: RecordMemberMatcher;
  readonly #collections: CollectionOperationMatcher;

  constructor(lexicon: BindingLexicon, matcher: RecordMemberMatcher) {
    this.#lexicon = lexicon;
    this.#matcher = matcher;
    this.#collections = new CollectionOperationMatcher(lexicon, matcher);
  }

  /** Every way in which an operation of the document may be one of the contract. */
  listCandidates(operation: OperationId, view: OperationPathView): readonly OperationCandidate[] {
    const role = findContractOperationRole(operation);
    switch (role.is) {
      case 'read':
      case 'write':
        return [{ score: this.#judgeSingle(operation, role, view) }];
      case 'act':
        return [...this.#judgeAct(role, view), ...this.#listActsOnOwner(role, view)];
      case 'attach':
      case 'detach':
      case 'reattach':
      case 'listAttached':
        return [{ score: this.#judgeAttachment(role, view) }];
      default:
        return [
          { score: this.#collections.likelihoodOf(operation, role, view) },
          ...this.#listDoneTo(role, view),
        ];
    }
  }

  /** Finds actions below the resource that owns the object: `POST /vms/{vmId}/actions/restore-backup`. */
  #listActsOnOwner(
    { kind, sense }: Extract<OperationRole, { readonly is: 'act' }>,
    view: OperationPathView,
  ): readonly OperationCandidate[] {
    const owner = requiredPathContainers[kind];
    if (owner === undefined || view.extra.length === 0) return [];
    return this.#judgeAct({ is: 'act', kind: owner, sense: [...sense, kind] }, view);
  }

  /** An action on the owner of a thing: `POST /vms/{vmId}/actions/create-backup`. */
  #listDoneTo(
    { is, kind }: CollectionRole,
    view: OperationPathView,
  ): readonly OperationCandidate[] {
    const owner = requiredPathContainers[kind];
    if (owner === undefined || (is !== 'create' && is !== 'delete')) return [];
    if (view.extra.length === 0) return [];
    return this.#judgeAct({ is: 'act', kind: owner, sense: [is, kind] }, view);
  }

  #judgeAct(
    role: Extract<OperationRole, { readonly is: 'act' }>,
    view: OperationPathView,
  ): readonly OperationCandidate[] {
    const { method, id } = view.operation;
    const last = view.chain.at(-1);
    const isAll = role.of === 'all';
    if (
      last?.kind !== role.kind ||
      last.isGuess ||
      !canCollectionHoldKind(role.kind, listParentKinds(view))
    )
      return [];
    if ((last.param === undefined) !== isAll) return [];
    if (method === 'DELETE') {
      return operationWordLikelihood(this.#lexicon, view.extra)(role.sense[0] ?? '') > 0.9
        ? [{ score: 0.5 }]
        : [];
    }
    if (!changingHttpMethods.includes(method)) return [];
    const words = view.extra.filter(
      (word) => !meaninglessOperationWords.has(word) || view.extra.length === 1,
    );
    const likeness = (said: NameWords) =>
      Math.max(
        this.#lexicon.likeness(role.sense, said, role.kind),
        // A deed at the place of a collection is about all of its resources.
        isAll
          ? this.#lexicon.likeness(findKindSense(role.sense[0] ?? ''), said, role.kind) * 0.95
          : 0,
      );
    const byPath = Math.max(likeness(words), this.#judgeNewSize(role, view, words));
    const isWithoutSize = this.#lacksSize(role, view);
    const byId = view.extra.length === 0 || id === undefined ? 0 : likeness(splitWords(id)) * 0.95;
    // An operation's id does not overrule a path that names another deed.
    const isUnclear = byPath === 0 && words.every((word) => meaninglessOperationWords.has(word));
    const plain =
      byPath > 0
        ? Math.max(byPath, byId > 0.9 ? Math.min(byId, 0.94) : 0)
        : isUnclear
          ? byId
          : byId * 0.6;
    const found: OperationCandidate[] = plain > 0 ? [{ score: plain }] : [];
    // An operation whose name has an unknown word is left as a question for a person.
    const guessed =
      plain > 0.5 ? plain : maxWithUnnamedLikelihood(this.#lexicon, plain, words, role.kind);
    if (guessed > plain) found.splice(0, 1, { score: guessed });
    if (isWithoutSize && found.length > 0)
      return [{ score: Math.min(unnamedOperationLikelihood, guessed) }];
    if (byPath > 0.9) return found;
    const told = this.#listTold(role, view, words);
    // A member of the body that names the deed decides: then the path alone is no candidate.
    if (told.length > 0 || found.length > 0 || words.length > 0)
      return told.length > 0 ? told : found;
    const maySay = view.operation.body && listSchemaLeaves(view.operation.body).some(isSwitch);
    return maySay ? [{ score: unnamedOperationLikelihood }] : [];
  }

  /** A change of a VM's size that the path calls by the size itself: `PUT /vms/{vmId}/flavor`, by the id of one. */
  #judgeNewSize(
    { sense }: Extract<OperationRole, { readonly is: 'act' }>,
    { strangers, operation: { body } }: OperationPathView,
    words: NameWords,
  ): number {
    const isSize = (said: NameWords, from: number) =>
      Math.max(
        this.#lexicon.likeness(findKindSense('configuration'), said, 'vm'),
        this.#lexicon.likeness(findKindIdSense('configuration'), said, 'vm'),
      ) > from;
    if (sense[0] !== 'resize' || words.length === 0 || !isSize(words, 0.6)) return 0;
    const given = [
      ...strangers.map(splitWords),
      ...listSchemaLeaves(body).flatMap((leaf) => [[...leaf.holders, ...leaf.words]]),
    ];
    return given.length === 1 && given.some((said) => isSize(said, 0.6)) ? 0.91 : 0;
  }

  /** True for a change of size that takes no size: an upgrade may be of something else. */
  #lacksSize(
    { sense }: Extract<OperationRole, { readonly is: 'act' }>,
    { strangers, operation: { body } }: OperationPathView,
  ): boolean {
    if (sense[0] !== 'resize' || strangers.length > 0) return false;
    const leaves = listSchemaLeaves(body);
    const isSize = (said: NameWords) =>
      this.#lexicon.likeness(findKindSense('configuration'), said, 'vm') > 0.4 ||
      this.#lexicon.likeness(findKindIdSense('configuration'), said, 'vm') > 0.4;
    return (
      leaves.length > 0 && !leaves.some(({ holders, words }) => isSize([...holders, ...words]))
    );
  }

  /** Candidates of operations that share a path and differ in a member of the body. */
  #listTold(
    { sense, kind }: Extract<OperationRole, { readonly is: 'act' }>,
    { operation: { body } }: OperationPathView,
    path: NameWords,
  ): readonly OperationCandidate[] {
    if (!body) return [];
    return listSchemaLeaves(body)
      .filter(({ isList, holders }) => !isList && holders.length <= 1)
      .flatMap(({ pointer, schema, words }): OperationCandidate[] => {
        const name = [...path.filter((word) => !meaninglessOperationWords.has(word)), ...words];
        if (schema.type === 'boolean') {
          const [first = '', second] = sense;
          const isSaid = this.#lexicon.likeness(findKindSense(first), name, kind) > 0.9;
          const isOff = second === 'cancel' || first === 'stop';
          const isOnOff = second !== undefined || first === 'read';
          return isSaid && isOnOff ? [{ score: 0.85, constant: { pointer, value: !isOff } }] : [];
        }
        // A member with one possible value tells nothing apart.
        if (schema.words.length === 1 && path.some((one) => !meaninglessOperationWords.has(one)))
          return [];
        return schema.words.flatMap((word): OperationCandidate[] => {
          const alone = this.#lexicon.likeness(sense, splitWords(word), kind);
          const whole = this.#lexicon.likeness(sense, [...name, ...splitWords(word)], kind);
          const score = Math.max(alone, whole) * 0.96;
          return score > 0 ? [{ score, constant: { pointer, value: word } }] : [];
        });
      });
  }

  #judgeSingle(
    operation: OperationId,
    { is, sense, kind, of }: Extract<OperationRole, { readonly is: 'read' | 'write' }>,
    view: OperationPathView,
  ): number {
    const { method, answer, body } = view.operation;
    if (is === 'read' ? method !== 'GET' : !changingHttpMethods.includes(method)) return 0;
    const last = view.chain.at(-1);
    const isThere =
      kind === undefined
        ? !last
        : last?.kind === kind && (last.param !== undefined) === (of === 'one');
    const isBeside = kind !== undefined && !last && of !== 'one';
    if (!isThere && !isBeside) return 0;
    if (view.strangers.length > 0) return 0;
    const own = kind === undefined ? this.#withoutAccount(sense, view.before) : view.before;
    const words = last ? view.extra : own;
    const shape = operationShapes[operation];
    const name = Math.max(
      this.#lexicon.likeness(sense, words, kind),
      this.#lexicon.likeness(sense, [kind ?? '', ...words].filter(Boolean), kind) * 0.99,
    );
    const record = is === 'read' ? shape.answer : shape.body;
    const schema = is === 'read' ? answer : body;
    const share =
      schema && record !== undefined && schema.type !== 'array'
        ? findAnswerRecord(this.#matcher, record, schema, { isRead: is === 'read' }).share
        : undefined;
    const penalty = (isBeside ? 0.97 : 1) * (is === 'write' && method === 'POST' ? 0.95 : 1);
    const [first] = sense;
    // `PATCH /account` with a locale says what it is by its body.
    const isByBody = is === 'write' && first !== undefined && share !== undefined && share > 0.8;
    const near = isByBody ? this.#lexicon.likeness(findKindSense(first), words, kind) * 0.9 : 0;
    const said = Math.max(name, near);
    const isOther = schema !== undefined && isListAnswer(schema);
    const isLike = isThere || said > 0 || (share !== undefined && share > 0.3);
    const least = isOther || !isLike ? 0 : maxWithUnnamedLikelihood(this.#lexicon, 0, words, kind);
    if (said === 0)
      return share !== undefined && share > 0.85 && record !== 'unreadCount' ? 0.58 : least;
    const whole = share === undefined ? said * 0.85 : 0.6 * said + 0.4 * share;
    // A bare list is no record, whatever it is called.
    if (schema?.type === 'array') return Math.min(unnamedOperationLikelihood, whole * penalty);
    // A name that may mean it is asked about, whatever it answers.
    return Math.max(said > 0.6 && !isOther ? unnamedOperationLikelihood : least, whole * penalty);
  }

  /** The words of a single record without those of the account that has it: `/client/limits`. */
  #withoutAccount(sense: NameSense, words: NameWords): NameWords {
    const [first = '', ...rest] = words;
    const isOfAccount = this.#lexicon.likeness(findKindSense('account'), [first]) > 0.6;
    return isOfAccount && rest.length > 0 && sense[0] !== 'account' ? rest : words;
  }

  #judgeAttachment(
    {
      is,
    }: Extract<OperationRole, { readonly is: 'attach' | 'detach' | 'reattach' | 'listAttached' }>,
    view: OperationPathView,
  ): number {
    const { method, body } = view.operation;
    const chain = view.chain.filter(({ kind }) => kind !== 'project');
    const [outer, inner] = chain;
    if (!outer || chain.length > 2 || outer.param === undefined) return 0;
    if (![outer, inner].every((link) => !link || link.kind === 'vm' || link.kind === 'network'))
      return 0;
    if (inner?.kind === outer.kind) return 0;
    const other = outer.kind === 'vm' ? 'network' : 'vm';
    const said = (word: string) =>
      Math.max(
        this.#lexicon.likeness(findKindSense(word), view.extra, other),
        this.#lexicon.likeness(findKindSense(word), view.extra, outer.kind),
        this.#lexicon.likeness(
          findKindSense(word),
          view.extra.filter((word) => !meaninglessOperationWords.has(word)),
          other,
        ),
      );
    const isMember = !inner && view.extra.length > 0 && said('attachment') > 0.6;
    const hasOther = () =>
      body !== undefined &&
      listSchemaLeaves(body).some(
        ({ words, isList }) =>
          !isList &&
          Math.max(
            this.#lexicon.likeness(findKindIdSense(other), words),
            this.#lexicon.likeness(findKindSense(other), words),
          ) > 0.6,
      );
    const isPair = inner?.param !== undefined && view.extra.length === 0;
    switch (is) {
      case 'listAttached':
        if (method !== 'GET' || outer.kind !== 'network') return 0;
        if (inner) return inner.param === undefined && view.extra.length === 0 ? 0.95 : 0;
        if (this.#lexicon.likeness(listOfVms, view.extra) > 0.9) return 0.95;
        return isMember ? 0.95 : maxWithUnnamedLikelihood(this.#lexicon, 0, view.extra);
      case 'attach':
        if (!changingHttpMethods.includes(method)) return 0;
        // A request that needs an address changes one: to attach, the contract gives none.
        if (isPair && this.#requiresAddress(body)) return method === 'PUT' ? 0.6 : 0;
        if (isPair) return method === 'PUT' ? 0.93 : method === 'POST' ? 0.92 : 0;
        if (inner && view.extra.length === 0 && method === 'POST')
          return hasOther() || !body ? 0.95 : 0.5;
        if (isMember && method === 'POST') return hasOther() ? 0.93 : 0.5;
        if (inner) return 0;
        return said('attach') > 0.9 && hasOther()
          ? 0.96
          : maxWithUnnamedLikelihood(this.#lexicon, 0, view.extra);
      case 'detach':
        if (method === 'DELETE') return isPair ? 0.95 : 0;
        if (!changingHttpMethods.includes(method)) return 0;
        if (inner) return 0;
        return said('detach') > 0.9 && hasOther()
          ? 0.95
          : maxWithUnnamedLikelihood(this.#lexicon, 0, view.extra);
      case 'reattach':
        if (isPair)
          return method === 'PATCH'
            ? 0.95
            : method !== 'PUT'
              ? 0
              : this.#requiresAddress(body)
                ? 0.93
                : 0.82;
        if (inner?.param !== undefined && changingHttpMethods.includes(method))
          return this.#lexicon.likeness(internalIp, view.extra) > 0.9
            ? 0.94
            : maxWithUnnamedLikelihood(this.#lexicon, 0, view.extra);
        if (!inner && hasOther() && this.#setsAddress(view)) return 0.93;
        return !inner && changingHttpMethods.includes(method)
          ? maxWithUnnamedLikelihood(this.#lexicon, 0, view.extra)
          : 0;
    }
  }

  /** True for a body that has to have an address inside a network. */
  #requiresAddress(body: ApiSchema | undefined): boolean {
    return [...(body?.members ?? [])].some(
      ([name, { isRequired }]) =>
        isRequired && this.#lexicon.likeness(internalIp, splitWords(name)) > 0.6,
    );
  }

  /** True for a change whose words and whose body are about an address inside a network. */
  #setsAddress({ extra, operation: { method, body } }: OperationPathView): boolean {
    const isAddress = (words: NameWords) => this.#lexicon.likeness(internalIp, words) > 0.6;
    return (
      changingHttpMethods.includes(method) &&
      this.#lexicon.likeness(newInternalIp, extra) > 0.6 &&
      listSchemaLeaves(body).some(({ words }) => isAddress(words))
    );
  }
}

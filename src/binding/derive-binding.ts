import type { Binding } from '../model/account/binding.ts';
import { createdRecordNames } from '../api/contract/made-records.ts';
import { operationIds } from '../api/contract/operation-ids.ts';
import { type OperationId, routes } from '../api/contract/routes.ts';
import { operationShapes } from '../api/contract/shapes.ts';
import type { ApiDocument, ApiDocumentFault, ApiSchema } from './document/document.ts';
import { readApiDocument } from './document/read-document.ts';
import { BindingFileDraft, type ExplainedBindingLine } from './lines/draft.ts';
import {
  describeBoundOperation,
  explainRecognisedOperation,
  explainOpenOperation,
  explainRefusedOperation,
} from './lines/explain-operation.ts';
import { ListBindingLines } from './lines/list-binding-lines.ts';
import { RecordBindingLines } from './lines/record-lines.ts';
import { removeCommonScope } from './match/common-scope.ts';
import { pathContainerKinds, guessContainerName } from './match/containers.ts';
import { assignKindsToCollections, listPathCollections } from './match/kinds.ts';
import { listUnknownRequiredMembers, type UnknownRequiredMember } from './match/list-required.ts';
import { RecordMemberMatcher } from './match/match-members.ts';
import { type BoundOperation, matchContractOperations } from './match/match-operations.ts';
import { parseApiPath } from './match/paths.ts';
import { findManuallyBoundOperations } from './match/find-answers.ts';
import { findNameMemberWords } from './match/given-name.ts';
import { findContractOperationRole } from './match/roles.ts';
import { deriveRoutesFromWords } from './match/spoken-routes.ts';
import { findAnswerRecord, type LocatedAnswerSchema } from './match/unwrap.ts';
import { readOperationPaths } from './match/views.ts';
import { BindingLexicon, findKindSense, type NameWords } from './vocabulary/words.ts';

/** A line of the contract file that cannot be derived from the API document, left for a person to answer. */
export interface BindingQuestion {
  readonly line: string;
  /** Possible texts of the line, the likeliest first; empty where the document suggests none. */
  readonly candidates: readonly string[];
  /** The reason why it is not bound to what the document has; absent where that is not known. */
  readonly why?: string;
}

/** A contract file derived from a service's API document, with the reasons for its lines. */
export interface DerivedBinding {
  readonly binding: Binding;
  readonly rows: readonly ExplainedBindingLine[];
  readonly questions: readonly BindingQuestion[];
  readonly faults: readonly ApiDocumentFault[];
  /** Values that the service requires and the contract does not know: each needs a line of `constants`. */
  readonly requiredUnknown: readonly UnknownRequiredMember[];
}

/** Least likeness of a collection that is taken for a kind by its contents and its record alone, whatever its name. */
const surelyLike: Readonly<Record<string, number>> = { project: 0.6, vm: 0.75, sale: 0.85 };

/** Answers of one form that are needed before an undescribed answer is taken to have the same. */
const enough = 3;
/** Least share of a record in an answer that is what was made. */
const half = 0.5;

/**
 * Derives how a service spells the contract from its parsed OpenAPI document. What is uncertain is `open`, and never guessed.
 * The lines of `former` were answered by people and are kept. `basePath` is the path of the base address.
 */
export function deriveBinding(
  document: unknown,
  former?: Binding,
  basePath?: string,
): DerivedBinding {
  const read = readApiDocument(document, basePath);
  const lexicon = new BindingLexicon();
  const { document: own, faults } = removeCommonScope(read.document, lexicon);
  const draft = new BindingFileDraft(former);
  new Derivation(deriveRoutesFromWords(own, lexicon), draft, former).write();
  const rows = draft.toRows();
  const questions = rows
    .filter(({ is }) => is === 'open')
    .map(({ line, candidates = [] }) => ({ line, candidates }));
  return {
    binding: draft.toBinding(),
    rows,
    questions,
    faults: [...read.faults, ...faults],
    requiredUnknown: draft.required,
  };
}

class Derivation {
  readonly #draft: BindingFileDraft;
  /** The lines of lists in a file that exists. */
  readonly #listLines: Binding['lists'];
  readonly #lexicon = new BindingLexicon();
  readonly #matcher: RecordMemberMatcher;
  readonly #bound: ReadonlyMap<OperationId, BoundOperation>;
  readonly #open: ReadonlyMap<OperationId, readonly BoundOperation[]>;
  /** Reads that the service has by POST alone, which no contract file may have. */
  readonly #readByPost: ReadonlyMap<OperationId, BoundOperation>;
  /** Kinds that may have a collection, and the key of the likeliest. */
  readonly #asked = new Map<string, string>();
  /** The document's names of the kinds that were found. */
  readonly #nouns = new Map<string, NameWords>();
  /** False where the document names neither projects nor VMs in words that are known: then what it lacks is not known. */
  readonly #isUnderstood: boolean;
  /** The schema of the document that most likely describes each record of the contract. */
  readonly #records = new Map<string, LocatedAnswerSchema>();

  constructor(document: ApiDocument, draft: BindingFileDraft, former: Binding | undefined) {
    this.#draft = draft;
    this.#listLines = former?.lists;
    this.#learnAnswers(former);
    const { kinds, guessed, likened, named, matcher } = this.#learnKinds(document);
    this.#matcher = matcher;
    const kindOf = new Map([...this.#asked, ...kinds].map(([kind, key]) => [key, kind] as const));
    const views = readOperationPaths(document, kindOf, this.#lexicon);
    const answers = findManuallyBoundOperations(views, former);
    this.#isUnderstood = ['project', 'vm'].some((kind) => kinds.has(kind) || named.has(kind));
    const state = (kind: string) => {
      if (kinds.has(kind) && likened.has(kind)) return 'likened';
      if (kinds.has(kind)) return guessed.has(kind) ? 'guessed' : 'found';
      return this.#asked.has(kind) ? 'asked' : 'missing';
    };
    const found = matchContractOperations(views, state, this.#lexicon, this.#matcher, answers);
    const isByPost = (operation: OperationId, ones: readonly BoundOperation[]) =>
      routes[operation].method === 'GET' &&
      ones.every(({ view }) => view.operation.route?.method === 'POST');
    const isBound = ([operation, one]: readonly [OperationId, BoundOperation]) =>
      !isByPost(operation, [one]);
    this.#bound = new Map([...found.bound].filter(isBound));
    const asked = [...found.open].filter(
      ([operation, ones]) => ones.length === 0 || !isByPost(operation, ones),
    );
    this.#open = new Map(asked);
    const read = [...found.open].flatMap(([operation, [one]]) =>
      one && !this.#open.has(operation) ? [[operation, one] as const] : [],
    );
    const all = [...found.bound].filter(([operation]) => !this.#bound.has(operation));
    this.#readByPost = new Map([...all, ...read]);
  }

  write(): void {
    for (const operation of operationIds) this.#writeOperation(operation);
    const lists = new ListBindingLines(this.#draft, this.#lexicon, this.#matcher, this.#listLines);
    for (const { record, items } of lists.write(this.#bound)) this.#keep(record, items);
    this.#writeAnswers();
    const address = this.#records.get('publicIp')?.schema;
    const areAddressesIds =
      address !== undefined && !this.#matcher.match('publicIp', address).bound.has('id');
    const lines = new RecordBindingLines(this.#draft, this.#matcher, this.#nouns, areAddressesIds);
    for (const [record, { schema }] of this.#records) lines.read({ record, schema });
    this.#readUndescribed(lines);
    for (const [operation, one] of this.#bound) this.#writeBody(operation, one, lines);
    const problem = [...this.#bound.values()].find(({ view }) => view.operation.problem)?.view
      .operation.problem;
    if (problem) lines.read({ record: 'apiProblem', schema: problem });
    lines.finish();
  }

  /** Takes the names of collections from the lines that people have answered. */
  #learnAnswers(former: Binding | undefined): void {
    for (const operation of operationIds) {
      const line = former?.operations?.[operation];
      if (line === undefined) continue;
      const role = findContractOperationRole(operation);
      if (!['list', 'create', 'get', 'delete'].includes(role.is) || !('kind' in role)) continue;
      const name = parseApiPath(line.split(' ')[1] ?? '').findLast(({ isParam }) => !isParam);
      if (name) this.#lexicon.learn(role.kind, name.words);
    }
  }

  /** Finds the collections of each kind, then again with the names that were found. */
  #learnKinds(document: ApiDocument): {
    readonly kinds: ReadonlyMap<string, string>;
    /** Kinds whose collection is known by what it holds. */
    readonly guessed: ReadonlySet<string>;
    /** Kinds whose collection is known by the members of its record alone. */
    readonly likened: ReadonlySet<string>;
    /** Kinds that a collection has the name of, found or asked about. */
    readonly named: ReadonlySet<string>;
    readonly matcher: RecordMemberMatcher;
  } {
    const likened = new Set<string>();
    const givenName = findNameMemberWords(document, this.#lexicon);
    const assignAll = () => {
      const matcher = new RecordMemberMatcher(this.#lexicon, givenName);
      const collections = listPathCollections(this.#lexicon, document);
      const assigned = assignKindsToCollections(collections, this.#lexicon, matcher);
      for (const kind of assigned.likened) likened.add(kind);
      return { matcher, ...assigned };
    };
    let found = assignAll();
    const learnNames = () => {
      // Projects and other containers are matched first: the paths of all other resources name them.
      for (const learned of [['project'], pathContainerKinds, undefined]) {
        const news = [...found.bound].filter(
          ([kind, { theirs }]) =>
            (learned?.includes(kind) ?? true) && this.#lexicon.learn(kind, theirs.words),
        );
        if (news.length > 0) found = assignAll();
      }
    };
    learnNames();
    const guessed = new Set<string>();
    const doubtful = new Set<string>();
    for (const kind of [...pathContainerKinds, 'sale']) {
      if (found.bound.has(kind)) continue;
      const guess = guessContainerName(kind, document.operations, this.#lexicon);
      if (!guess || !this.#lexicon.learn(kind, guess.words)) continue;
      found = assignAll();
      guessed.add(kind);
      if (!guess.isCertain || (found.bound.get(kind)?.score ?? 0) < (surelyLike[kind] ?? 1))
        doubtful.add(kind);
      learnNames();
    }
    const pairs = [...found.open.values()].flat().toSorted((one, other) => other.score - one.score);
    const isTaken = (key: string) => [...this.#asked.values()].includes(key);
    for (const { ours, theirs } of pairs)
      if (!this.#asked.has(ours) && !isTaken(theirs.key)) this.#asked.set(ours, theirs.key);
    for (const kind of found.open.keys()) if (!this.#asked.has(kind)) this.#asked.set(kind, '');
    const kinds = new Map<string, string>();
    for (const [kind, { theirs }] of found.bound) {
      this.#nouns.set(kind, theirs.words);
      (doubtful.has(kind) ? this.#asked : kinds).set(kind, theirs.key);
    }
    const named = pairs.filter(
      ({ ours, theirs }) => this.#lexicon.likeness(findKindSense(ours), theirs.words) > 0.6,
    );
    return {
      kinds,
      guessed,
      likened,
      named: new Set(named.map(({ ours }) => ours)),
      matcher: found.matcher,
    };
  }

  #writeOperation(operation: OperationId): void {
    const one = this.#bound.get(operation);
    if (!one) {
      const open = this.#open.get(operation);
      const candidates = open
        ?.filter(({ placed }) => explainRefusedOperation(operation, placed) === undefined)
        .map(describeBoundOperation);
      const isAsked =
        open !== undefined || !(this.#isUnderstood || this.#readByPost.has(operation));
      const is = isAsked ? 'open' : 'none';
      const byPost = this.#readByPost.get(operation)?.placed;
      const why = open
        ? explainOpenOperation(operation, open)
        : byPost
          ? `${byPost.line} cannot be it: ${explainRefusedOperation(operation, byPost) ?? ''}`
          : this.#isUnderstood
            ? 'nothing could be it'
            : 'the document has neither projects nor VMs by a name that is known';
      this.#draft.put('operations', operation, is, {
        is,
        why,
        ...(candidates && { candidates }),
      });
      return;
    }
    const { method, path } = routes[operation];
    const { line, parameters } = one.placed;
    const is = line === `${method} ${path}` ? 'same' : 'otherwise';
    const theirs = is === 'otherwise' ? { theirs: line } : {};
    this.#draft.put('operations', operation, line, {
      is,
      why: explainRecognisedOperation(operation, one),
      ...theirs,
    });
    for (const [name, place] of Object.entries(parameters)) {
      this.#draft.putIn('parameters', operation, name, place, {
        is: 'otherwise',
        theirs: place,
        why: 'its name',
      });
    }
    if (!one.constant) return;
    const { pointer, value } = one.constant;
    const body = { body: { [pointer]: value } };
    this.#draft.put('constants', operation, body, {
      is: 'otherwise',
      theirs: body,
      why: 'its words',
    });
  }

  #writeAnswers(): void {
    const pointers: string[] = [];
    const undescribed: OperationId[] = [];
    for (const [operation, { view }] of this.#bound) {
      const { isList = false, answer } = operationShapes[operation];
      const schema = view.operation.answer;
      if (answer === undefined) this.#writeMade(operation, schema);
      if (isList || answer === undefined) continue;
      if (!schema || schema.members.size === 0) {
        undescribed.push(operation);
        continue;
      }
      const isRead = routes[operation].method === 'GET';
      const found = findAnswerRecord(this.#matcher, answer, schema, { isRead });
      // A record that is like nothing may lie in any of its objects.
      const isUnlike =
        found.share === 0 &&
        [...schema.members.values()].some(({ schema: { type } }) => type === 'object');
      if (isUnlike) {
        undescribed.push(operation);
        continue;
      }
      pointers.push(found.pointer);
      this.#putAnswer(operation, found.pointer, 'its answer is wrapped');
      this.#keep(answer, found);
    }
    const [pointer] = pointers;
    const isOne =
      pointer !== undefined && pointers.length >= enough && new Set(pointers).size === 1;
    for (const operation of undescribed) {
      if (isOne) this.#putAnswer(operation, pointer, 'all other answers are so');
      else
        this.#draft.note({ line: `answers.${operation}`, is: 'open', why: 'nothing describes it' });
    }
  }

  /** A service may answer a creation with what was made, where the contract says that it was accepted. */
  #writeMade(operation: OperationId, schema: ApiSchema | undefined): void {
    const record = createdRecordNames[operation];
    if (record === undefined || !schema) return;
    const found = findAnswerRecord(this.#matcher, record, schema, { isRead: false });
    const isIt = found.share > half && this.#matcher.match(record, found.schema).bound.has('id');
    if (isIt) this.#putAnswer(operation, found.pointer, 'its answer is wrapped');
  }

  #putAnswer(operation: OperationId, pointer: string, why: string): void {
    if (pointer === '') return;
    this.#draft.put('answers', operation, pointer, { is: 'otherwise', theirs: pointer, why });
  }

  /** Keeps the schema that holds most of a record: the answer about one resource often has more than a list's items. */
  #keep(record: string, found: LocatedAnswerSchema): void {
    const known = this.#records.get(record);
    if (!known || found.share >= known.share) this.#records.set(record, found);
  }

  /** Records that a bound operation answers, and nothing describes. */
  #readUndescribed(lines: RecordBindingLines): void {
    for (const operation of this.#bound.keys()) {
      const { answer } = operationShapes[operation];
      if (answer !== undefined && !this.#records.has(answer))
        lines.read({ record: answer, schema: undefined });
    }
  }

  #writeBody(
    operation: OperationId,
    { view, placed, constant }: BoundOperation,
    lines: RecordBindingLines,
  ): void {
    const { body } = operationShapes[operation];
    const role = findContractOperationRole(operation);
    const schema = view.operation.body;
    const moved = [...placed.line.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
    const placedInBody = Object.values(placed.parameters).flatMap((place) =>
      place.startsWith('body ') ? [place.slice(5)] : [],
    );
    const taken =
      body === undefined
        ? []
        : lines.read({
            record: body,
            ...('kind' in role && { kind: role.kind }),
            owner: operation,
            schema,
            moved,
            placed: placedInBody,
          });
    if (!schema) return;
    const known = [...taken, ...placedInBody, ...(constant ? [constant.pointer] : [])];
    const unknown = listUnknownRequiredMembers(operation, view.operation, known, placed.parameters);
    this.#draft.required.push(...unknown.filter(({ onlyValue }) => onlyValue === undefined));
    const values = unknown.flatMap(({ at, onlyValue }) =>
      onlyValue === undefined ? [] : [[at, onlyValue] as const],
    );
    if (values.length === 0) return;
    const mark = constant ? [[constant.pointer, constant.value] as const] : [];
    const line = { body: Object.fromEntries([...mark, ...values]) };
    this.#draft.put('constants', operation, line, {
      is: 'otherwise',
      theirs: line,
      why: 'its only value',
    });
  }
}

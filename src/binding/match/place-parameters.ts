// The places of the contract's parameters in an operation of the document.
import type { OperationId } from '../../api/contract/routes.ts';
import { operationShapes, recordShapes } from '../../api/contract/shapes.ts';
import { resourceKindMeanings } from '../vocabulary/meanings.ts';
import { findNameSense } from '../vocabulary/senses.ts';
import {
  type BindingLexicon,
  findKindIdSense,
  type NameWords,
  splitWords,
} from '../vocabulary/words.ts';
import { listSchemaLeaves } from './leaves.ts';
import { matchEnumWords } from './match-words.ts';
import { findContractOperationRole, isDataLossOperation } from './roles.ts';
import type { OperationPathView } from './views.ts';

/** A route of the document with the contract's names, and what is placed elsewhere. */
export interface PlacedParameters {
  /** `METHOD /path`. */
  readonly line: string;
  /** Places of parameters by the contract's names: `query NAME` or `body POINTER`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Reasons why the operation cannot be requested by this route; empty where it can. */
  readonly problems: readonly string[];
}

/** Finds for each parameter of a contract operation where the service takes it: in the path, the query or the body. */
export function findParameterPlaces(
  operation: OperationId,
  view: OperationPathView,
  lexicon: BindingLexicon,
): PlacedParameters {
  return new ParameterPlacement(operation, view, lexicon).place();
}

/** The least likeness of a name to that of a parameter. */
const alike = 0.6;
/** The lead in likeness by which one name is taken before all others. */
const lead = 0.04;

interface ScoredPlace {
  readonly place: string;
  readonly score: number;
}

class ParameterPlacement {
  readonly #operation: OperationId;
  readonly #view: OperationPathView;
  readonly #lexicon: BindingLexicon;
  readonly #shape: (typeof operationShapes)[OperationId];
  /** Members of the body that the contract sends. */
  readonly #members: readonly string[];
  readonly #kind: string | undefined;
  /** The contract's names of the parameters in the document's path. */
  readonly #inPath = new Map<string, string>();
  readonly #parameters: Record<string, string> = {};
  readonly #problems: string[] = [];

  constructor(operation: OperationId, view: OperationPathView, lexicon: BindingLexicon) {
    this.#operation = operation;
    this.#view = view;
    this.#lexicon = lexicon;
    this.#shape = operationShapes[operation];
    this.#members = Object.keys(recordShapes[this.#shape.body ?? ''] ?? {});
    const role = findContractOperationRole(operation);
    this.#kind = 'kind' in role ? role.kind : undefined;
  }

  place(): PlacedParameters {
    this.#placeMembersInPath();
    this.#placeIdsInPath();
    this.#placeRest();
    if (this.#view.operation.route && isDataLossOperation(this.#operation)) this.#refuseOtherIds();
    this.#placeFilters();
    const { path, method } = this.#route;
    const named = path.replaceAll(
      /\{([^{}]*)\}/g,
      (_, name: string) => `{${this.#inPath.get(name) ?? name}}`,
    );
    const [parameters, problems] = [this.#parameters, this.#problems];
    return { line: `${method} ${named}`, parameters, problems };
  }

  get #route() {
    return this.#view.operation.route ?? this.#view.operation;
  }

  /** A member of our body may be a part of their path: `PUT /vms/{vmId}/size/{sizeId}`. */
  #placeMembersInPath(): void {
    for (const stranger of this.#view.strangers) {
      const [best, next] = this.#members
        .map((name) => ({ name, score: this.#scoreOf(name, splitWords(stranger)) }))
        .toSorted((one, other) => other.score - one.score);
      const isTold = best && best.score > 0.9 && (next?.score ?? 0) < best.score - lead;
      if (isTold) this.#inPath.set(stranger, best.name);
      else this.#problems.push(`nothing gives {${stranger}}`);
    }
  }

  #placeIdsInPath(): void {
    const { sentElsewhere = {} } = this.#view.operation;
    for (const { kind, param } of this.#view.chain) {
      if (param === undefined) continue;
      const name = `${kind}Id`;
      const isKnown = this.#shape.params.includes(name) || this.#members.includes(name);
      if (isKnown && !this.#isIdOfOther(kind, splitWords(param))) this.#inPath.set(param, name);
      else this.#problems.push(`nothing gives ${sentElsewhere[param] ?? `{${param}}`}`);
    }
  }

  /** Places the parameters that are not in the path. The last one tells the thing itself, and must be sent. */
  #placeRest(): void {
    const placed = new Set(this.#inPath.values());
    for (const [param, place] of Object.entries(this.#view.operation.sentElsewhere ?? {})) {
      const name = this.#inPath.get(param);
      if (name !== undefined) this.#parameters[name] = place;
    }
    const { params } = this.#shape;
    for (const name of params.filter((one) => !placed.has(one))) {
      const place = this.#findQuery(name) ?? this.#findInBody(name);
      if (place !== undefined) this.#parameters[name] = place;
      else if (name === params.at(-1)) this.#problems.push(`nothing takes ${name}`);
    }
  }

  /** A deletion by its words takes the id of nothing else: `/network/delete` with that of a VM takes the VM out of it. */
  #refuseOtherIds(): void {
    const given = new Set(Object.values(this.#parameters));
    for (const [name, { isRequired, isUnsaid }] of this.#view.operation.body?.members ?? []) {
      const isId = (isRequired || isUnsaid) && splitWords(name).at(-1) === 'id';
      if (isId && !given.has(`body /${name}`)) this.#problems.push(`nothing gives body /${name}`);
    }
  }

  #placeFilters(): void {
    for (const name of this.#shape.query) {
      if (name === 'page' || name === 'pageSize') continue;
      const place = this.#findQuery(name);
      if (place !== undefined && place !== `query ${name}`) this.#parameters[name] = place;
    }
  }

  /** True for the id of a thing of another kind: `/backups/{serverId}` has those of a VM. */
  #isIdOfOther(own: string, words: readonly string[]): boolean {
    const isSure = (one: string) => this.#lexicon.likeness(findKindIdSense(one), words) > 0.9;
    return !isSure(own) && [...resourceKindMeanings].some(isSure);
  }

  #scoreOf(name: string, words: readonly string[]): number {
    if (words.join(' ') === splitWords(name).join(' ')) return 1;
    const sense = findNameSense(name);
    const likeness = (said: NameWords, kind?: string) => this.#lexicon.likeness(sense, said, kind);
    const implied = sense.at(-1) === 'id' ? likeness([...words, 'id']) * 0.9 : 0;
    return Math.max(0.99 * likeness(words, this.#kind), implied);
  }

  #findQuery(name: string): string | undefined {
    const ofQuery = this.#view.operation.parameters.filter(({ in: place }) => place === 'query');
    return findLikeliest(
      ofQuery.map((one) => ({
        place: `query ${one.name}`,
        score: Math.max(
          this.#scoreOf(name, withoutFilter(splitWords(one.name))),
          isToldByWords(name, one.schema?.words ?? []) ? 0.9 : 0,
        ),
      })),
    );
  }

  #findInBody(name: string): string | undefined {
    const { body } = this.#view.operation;
    if (!body || this.#shape.isList || this.#route.method === 'GET') return undefined;
    const values = listSchemaLeaves(body).filter(
      ({ isList, schema, entity, holders }) =>
        !isList && schema.members.size === 0 && (entity !== undefined || holders.length === 0),
    );
    return findLikeliest(
      values.map(({ pointer, holders, words }) => ({
        place: `body ${pointer}`,
        score: this.#scoreOf(name, [...holders, ...words]),
      })),
    );
  }
}

/** The place that is clearly likelier than all others; undefined for none. */
function findLikeliest(places: readonly ScoredPlace[]): string | undefined {
  const [best, next] = places.toSorted((one, other) => other.score - one.score);
  if (!best || best.score < alike || (next && next.score > best.score - lead)) return undefined;
  return best.place;
}

/** The words of a parameter of the query that may be named as a filter: `filter[status]`. */
function withoutFilter(words: NameWords): NameWords {
  return words.length > 1 && words[0] === 'filter' ? words.slice(1) : words;
}

/** True for a filter by a status whose words are those of the contract's, whatever its name is. */
function isToldByWords(name: string, words: readonly string[]): boolean {
  return (
    name === 'status' &&
    words.length > 2 &&
    matchEnumWords('apiOperationStatus', words).share > 0.85
  );
}

// The places of the contract's parameters in an operation of the document.
import type { OperationId } from '../../api/contract/routes.ts';
import { operationShapes, recordShapes } from '../../api/contract/shapes.ts';
import { senseOfName } from '../vocabulary/senses.ts';
import { type Lexicon, splitWords } from '../vocabulary/words.ts';
import { listLeaves } from './leaves.ts';
import { roleOf } from './roles.ts';
import type { OperationView } from './views.ts';

/** A route of the document with the contract's names, and what is placed elsewhere. */
export interface PlacedParameters {
  /** `METHOD /path`. */
  readonly line: string;
  /** Places of parameters by the contract's names: `query NAME` or `body POINTER`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Reasons why the operation cannot be requested by this route; empty where it can. */
  readonly problems: readonly string[];
}

/** The least likeness of a name to that of a parameter. */
const alike = 0.6;

/** Places all parameters. */
export function placeParameters(
  operation: OperationId,
  view: OperationView,
  lexicon: Lexicon,
): PlacedParameters {
  const { params, query, body, isList = false } = operationShapes[operation];
  const members = Object.keys(recordShapes[body ?? ''] ?? {});
  const role = roleOf(operation);
  const kind = 'kind' in role ? role.kind : undefined;
  const { path, method, parameters: theirs, body: theirBody } = view.operation;
  const problems = view.strangers.map((name) => `nothing gives {${name}}`);
  const inPath = new Map<string, string>();
  for (const { kind, param } of view.chain) {
    if (param === undefined) continue;
    const name = `${kind}Id`;
    if (params.includes(name) || members.includes(name)) inPath.set(param, name);
    else problems.push(`nothing gives {${param}}`);
  }
  const placed = new Set(inPath.values());
  const parameters: Record<string, string> = {};
  for (const name of params.filter((one) => !placed.has(one))) {
    const place = findQuery(name) ?? findInBody(name);
    if (place !== undefined) parameters[name] = place;
    else if (name === params.at(-1)) problems.push(`nothing takes ${name}`);
  }
  for (const name of query.filter((one) => one !== 'page' && one !== 'pageSize')) {
    const place = findQuery(name);
    if (place !== undefined && place !== `query ${name}`) parameters[name] = place;
  }
  const named = path.replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => `{${inPath.get(name) ?? name}}`,
  );
  return { line: `${method} ${named}`, parameters, problems };

  function scoreOf(name: string, words: readonly string[]): number {
    if (words.join(' ') === splitWords(name).join(' ')) return 1;
    const sense = senseOfName(name);
    const implied = sense.at(-1) === 'id' ? lexicon.likeness(sense, [...words, 'id']) * 0.9 : 0;
    return Math.max(0.99 * lexicon.likeness(sense, words, kind), implied);
  }

  function findQuery(name: string): string | undefined {
    const scored = theirs
      .filter(({ in: place }) => place === 'query')
      .map((one) => ({ name: one.name, score: scoreOf(name, splitWords(one.name)) }))
      .sort((one, other) => other.score - one.score);
    const [best, next] = scored;
    if (!best || best.score < alike || (next && next.score > best.score - 0.04)) return undefined;
    return `query ${best.name}`;
  }

  function findInBody(name: string): string | undefined {
    if (!theirBody || isList || method === 'GET') return undefined;
    const scored = listLeaves(theirBody)
      .filter(
        ({ isList: isMany, schema, entity, holders }) =>
          !isMany && schema.members.size === 0 && (entity !== undefined || holders.length === 0),
      )
      .map((leaf) => ({ leaf, score: scoreOf(name, [...leaf.holders, ...leaf.words]) }))
      .sort((one, other) => other.score - one.score);
    const [best, next] = scored;
    if (!best || best.score < alike || (next && next.score > best.score - 0.04)) return undefined;
    return `body ${best.leaf.pointer}`;
  }
}

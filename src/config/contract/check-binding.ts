// Limits of a binding, the content of a contract file. It may be a stranger's: it may spell requests otherwise, and never
// turn a harmless request into one that destroys, nor an answer into another.
import type { Binding, FieldBindingLine } from '../../model/account/binding.ts';
import { findBoundListLine } from '../../api/contract/find-list-line.ts';
import { operationIds } from '../../api/contract/operation-ids.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';
import {
  enumWords,
  operationShapes,
  recordBases,
  recordShapes,
} from '../../api/contract/shapes.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { isKeyOf } from '../../model/tables.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import { listRecordsWithIds, listListOperations } from '../schema/assemble-contract-schema.ts';
import {
  findOperationLossWeight,
  isLossConstantName,
  hasUnexpectedLossWords,
} from '../../api/contract/check-loss.ts';
import {
  type BoundParameterPlaces,
  findMistakenlyDeletedHolder,
} from '../../api/contract/check-subject.ts';
import { explainRefusedRoute, findRouteParameterPlaces } from '../../api/contract/check-route.ts';
import {
  findHeavierOperationAtPath,
  findSharedPathFault,
  isWordOfOperationPath,
} from './check-shared-places.ts';

type Path = readonly string[];

/** A fault of one line of a binding; `path` leads to the line. */
interface BindingLineFault {
  readonly path: Path;
  readonly summary: string;
  readonly hint?: string;
}

/** Checks the lines of a binding whose shape is right. */
export function findBindingLineFaults(binding: Binding): readonly BindingLineFault[] {
  const check = new BindingCheck(binding);
  check.checkNames();
  check.checkRoutes();
  check.checkFields();
  check.checkWords();
  check.checkConstants();
  return check.faults;
}

class BindingCheck {
  readonly faults: BindingLineFault[] = [];
  readonly #binding: Binding;

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  /** Reports names in the contract file that the contract does not have. */
  checkNames(): void {
    const operations = Object.keys(operationShapes);
    const lists = ['default', ...listListOperations()];
    this.#checkKeys(['ids'], ['default', ...listRecordsWithIds()], 'record with an id');
    this.#checkKeys(['lists'], lists, 'list');
    for (const table of ['answers', 'operations', 'parameters', 'constants']) {
      this.#checkKeys([table], operations, 'operation');
    }
    const bodies = operations.filter((name) => bodyOf(name) !== undefined);
    this.#checkKeys(['fields'], [...Object.keys(recordShapes), ...bodies], 'record or operation');
    this.#checkKeys(['units'], Object.keys(recordShapes), 'record');
    this.#checkKeys(['enums'], Object.keys(enumWords), 'enum');
    for (const name of this.#keysAt(['parameters'])) {
      if (!isKeyOf(operationShapes, name)) continue;
      const { params, query, body } = operationShapes[name];
      const known = [...params, ...query, ...membersOf(body)];
      this.#checkKeys(['parameters', name], known, `parameter of ${name}`);
    }
    for (const table of ['fields', 'units']) {
      for (const name of this.#keysAt([table])) {
        const known = membersOf(bodyOf(name) ?? name);
        if (known.length > 0) this.#checkKeys([table, name], known, `member of ${name}`);
      }
    }
    for (const name of this.#keysAt(['enums'])) {
      if (enumWords[name]) this.#checkKeys(['enums', name], enumWords[name], `word of ${name}`);
    }
  }

  /** Checks that no request reaches beyond its purpose, and that no two operations share a place. */
  checkRoutes(): void {
    const bound: OperationId[] = [];
    for (const operation of operationIds) {
      const line = this.#binding.operations?.[operation];
      const path = ['operations', operation];
      if (line === 'none' || line === 'open') continue;
      const places = this.#binding.parameters?.[operation];
      if (line !== undefined) {
        const fault = explainRefusedRoute(operation, line, places);
        if (fault) {
          this.#refuse(path, `${operation} cannot be bound to ${line}: ${fault}`);
          continue;
        }
        this.#checkSubject(operation, line, places);
      }
      // The contract's own path has a part for each of its parameters.
      const isOwn = line === undefined && places === undefined;
      if (!isOwn) this.#checkPlaces(operation, line);
      const heavier = findHeavierOperationAtPath(this.#binding, operation);
      if (heavier !== undefined) {
        const why = `${heavier} has there what holds more`;
        this.#refuse(path, `${operation} cannot be bound to ${line}: ${why}`);
      }
      for (const other of bound) {
        const fault = findSharedPathFault(this.#binding, operation, other);
        const at = line === undefined ? other : operation;
        if (fault) this.#refuse(['operations', at], fault.summary, fault.hint);
      }
      bound.push(operation);
    }
  }

  /** Checks that the members are there that the engine cannot do without, and that pages can be requested. */
  checkFields(): void {
    for (const [owner, lines] of Object.entries(this.#binding.fields ?? {})) {
      for (const [member, line] of Object.entries(lines)) {
        if (line === 'none' && ['id', 'name', 'status'].includes(member)) {
          this.#refuse(
            ['fields', owner, member],
            `${owner}.${member} cannot be \`none\`: nothing is recognised without it`,
          );
        }
      }
    }
    for (const [name, line] of Object.entries(this.#binding.lists ?? {})) {
      const page = line === 'open' ? undefined : line.page;
      if (!page || page.by === 'none') continue;
      const mark = Object.entries(page).find(([key]) => key === page.by)?.[1];
      const isComplete = mark !== undefined && (page.by !== 'cursor' || 'next' in page);
      if (isComplete) continue;
      const missing = mark === undefined ? page.by : 'next';
      this.#refuse(
        ['lists', name, 'page'],
        `A list paged by ${page.by} needs \`${missing}\``,
        missing === 'next'
          ? 'Write where an answer has the mark of the next page, for example `next: /meta/next`.'
          : `Write the name of the parameter, for example \`${missing}: ${missing}\`.`,
      );
    }
    for (const [record, lines] of Object.entries(this.#binding.units ?? {})) {
      for (const member of Object.keys(lines)) {
        const shape = recordShapes[bodyOf(record) ?? record]?.[member];
        if (!shape || shape.type === 'number') continue;
        this.#refuse(['units', record, member], `${record}.${member} is not a number`);
      }
    }
  }

  /** Checks that a word of the service means one word of the contract, and never another one that it spells itself. */
  checkWords(): void {
    for (const [name, lines] of Object.entries(this.#binding.enums ?? {})) {
      const ours = enumWords[name] ?? [];
      const seen = new Map<string, string>();
      for (const [word, theirs] of Object.entries(lines)) {
        for (const text of [theirs].flat().filter((one) => one !== 'open')) {
          const folded = text.toLowerCase();
          const twin = ours.find((one) => one !== word && one.toLowerCase() === folded);
          const other = twin ?? seen.get(folded);
          seen.set(folded, word);
          if (other === undefined) continue;
          this.#refuse(
            ['enums', name, word],
            `\`${text}\` cannot mean \`${word}\`: it is \`${other}\` already`,
            'A word of the contract means itself, and one of the service means one word of the contract.',
          );
        }
      }
    }
  }

  /** Checks that no constant takes the place of a value that the engine sends. */
  checkConstants(): void {
    for (const [name, line] of Object.entries(this.#binding.constants ?? {})) {
      if (!isKeyOf(operationShapes, name)) continue;
      const shape = operationShapes[name];
      const members = membersOf(shape.body);
      // A member without a place keeps its own name: what is not sent as asked is not sent at all.
      const unplaced = members.filter((one) => this.#pointerOf(name, one) === undefined);
      const reserved = [...unplaced, 'deleteBackups'];
      const pointers = [
        ...members.flatMap((member) => this.#pointerOf(name, member) ?? []),
        ...reserved.map((member) => `/${member}`),
      ];
      for (const pointer of Object.keys(line.body ?? {})) {
        if (!pointers.some((one) => overlaps(one, pointer))) continue;
        this.#refuse(
          ['constants', name, 'body', pointer],
          `${pointer} cannot be constant: ${name} says there what is asked for`,
        );
      }
      for (const [place, values] of Object.entries({ body: line.body, query: line.query })) {
        for (const [at, value] of Object.entries<unknown>(values ?? {})) {
          // A filter of a read tells what is shown: `deleted`.
          const isRead = routes[name].method === 'GET';
          const plain = (text: string) => (isRead ? text.replaceAll(/ed(?![a-z])/g, '') : text);
          const less = findOperationLossWeight(name) === 0 ? 'nothing' : 'less';
          const told = isLossConstantName(name, plain(at)) ? at : JSON.stringify(value);
          const isMore = told === at || hasUnexpectedLossWords(name, plain(told));
          if (!isMore) continue;
          this.#refuse(
            ['constants', name, place, at],
            `${name} cannot have the constant ${told}: it loses ${less}, and this says ${less === 'nothing' ? 'that it does' : 'more'}`,
          );
        }
      }
      const list = shape.isList ? findBoundListLine(this.#binding, name) : undefined;
      const paging = list === undefined || list === 'open' ? [] : Object.values(list.page ?? {});
      const used = new Set<unknown>([
        ...[...shape.query, ...paging],
        ...[...this.#queryNames(name), ...reserved],
      ]);
      for (const parameter of Object.keys(line.query ?? {})) {
        if (!used.has(parameter)) continue;
        this.#refuse(
          ['constants', name, 'query', parameter],
          `${parameter} cannot be constant: ${name} says there what is asked for`,
        );
      }
    }
  }

  /** Checks that a deletion ends its subject by the words of its path and of its constants together. */
  #checkSubject(
    operation: OperationId,
    line: string,
    places: BoundParameterPlaces | undefined,
  ): void {
    const constants = this.#binding.constants?.[operation];
    const said = listTexts([constants?.body, constants?.query]);
    const isKnown = (word: string) => isWordOfOperationPath(this.#binding, operation, word);
    const ended = findMistakenlyDeletedHolder(operation, line, places ?? {}, said, isKnown);
    if (ended === undefined) return;
    if (constants === undefined) {
      const summary = `${operation} cannot be bound to ${line}: it ends ${ended}`;
      this.#refuse(['operations', operation], summary);
    } else {
      const summary = `${operation} cannot have these constants: it ends ${ended}`;
      this.#refuse(['constants', operation], summary);
    }
  }

  /** Checks that every part of a path has a value, and that the request names its subject. */
  #checkPlaces(operation: OperationId, line: string | undefined): void {
    const { params, body } = operationShapes[operation];
    const places = this.#binding.parameters?.[operation] ?? {};
    const { inPath, unplaced } = findRouteParameterPlaces(operation, line, places);
    const given = new Set([
      ...params,
      ...membersOf(body),
      ...Object.values(places).flatMap((one) => (one.startsWith('path ') ? [one.slice(5)] : [])),
    ]);
    for (const name of inPath) {
      if (given.has(name)) continue;
      this.#refuse(
        ['operations', operation],
        `Nothing gives {${name}} in the path of ${operation}`,
        `Write \`parameters: { ${operation}: { ${params.at(-1) ?? 'NAME'}: path ${name} } }\`.`,
      );
    }
    for (const [name, place] of Object.entries(places)) {
      // A `path` place is right where the path has a part of that name.
      const isNamed = inPath.includes(place.slice(5)) || inPath.includes(name);
      if (!place.startsWith('path ') || isNamed) continue;
      this.#refuse(
        ['parameters', operation, name],
        `The path of ${operation} has no {${place.slice(5)}}`,
      );
    }
    // A resource is known by its own id; a list and a create, by the id of the container.
    const needed = params.slice(-1);
    for (const name of needed.filter((one) => unplaced.includes(one))) {
      this.#refuse(
        ['operations', operation],
        `${operation} is sent without its ${name}, so that it would be about something else`,
        `Write \`{${name}}\` in the path, or \`parameters: { ${operation}: { ${name}: query NAME } }\`.`,
      );
    }
  }

  /** The place of a member in a body; undefined where it is in none. */
  #pointerOf(operation: OperationId, member: string): string | undefined {
    const place = this.#binding.parameters?.[operation]?.[member];
    if (place !== undefined) return place.startsWith('body ') ? place.slice(5) : undefined;
    const line: FieldBindingLine | undefined = this.#binding.fields?.[operation]?.[member];
    if (line === 'none' || line === 'open') return undefined;
    return line === undefined ? `/${member}` : typeof line === 'string' ? line : line.at;
  }

  #queryNames(operation: OperationId): readonly string[] {
    const places = Object.values(this.#binding.parameters?.[operation] ?? {});
    return places.flatMap((place) => (place.startsWith('query ') ? [place.slice(6)] : []));
  }

  #checkKeys(path: Path, known: readonly string[], noun: string): void {
    for (const name of this.#keysAt(path)) {
      if (known.includes(name)) continue;
      const near = suggestNearestName(name, known);
      this.#refuse(
        [...path, name],
        `The contract has no ${noun} \`${name}\``,
        near === undefined ? undefined : `Did you mean \`${near}\`?`,
      );
    }
  }

  #keysAt(path: Path): readonly string[] {
    const at = path.reduce<unknown>(
      (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      this.#binding,
    );
    return isJsonObject(at) ? Object.keys(at) : [];
  }

  #refuse(path: Path, summary: string, hint?: string): void {
    this.faults.push({ path, summary, ...(hint !== undefined && { hint }) });
  }
}

/** Name of the record that an operation sends as its body; undefined without a body, and for an unknown operation. */
function bodyOf(name: string): string | undefined {
  const shapes: Readonly<Record<string, { readonly body?: string } | undefined>> = operationShapes;
  return Object.hasOwn(shapes, name) ? shapes[name]?.body : undefined;
}

function membersOf(record: string | undefined): readonly string[] {
  const base = record === undefined ? undefined : recordBases[record];
  const members = record === undefined ? [] : Object.keys(recordShapes[record] ?? {});
  return base === undefined ? members : [...members, ...membersOf(base)];
}

/** The texts in a JSON value, and the names of its members. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...listTexts(one)]);
}

/** Tells whether two pointers are equal, or one leads into the value of the other. */
function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

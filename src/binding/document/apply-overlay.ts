import type { ApiDocumentFault } from './document.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** An OpenAPI document with the corrections of an OpenAPI Overlay applied. */
export interface OverlaidDocument {
  readonly document: unknown;
  /** Faults of the overlay, by JSON Pointers into it; its other actions are applied. */
  readonly faults: readonly ApiDocumentFault[];
}

/** Applies an OpenAPI Overlay 1.0 to a document, its actions in order. Neither value is changed. */
export function applyOpenApiOverlay(document: unknown, overlay: unknown): OverlaidDocument {
  const faults: ApiDocumentFault[] = [];
  if (!isJsonObject(overlay) || !Array.isArray(overlay.actions)) {
    return {
      document,
      faults: [{ pointer: '/actions', what: 'An overlay has a list of actions' }],
    };
  }
  let result = document;
  for (const [at, action] of overlay.actions.entries()) {
    const pointer = `/actions/${at}`;
    if (!isJsonObject(action) || typeof action.target !== 'string') {
      faults.push({ pointer, what: 'An action has a target' });
      continue;
    }
    const targets = selectByJsonPath(result, action.target);
    if (!targets) {
      faults.push({
        pointer: `${pointer}/target`,
        what: `${action.target} is no JSONPath that can be read`,
      });
      continue;
    }
    if (targets.length === 0) {
      faults.push({ pointer: `${pointer}/target`, what: `${action.target} selects nothing` });
    }
    // Removals go from the last target to the first, so that none moves another target.
    for (const target of targets.toReversed()) {
      result =
        action.remove === true
          ? changeAt(result, target, () => removed)
          : changeAt(result, target, (value) => merge(value, action.update));
    }
  }
  return { document: result, faults };
}

const removed = Symbol('removed');

function changeAt(
  value: unknown,
  [key, ...rest]: JsonLocation,
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value
      .map((item, index) => (index === key ? changeAt(item, rest, change) : item))
      .filter((item) => item !== removed);
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    ([name, item]) => [name, name === key ? changeAt(item, rest, change) : item] as const,
  );
  return Object.fromEntries(entries.filter(([, item]) => item !== removed));
}

/** Objects are merged member by member, a list takes what it is given as one more item; all else is replaced. */
function merge(value: unknown, update: unknown): unknown {
  if (Array.isArray(value)) {
    return Array.isArray(update) ? [...value, ...update] : [...value, update];
  }
  if (!isJsonObject(value) || !isJsonObject(update)) return update;
  const merged = new Map<string, unknown>(Object.entries(value));
  for (const [name, item] of Object.entries(update)) {
    merged.set(name, merged.has(name) ? merge(merged.get(name), item) : item);
  }
  return Object.fromEntries(merged);
}

// JSONPath (RFC 9535) as far as overlays use it: members, items, wildcards, descent and comparing filters.

/** A place, by keys from the root. */
type JsonLocation = readonly (string | number)[];

interface Found {
  readonly at: JsonLocation;
  readonly value: unknown;
}

const step =
  /^(?:(\.\.)|\.)?(?:(\*)|([A-Za-z_$][\w$-]*)|\[\s*(?:(\*)|(-?\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\?\s*\(?(.+?)\)?)\s*\])/;
const comparison =
  /^\s*@((?:\.[\w$-]+|\['[^']*'\])*)\s*(?:(==|!=)\s*(?:'([^']*)'|"([^"]*)"|(true|false|null|-?\d+(?:\.\d+)?)))?\s*$/;

/** The places that a path selects; undefined for one that this does not read. */
function selectByJsonPath(root: unknown, path: string): readonly JsonLocation[] | undefined {
  if (!path.startsWith('$')) return undefined;
  let found: readonly Found[] = [{ at: [], value: root }];
  let rest = path.slice(1).trim();
  while (rest !== '') {
    const match = step.exec(rest);
    if (!match) return undefined;
    const [text, descent, anyDot, dotted, anyItem, index, single, double, filter] = match;
    rest = rest.slice(text.length);
    const from = descent === undefined ? found : found.flatMap(listBelow);
    const name = dotted ?? single?.replaceAll(/\\(.)/g, '$1') ?? double?.replaceAll(/\\(.)/g, '$1');
    if (name !== undefined) found = from.flatMap((one) => childAt(one, name));
    else if (index !== undefined) found = from.flatMap((one) => childAt(one, Number(index)));
    else if (anyDot !== undefined || anyItem !== undefined) found = from.flatMap(listChildren);
    else {
      const matches = readFilter(filter ?? '');
      if (!matches) return undefined;
      found = from.flatMap(listChildren).filter(({ value }) => matches(value));
    }
  }
  return found.map(({ at }) => at);
}

function childAt({ at, value }: Found, key: string | number): readonly Found[] {
  if (Array.isArray(value) && typeof key === 'number') {
    const index = key < 0 ? value.length + key : key;
    return index in value ? [{ at: [...at, index], value: value[index] }] : [];
  }
  return isJsonObject(value) && typeof key === 'string' && Object.hasOwn(value, key)
    ? [{ at: [...at, key], value: value[key] }]
    : [];
}

function listChildren({ at, value }: Found): readonly Found[] {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => ({ at: [...at, index], value: item }));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, item]) => ({ at: [...at, key], value: item }));
}

function listBelow(found: Found): readonly Found[] {
  return [found, ...listChildren(found).flatMap(listBelow)];
}

function readFilter(text: string): ((value: unknown) => boolean) | undefined {
  const parts = text.split('&&').map((part) => comparison.exec(part));
  if (parts.some((part) => !part)) return undefined;
  return (value) =>
    parts.every((part) => {
      const [, path = '', operator, single, double, literal] = part ?? [];
      const [at] = selectByJsonPath(value, `$${path}`) ?? [];
      const have = at?.reduce<unknown>(
        (inner, key) =>
          isJsonObject(inner) || Array.isArray(inner)
            ? (inner as Record<string | number, unknown>)[key]
            : undefined,
        value,
      );
      if (operator === undefined) return at !== undefined;
      const wanted: unknown = single ?? double ?? JSON.parse(literal ?? 'null');
      return (operator === '==') === (have === wanted);
    });
}

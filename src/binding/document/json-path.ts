// JSONPath (RFC 9535) as far as overlays use it: members, items, wildcards, descent and comparing filters.
import { isRecord } from '../../model/wire/decode-fields.ts';

/** A place, by keys from the root. */
export type JsonLocation = readonly (string | number)[];

interface Found {
  readonly at: JsonLocation;
  readonly value: unknown;
}

const step =
  /^(?:(\.\.)|\.)?(?:(\*)|([A-Za-z_$][\w$-]*)|\[\s*(?:(\*)|(-?\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\?\s*\(?(.+?)\)?)\s*\])/;
const comparison =
  /^\s*@((?:\.[\w$-]+|\['[^']*'\])*)\s*(?:(==|!=)\s*(?:'([^']*)'|"([^"]*)"|(true|false|null|-?\d+(?:\.\d+)?)))?\s*$/;

/** The places that a path selects; undefined for one that this does not read. */
export function selectByJsonPath(root: unknown, path: string): readonly JsonLocation[] | undefined {
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
  return isRecord(value) && typeof key === 'string' && Object.hasOwn(value, key)
    ? [{ at: [...at, key], value: value[key] }]
    : [];
}

function listChildren({ at, value }: Found): readonly Found[] {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => ({ at: [...at, index], value: item }));
  }
  if (!isRecord(value)) return [];
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
          isRecord(inner) || Array.isArray(inner)
            ? (inner as Record<string | number, unknown>)[key]
            : undefined,
        value,
      );
      if (operator === undefined) return at !== undefined;
      const wanted: unknown = single ?? double ?? JSON.parse(literal ?? 'null');
      return (operator === '==') === (have === wanted);
    });
}

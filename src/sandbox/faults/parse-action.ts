import type { FaultScriptPath, FaultScriptReader } from './script-reader.ts';
import type { FaultRuleAction, FaultRuleMoment } from './script.ts';

const moments = ['before', 'after'] as const;
const failureCodes = ['insufficientCapacity', 'timeout', 'internal'] as const;
const kinds = ['drop', 'hang', 'answer', 'delay', 'fail', 'slow', 'capacity'] as const;

type Kind = (typeof kinds)[number];
type Parse = (
  reader: FaultScriptReader,
  value: unknown,
  path: FaultScriptPath,
) => FaultRuleAction | undefined;

/** A body as it goes over the wire: a text as it is, anything else as JSON. */
function parseAnswer(reader: FaultScriptReader, value: unknown, path: FaultScriptPath) {
  const map = reader.map(value, path, ['status', 'headers', 'body', 'processed']);
  const headers = parseHeaders(reader, map.headers, [...path, 'headers']);
  const status = reader.number(map.status, [...path, 'status'], { least: 200, most: 599 });
  if (map.status === undefined) reader.refuse(path, 'needs a status.');
  const moment: FaultRuleMoment = reader.flag(map.processed, [...path, 'processed'])
    ? 'after'
    : 'before';
  const isText = map.body === undefined || typeof map.body === 'string';
  const body = isText ? ((map.body as string | undefined) ?? null) : JSON.stringify(map.body);
  const contentType = isText ? undefined : 'application/json';
  return {
    kind: 'answer',
    status: status ?? 500,
    headers: { ...(contentType && { 'Content-Type': contentType }), ...headers },
    body,
    moment,
  } as const;
}

function parseHeaders(reader: FaultScriptReader, value: unknown, path: FaultScriptPath) {
  if (value === undefined) return {};
  const headers: Record<string, string> = {};
  for (const [name, content] of Object.entries(reader.map(value, path))) {
    const text = typeof content === 'number' ? String(content) : content;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      reader.refuse([...path, name], 'is not the name of a header.', true);
    } else if (typeof text !== 'string' || !/^[\t\x20-\x7e]*$/.test(text)) {
      reader.refuse([...path, name], 'must be a text of one line in ASCII.');
    } else headers[name] = text;
  }
  return headers;
}

/** The id of a size of the account, by its id or name. One that the account does not have could never run out. */
function parseSize(
  reader: FaultScriptReader,
  value: unknown,
  path: FaultScriptPath,
): string | undefined {
  const named = reader.text(value, path);
  if (named === undefined || reader.sizes === 'any') return named;
  const found = reader.sizes.find(({ id, name }) => id === named || name === named);
  if (!found) {
    reader.refuse(path, `is no size of the account, which has ${listSizes(reader.sizes)}.`);
  }
  return found?.id;
}

const mostListed = 20;

function listSizes(sizes: readonly { readonly name: string }[]): string {
  const names = sizes.slice(0, mostListed).map(({ name }) => name);
  const rest = sizes.length - names.length;
  return `${names.join(', ') || 'none'}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const parsers: Readonly<Record<Kind, Parse>> = {
  drop: (reader, value, path) => {
    const moment = reader.choice(value, path, moments);
    return moment && { kind: 'drop', moment };
  },
  hang: (reader, value, path) => {
    const moment = reader.choice(value, path, moments);
    return moment && { kind: 'hang', moment };
  },
  answer: parseAnswer,
  delay: (reader, value, path) => {
    const ms = reader.duration(value, path);
    return ms === undefined ? undefined : { kind: 'delay', ms };
  },
  fail: (reader, value, path) => {
    const failureCode = reader.choice(value, path, failureCodes);
    return failureCode && { kind: 'fail', failureCode };
  },
  slow: (reader, value, path) => {
    const factor = reader.number(value, path, { least: 1, isWhole: false });
    return factor === undefined ? undefined : { kind: 'slow', factor };
  },
  capacity: (reader, value, path) => {
    const map = reader.map(value, path, ['configuration', 'left']);
    if (map.configuration === undefined) reader.refuse(path, 'needs a configuration.');
    const configurationId = parseSize(reader, map.configuration, [...path, 'configuration']);
    const left = reader.number(map.left, [...path, 'left'], { least: 0 }) ?? 0;
    return configurationId === undefined ? undefined : { kind: 'capacity', configurationId, left };
  },
};

/** Reads the `then` of a fault rule, which is one action. */
export function parseFaultAction(
  reader: FaultScriptReader,
  value: unknown,
  path: FaultScriptPath,
): FaultRuleAction | undefined {
  if (value === undefined) {
    reader.refuse(path.slice(0, -1), 'needs a then.');
    return undefined;
  }
  // The actions `drop` and `hang` may be written as a bare word.
  const bare = value === 'drop' || value === 'hang' ? { [value]: 'before' } : value;
  const map = reader.map(bare, path, kinds);
  const given = kinds.filter((kind) => map[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    const isMap = typeof bare === 'object' && bare !== null;
    if (isMap) reader.refuse(path, `must hold one of ${kinds.join(', ')}.`);
    return undefined;
  }
  return parsers[kind](reader, map[kind], [...path, kind]);
}

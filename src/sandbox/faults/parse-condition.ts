import type { OperationId } from '../../api/contract/routes.ts';
import { routes } from '../../api/contract/routes.ts';
import { isKeyOf } from '../../model/tables.ts';
import type { ScriptPath, ScriptReader } from './script-reader.ts';
import type { FaultCondition } from './script.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const keys = [
  'operation',
  'method',
  'path',
  'after',
  'until',
  'nth',
  'every',
  'probability',
  'times',
];

/** An operation of the contract, by its id. */
export function parseOperation(
  reader: ScriptReader,
  value: unknown,
  path: ScriptPath,
): OperationId | undefined {
  const text = reader.text(value, path);
  if (text === undefined) return undefined;
  if (isKeyOf(routes, text)) return text;
  const like = Object.keys(routes).find((id) => id.toLowerCase() === text.toLowerCase());
  const hint = like ? ` Is ${like} meant?` : '';
  reader.refuse(path, `is no operation of the contract: ${text}.${hint}`);
  return undefined;
}

const oneOrMore = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Reads the `when` of a rule. */
export function parseCondition(
  reader: ScriptReader,
  value: unknown,
  path: ScriptPath,
): FaultCondition {
  if (value === undefined) return {};
  const map = reader.map(value, path, keys);
  const at = (key: string) => [...path, key];
  const operations = oneOrMore(map.operation)
    .map((item) => parseOperation(reader, item, at('operation')))
    .filter((id) => id !== undefined);
  const nth = oneOrMore(map.nth)
    .map((item) => reader.number(item, at('nth'), { least: 1 }))
    .filter((count) => count !== undefined);
  const pattern = reader.text(map.path, at('path'));
  if (pattern !== undefined && !pattern.startsWith('/')) {
    reader.refuse(at('path'), 'must start with /, below the base address: /projects/*/vms.');
  }
  const optional = {
    method: reader.choice(map.method, at('method'), methods),
    path: pattern,
    afterMs: reader.duration(map.after, at('after')),
    untilMs: reader.duration(map.until, at('until')),
    every: reader.number(map.every, at('every'), { least: 1 }),
    probability: reader.number(map.probability, at('probability'), {
      least: 0,
      most: 1,
      isWhole: false,
    }),
    times: reader.number(map.times, at('times'), { least: 1 }),
  };
  return {
    ...(operations.length > 0 && { operations }),
    ...(nth.length > 0 && { nth }),
    ...withoutAbsent(optional),
  };
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields that have a value. */
export function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<Fields>;
}

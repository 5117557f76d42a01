import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Dice } from '../scenario/simulation/dice.ts';
import { writeCostly, writeExpression } from './write-expression.ts';

/** As much of JSON Schema as the schema of the configuration uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(readFileSync(resolve('schemas/config.schema.json'), 'utf8')) as Schema;

const keys = [
  ...[
    'shop',
    'web',
    'db',
    'edge',
    'backend',
    'alice',
    'https',
    'a',
    'b',
    'env',
    'secret',
    'x-1',
    'ci',
  ],
  ...['__proto__', 'constructor', 'toString', '0', 'é', '', ' ', 'a.b', 'a[0]', '<<', 'null', 'A'],
];
const texts = [
  ...[
    'web',
    'ubuntu-24.04',
    'c2-r4-d40',
    'monthly',
    'running',
    '5s',
    '1h',
    '-1',
    '\u202e',
    'x'.repeat(300),
  ],
  ...[
    'projects.shop.vms.web[0]',
    'projects.shop',
    'modules.x["é"]',
    'keys/a.pub',
    '/etc/passwd',
    '\ud800',
  ],
  ...[
    '${',
    '$${x}',
    '}',
    '\u0000',
    '\u001b[2J',
    'é\u0301',
    'https://x/v1',
    '90d',
    'tcp',
    '../..',
    '"',
    '#',
  ],
];
const numbers = [0, 1, 2, 3, -1, 1.5, 443, 65536, 1e21, 1e308, -0, 100_000, 2 ** 53, 4294967296];

function resolveRef(one: Schema): Schema {
  const name = one.$ref?.split('/').at(-1);
  return name === undefined ? one : { ...resolveRef(schema.$defs?.[name] ?? {}), ...one };
}

/** Any text, an expression often. */
export function writeText(dice: Dice): string {
  if (dice.chance(0.4)) return `\${${writeExpression(dice)}}`;
  if (dice.chance(0.1)) return `x-\${${writeExpression(dice, 2)}}-\${${writeExpression(dice, 2)}}`;
  return dice.chance(0.02) ? `\${${writeCostly(dice)}}` : dice.pick(texts);
}

function anything(dice: Dice, depth: number): unknown {
  switch (dice.below(depth <= 0 ? 4 : 6)) {
    case 0:
      return dice.pick(numbers);
    case 1:
      return dice.pick([true, false, null]);
    case 2:
    case 3:
      return writeText(dice);
    case 4:
      return Array.from({ length: dice.below(4) }, () => anything(dice, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: dice.below(4) }, () => [dice.pick(keys), anything(dice, depth - 1)]),
      );
  }
}

function writeObject(one: Schema, dice: Dice, depth: number): Record<string, unknown> {
  const made = Object.create(null);
  const required = new Set(one.required);
  for (const [name, property] of Object.entries(one.properties ?? {})) {
    const likely = required.has(name) ? 0.95 : depth > 6 ? 0.4 : 0.25;
    if (dice.chance(likely)) made[name] = writeValue(property, dice, depth - 1);
  }
  const { additionalProperties: others } = one;
  if (typeof others === 'object') {
    for (let count = 1 + dice.below(3); count > 0; count -= 1) {
      made[dice.pick(keys)] = writeValue(others, dice, depth - 1);
    }
  }
  if (dice.chance(0.02)) made[dice.pick(keys)] = anything(dice, 2);
  return made;
}

function writeValue(given: Schema, dice: Dice, depth: number): unknown {
  const one = resolveRef(given);
  if (depth <= 0 || dice.chance(0.03)) return anything(dice, 2);
  if (one.examples && one.examples.length > 0 && dice.chance(0.5)) return dice.pick(one.examples);
  if (one.enum && dice.chance(0.9)) return dice.pick(one.enum);
  const choices = one.anyOf ?? one.oneOf;
  if (choices?.some(({ type, properties }) => type ?? properties)) {
    return writeValue(
      { ...one, anyOf: undefined as never, oneOf: undefined as never, ...dice.pick(choices) },
      dice,
      depth,
    );
  }
  const types = one.type === undefined ? [] : [one.type].flat();
  switch (types.length === 0 ? undefined : dice.pick(types)) {
    case 'object':
      return writeObject(one, dice, depth);
    case 'array':
      return Array.from({ length: dice.below(4) }, () =>
        writeValue(one.items ?? {}, dice, depth - 1),
      );
    case 'string':
      return writeText(dice);
    case 'integer':
    case 'number':
      return dice.pick(numbers);
    case 'boolean':
      return dice.chance(0.5);
    case 'null':
      return null;
    default:
      return anything(dice, 2);
  }
}

/** YAML of a configuration that follows the schema for the most part. JSON is YAML. */
export function writeConfiguration(dice: Dice): string {
  const made = writeObject(schema, dice, 9);
  made.version = 1;
  if (dice.chance(0.9)) made.service = { sandbox: true };
  return JSON.stringify(made, null, dice.chance(0.5) ? 1 : undefined);
}

// The types of a JSON Schema, in words.

/** As much of a JSON Schema as the pages read. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true` or `false`',
  array: 'list',
  object: 'map',
};

/** What the definitions are called that stand for a text of a kind. */
const named: Readonly<Record<string, string>> = {
  duration: 'duration',
  lifetime: 'lifetime',
  address: 'address',
  reference: 'reference',
  value: 'any value',
};

/** `text`, `whole number from 1 to 65535`, `"tcp"` or `"udp"`. An expression is always allowed besides. */
export function describeType(schema: Schema): string {
  const known = named[(schema.$ref ?? '').replace('#/$defs/', '')];
  if (known !== undefined) return known;
  const choices = schema.enum ?? schema.anyOf?.flatMap(({ enum: own = [] }) => own) ?? [];
  if (choices.length > 0) return joinOr(choices.map((one) => `\`${String(one)}\``));
  const types = [schema.type ?? []].flat().filter((one) => one !== 'null');
  // Beside another type, text is what holds an expression.
  const own = types.length > 1 ? types.filter((one) => one !== 'string') : types;
  const words = joinOr(own.map((one) => names[one] ?? one));
  const { minimum, maximum } = schema;
  if (minimum === undefined || !/number/.test(words)) return words;
  return maximum === undefined
    ? `${words}, at least ${minimum}`
    : `${words} from ${minimum} to ${maximum}`;
}

function joinOr(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

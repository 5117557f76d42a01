// Faults of one value: of a wrong type, out of range, not among those allowed.
import { writeFlowYaml } from './write-flow.ts';
import type { SchemaViolation } from './shape-errors.ts';
import type { ConfigurationFault } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { describeYamlNode, type LocatedYamlNode } from '../source/located-node.ts';
import { allowedValues, describeExpectedValues, type JsonSchemaPart } from './shape-schema.ts';
import { describeYamlPath, type RefusedSchemaValue } from '../source/subject.ts';
import { kindNames, kindPlaces } from '../../model/kind-places.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';

function isType(schema: JsonSchemaPart, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}

/** The hint where an expression gave the value: its text is valid, but it gives another type. */
function suggestConversion(schema: JsonSchemaPart): string {
  const expected = `Let the expression give ${describeExpectedValues(schema)}`;
  if (schema.type === 'string') return `${expected}, for example with \`string()\`.`;
  if (isType(schema, 'integer')) return `${expected}, for example with \`int()\`.`;
  return `${expected}.`;
}

/** The hint at Terraform's spelling of a value; undefined for everything else. */
function suggestHabit({ path, node }: RefusedSchemaValue): string | undefined {
  if (path.at(-1) === 'ignoreChanges' && node.kind === 'scalar' && node.value === 'all') {
    return 'List the fields: there is no `all`.';
  }
  const isAmongKeys = kindNames.some((kind) => kindPlaces[kind].collection === path.at(-2));
  if (isAmongKeys && /^(?:count|for_?each)$/i.test(path.at(-1) ?? '')) {
    return `Move it into the block of one resource: \`${path.at(-2)}\` holds resources by key.`;
  }
  if (path.at(-1) === 'forEach' && node.kind === 'scalar' && typeof node.value === 'number') {
    return `Use \`count: ${node.value}\`: \`forEach\` takes texts.`;
  }
  const isItem = path.at(-2) === 'forEach';
  if (isItem && node.kind === 'map') {
    return 'Give a map by key, for example `zipMap(list.map(x, x.name), list)`.';
  }
  return undefined;
}

/** The way out where a text or a number stands for a map; `image = "u"` is how HCL writes an entry. */
function suggestMap({ examples }: JsonSchemaPart, value: unknown): string {
  const [, key, text] = /^(\w+)\s*=\s*(\S.*)$/s.exec(String(value)) ?? [];
  if (key !== undefined && text !== undefined) {
    return `Write \`${key}: …\` with a colon, and each key on a line of its own.`;
  }
  const [example] = examples ?? [];
  return typeof example === 'object' && example !== null
    ? `Write a map, for example \`${writeFlowYaml(example)}\`.`
    : 'Write a map: lines of the form `key: value`.';
}

/** Suggests a correction for the wrong types that people write most, as a quoted number. */
function suggestType(schema: JsonSchemaPart, node: LocatedYamlNode): string {
  const { file, start, end } = node;
  const isGiven = node.kind === 'scalar' && String(node.value).includes('${');
  if (file.text.slice(start, end).includes('${') && !isGiven) return suggestConversion(schema);
  const isPlain = node.kind === 'scalar' && node.value !== null && !file.isSecret(start, end);
  const written = isPlain ? makePrintable(file.text.slice(start, end)).slice(0, 40) : undefined;
  if (isType(schema, 'array') && written !== undefined) return `Write a list: [${written}].`;
  if (isType(schema, 'array') && node.kind === 'map') return 'Begin each item with `- `.';
  if (isType(schema, 'object') && isGiven) {
    const key = schema.required?.length === 1 ? schema.required[0] : undefined;
    return key === undefined
      ? 'Write each entry of the map: an expression cannot give the keys.'
      : `Write a map with its \`${key}\`: { ${key}: … }.`;
  }
  if (isType(schema, 'object') && node.kind === 'list') {
    return 'Write `key: value` lines without the dashes.';
  }
  if (isType(schema, 'object') && node.kind === 'scalar') return suggestMap(schema, node.value);
  if (schema.title === 'Reference') return hintAtReference;
  if (schema.type === 'string' && written !== undefined) {
    return `Put it in quotes: '${written}'.`;
  }
  if (
    isType(schema, 'boolean') &&
    /^["']?(?:yes|no|on|off|true|false)["']?$/i.test(written ?? '')
  ) {
    return 'Write true or false, in small letters and without quotes.';
  }
  if (
    (isType(schema, 'integer') || isType(schema, 'number')) &&
    /^["']-?[\d.]+["']$/.test(written ?? '')
  ) {
    return 'Write the number without quotes.';
  }
  return `Give ${describeExpectedValues(schema)} here.`;
}

/** Explains the error of a value of the wrong type, or of a text without the required form. */
export function explainTypeError(
  schema: JsonSchemaPart,
  subject: RefusedSchemaValue,
): ConfigurationFault {
  const { path, node, key } = subject;
  const isBlank = node.kind === 'scalar' && typeof node.value === 'string' && !node.value.trim();
  const isEmpty = isBlank || (node.kind === 'scalar' && node.value === null);
  if (isBlank && schema.type === 'string') {
    return {
      code: 'blank-text',
      summary: `${describeYamlPath(path)} is blank`,
      hint: 'Give it a text, or remove the key.',
      place: node,
    };
  }
  if (schema.title === 'Duration' && !isEmpty) return explainDuration(subject);
  if (schema.title === 'Most deletions' && !isEmpty) return explainShare(subject);
  if (schema.title === 'Reference' && node.kind === 'scalar' && typeof node.value === 'string') {
    return explainReference(subject);
  }
  const types = [schema.type ?? []].flat();
  const isText = types.includes('string') && types.every((type) => /^(?:string|null)$/.test(type));
  if (isText && node.kind === 'scalar' && typeof node.value === 'string') {
    return explainForm(schema, node.value, subject);
  }
  return {
    code: 'wrong-type',
    summary: `${describeYamlPath(path)} must be ${describeExpectedValues(schema)}`,
    detail: isEmpty ? 'It is empty.' : `Got ${describeYamlNode(node)}.`,
    hint: isEmpty
      ? `Give ${describeExpectedValues(schema)}, or remove the key.`
      : (suggestHabit(subject) ?? suggestType(schema, node)),
    place: isEmpty ? key : node,
  };
}

/** The error for a text without the required form. */
function explainForm(
  { examples }: JsonSchemaPart,
  text: string,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault {
  const [example] = examples ?? [];
  return {
    code: 'wrong-type',
    summary: `${describeYamlPath(path)} has a form that is not allowed`,
    detail: text.includes('${')
      ? 'Expressions are not allowed here.'
      : 'It has characters that are not allowed here, or in the wrong place.',
    hint: `Write ${typeof example === 'string' ? `for example \`${example}\`` : 'plain text'}.`,
    place: node,
  };
}

const hintAtReference = 'Write the key, for example `web`, or `web[0]` for one of several.';

function explainReference({ path, node }: RefusedSchemaValue): ConfigurationFault {
  return {
    code: 'invalid-reference',
    summary: `${describeYamlPath(path)} is not the key of a resource`,
    detail:
      'Resources are named by their keys in this configuration, not by ids or addresses of the service.',
    hint: hintAtReference,
    place: node,
  };
}

function explainShare({ path, node }: RefusedSchemaValue): ConfigurationFault {
  return {
    code: 'wrong-type',
    summary: `${describeYamlPath(path)} is neither a whole number nor a share in percent`,
    detail: 'A share is a whole number from 0 to 100 with a percent sign.',
    hint: 'Write for example 5 or 30%.',
    place: node,
  };
}

function explainDuration({ path, node }: RefusedSchemaValue): ConfigurationFault {
  return {
    code: 'invalid-duration',
    summary: `${describeYamlPath(path)} is not a duration`,
    detail: 'A duration is made of hours, minutes and seconds, in this order, each with its unit.',
    hint: 'Write for example 90s, 20m or 1h30m.',
    place: node,
  };
}

/** The error for a number that is too small or too large. */
export function explainNumberRange(
  { parentSchema }: SchemaViolation,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault {
  const { minimum, maximum, exclusiveMinimum } = parentSchema;
  const from = exclusiveMinimum === undefined ? `${minimum ?? 0}` : `more than ${exclusiveMinimum}`;
  return {
    code: 'out-of-range',
    summary: `${describeYamlPath(path)} is ${describeYamlNode(node)}, which is out of range`,
    detail: `Allowed is ${from}${maximum === undefined ? ' or more' : ` to ${maximum}`}.`,
    hint: 'Give a number within the range.',
    place: node,
  };
}

/** Explains the error of a list, a map or a text that is longer than allowed. */
export function explainTooLongValue(
  { params }: SchemaViolation,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault {
  const unit = { list: 'items', map: 'entries', scalar: 'characters' }[node.kind];
  return {
    code: 'out-of-range',
    summary: `${describeYamlPath(path)} has more than ${String(params.limit)} ${unit}`,
    hint: 'Shorten it, or divide it.',
    place: node,
  };
}

/** Explains the error of an empty list or map that must have an item. */
export function explainEmptyCollection(
  { parentSchema }: SchemaViolation,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault {
  const keys = Object.keys(parentSchema.properties ?? {});
  return {
    code: 'wrong-type',
    summary: `${describeYamlPath(path)} is empty`,
    hint:
      node.kind === 'list'
        ? 'Add an item.'
        : keys.length > 0
          ? `Add at least one of ${formatNameList(keys)}.`
          : 'Add an entry.',
    place: node,
  };
}

/** The error for an item that occurs twice in a list. */
export function explainRepeatedItem(
  error: SchemaViolation,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault {
  const twin = Number(error.params.twin);
  const items = node.kind === 'list' ? node.items : [];
  const item = items[twin] ?? node;
  const value = item.kind === 'scalar' ? ` \`${makePrintable(String(item.value))}\`` : ' one item';
  return {
    code: 'duplicate-item',
    summary: `${describeYamlPath(path)} names${value} twice`,
    hint: 'Remove one of the two.',
    place: item,
  };
}

/** Explains the error of a value that is not among the allowed ones. */
export function explainForbiddenValue(
  error: SchemaViolation,
  subject: RefusedSchemaValue,
): ConfigurationFault {
  const { path, node } = subject;
  const schema = error.parentSchema;
  const allowed = allowedValues(schema);
  if (!allowed || node.kind !== 'scalar' || node.value === null) {
    return explainTypeError(schema, subject);
  }
  if (allowed.map(String).includes(String(node.value))) {
    return {
      code: 'wrong-type',
      summary: `${describeYamlPath(path)} must be ${describeExpectedValues(schema)}`,
      detail: 'It is in quotes, and so it is text.',
      hint: 'Remove the quotes.',
      place: node,
    };
  }
  const meant = suggestNearestName(String(node.value), allowed.map(String));
  return {
    code: 'invalid-value',
    summary: `${describeYamlPath(path)} must be ${describeExpectedValues(schema)}`,
    detail: `Got \`${makePrintable(String(node.value)).slice(0, 60)}\`.`,
    hint: meant ? `Did you mean \`${meant}\`?` : `Write ${describeExpectedValues(schema)}.`,
    place: node,
  };
}

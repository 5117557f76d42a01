// Faults of the keys of a map: unknown, missing, misspelt as keys, or excluding each other.
import { kindRegistry } from '../../kinds/registry.ts';
import { kindNames, kindPlaces } from '../../model/kind-places.ts';
import { hintAtKeyOfOtherTool } from './foreign-keys.ts';
import { writeFlowYaml } from './write-flow.ts';
import type { SchemaViolation } from './shape-errors.ts';
import type { ConfigurationFault } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { listYamlMapEntries, type LocatedYamlNode } from '../source/located-node.ts';
import { configurationSchema, resolveSchema, type JsonSchemaPart } from './shape-schema.ts';
import type { SourceTextRange } from '../source/source-file.ts';
import { describeYamlPath, type RefusedSchemaValue } from '../source/subject.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';

function propertiesOf(error: SchemaViolation): Readonly<Record<string, JsonSchemaPart>> {
  return resolveSchema(error.parentSchema).properties ?? {};
}

/** The known key that an unknown one was most likely meant to be. */
function suggestKey(error: SchemaViolation): string | undefined {
  const additionalProperty = String(error.params.additionalProperty);
  const known = Object.keys(propertiesOf(error));
  const foreign = hintAtKeyOfOtherTool(additionalProperty, error.instancePath.split('/').slice(1));
  const named = /^Use `(\w+)`/.exec(foreign ?? '')?.[1];
  return named !== undefined && known.includes(named)
    ? named
    : suggestNearestName(additionalProperty, known);
}

/** The way out for a key of a block within this one, `deleteBackups` of a VM, or of one around it. */
function placeKey(
  key: string,
  error: SchemaViolation,
  path: readonly string[],
): string | undefined {
  const inner = Object.entries(propertiesOf(error)).find(([, schema]) =>
    Object.hasOwn(resolveSchema(schema).properties ?? {}, key),
  );
  if (inner) return `Write it in \`${inner[0]}\`: \`${inner[0]}: { ${key}: … }\`.`;
  const above = path
    .map((_, length) => path.slice(0, length))
    .reverse()
    .find((one) => Object.hasOwn(findSchema(one).properties ?? {}, key));
  return above && `Move it out, to the keys of ${describeYamlPath(above)}: check the indentation.`;
}

/** Finds the schema of the value at a path of the configuration. */
function findSchema(path: readonly string[]): JsonSchemaPart {
  return path.reduce<JsonSchemaPart>((schema, step) => {
    const { properties, additionalProperties, items } = resolveSchema(schema);
    return resolveSchema(properties?.[step] ?? additionalProperties ?? items ?? {});
  }, configurationSchema);
}

/** Finds the keys that misspelt keys were meant to be, as `POINTER/KEY`, so that they are not reported as missing, too. */
export function findSuggestedKeys(errors: readonly SchemaViolation[]): ReadonlySet<string> {
  return new Set(
    errors
      .filter(({ keyword }) => keyword === 'additionalProperties')
      .map((error) => `${error.instancePath}/${suggestKey(error) ?? ''}`),
  );
}

const tokenKey = /^(?:[a-z_-]*[_-])?token$|^[a-z]*Token$/i;

function explainToken(key: string, place: SourceTextRange): ConfigurationFault {
  return {
    code: 'token-in-configuration',
    summary: `\`${key}\` is not allowed in a configuration`,
    detail: 'Secrets do not belong in YAML: files are committed, copied and printed.',
    hint: 'Remove it, and give the token as HOSTWRIGHT_TOKEN, HOSTWRIGHT_TOKEN_FILE or --token-command. If the file was ever shared, revoke the token.',
    place,
  };
}

/** Explains the error of a key that the schema does not know at this place. */
export function explainUnknownKey(
  error: SchemaViolation,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault {
  const key = String(error.params.additionalProperty);
  const place = listYamlMapEntries(node).get(key)?.key ?? node;
  if (tokenKey.test(key)) return explainToken(key, place);
  const shown = makePrintable(key);
  const foreign = hintAtKeyOfOtherTool(key, path);
  const meant = suggestKey(error);
  return {
    code: 'unknown-key',
    summary: `${describeYamlPath(path)} has no key \`${shown}\``,
    detail: `Valid keys: ${formatNameList(Object.keys(propertiesOf(error)), 30)}.`,
    hint:
      foreign ??
      (meant
        ? `Did you mean \`${meant}\`?`
        : path.length === 2 && path[0] === 'modules'
          ? 'Write it in `variables`, if it is a variable of the module.'
          : (placeKey(key, error, path) ??
            'Remove the key, or move it to where it belongs: check the indentation.')),
    place,
  };
}

/** Explains the error of a key that the user chose and that cannot be part of an address. */
export function explainInvalidKey(
  error: SchemaViolation,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault {
  const key = String(error.params.propertyName);
  const place = listYamlMapEntries(node).get(key)?.key ?? node;
  if (tokenKey.test(key)) return explainToken(key, place);
  const kind = kindNames.find((one) => kindPlaces[one].collection === path.at(-1));
  const reserved = kind && kindRegistry[kind].traits.reservedKeys;
  return {
    code: 'invalid-key',
    summary: `\`${makePrintable(key)}\` cannot be a key of ${describeYamlPath(path)}`,
    detail: reserved?.keys.includes(key)
      ? reserved.why
      : 'A key becomes part of an address: letters, digits, `_` and `-`, beginning with a letter or `_`.',
    hint: 'Choose another key; the name on the service can be set with `name`.',
    place,
  };
}

/** Explains the error of a missing key; undefined when a misspelt key was meant to be that one. */
export function explainMissingKey(
  error: SchemaViolation,
  { path, key }: RefusedSchemaValue,
  suggested: ReadonlySet<string>,
): ConfigurationFault | undefined {
  const missing = String(error.params.missingProperty);
  if (suggested.has(`${error.instancePath}/${missing}`)) return undefined;
  return describeMissingKey(missing, propertiesOf(error)[missing] ?? {}, path, key);
}

/** Describes a missing key, with an example of a value. */
export function describeMissingKey(
  missing: string,
  schema: JsonSchemaPart,
  path: readonly string[],
  key: SourceTextRange,
): ConfigurationFault {
  const { description, examples } = resolveSchema(schema);
  const example = examples?.[0];
  return {
    code: 'missing-key',
    summary: `${describeYamlPath(path)} has no \`${missing}\``,
    ...(description !== undefined && { detail: description }),
    hint: `Add it, for example \`${missing}: ${example === undefined ? '…' : writeFlowYaml(example)}\`.`,
    place: key,
  };
}

/** Explains the error of keys that exclude each other, or of which one is needed. */
export function explainAlternativeKeys(
  error: SchemaViolation,
  { path, node, key }: RefusedSchemaValue,
  suggested: ReadonlySet<string>,
): ConfigurationFault | undefined {
  const { oneOf, not } = error.parentSchema;
  const groups = oneOf ?? [];
  const names =
    error.keyword === 'not' ? not?.required : groups.flatMap((one) => one.required ?? []);
  if (!names || names.some((name) => suggested.has(`${error.instancePath}/${name}`))) {
    return undefined;
  }
  // The schema's keywords for keys hold for a map alone; another type is reported as such.
  if (node.kind !== 'map') return undefined;
  const excluding = describeExclusive(names, path, node);
  if (excluding) return excluding;
  return {
    code: 'missing-key',
    summary: `${describeYamlPath(path)} needs one of ${formatNameList(names)}`,
    hint: 'Add one of them.',
    place: key,
  };
}

/**
 * Explains the error of a map with several keys that may have only one; undefined when all but one are unknown, which
 * is reported as that.
 */
export function explainSeveralKeys(
  error: SchemaViolation,
  { path, node }: RefusedSchemaValue,
): ConfigurationFault | undefined {
  return describeExclusive(Object.keys(propertiesOf(error)), path, node);
}

function describeExclusive(
  names: readonly string[],
  path: readonly string[],
  node: LocatedYamlNode,
): ConfigurationFault | undefined {
  const entries = listYamlMapEntries(node);
  const given = names.filter((name) => entries.has(name));
  const places = given.flatMap((name) => entries.get(name)?.key ?? []);
  const last = places.sort((a, b) => a.start - b.start).at(-1);
  if (!last || given.length < 2) return undefined;
  return {
    code: 'exclusive-keys',
    summary: `${describeYamlPath(path)} has ${formatNameList(given)}, which exclude each other`,
    hint: 'Remove one of them.',
    place: last,
  };
}

// Why a body is not valid, in words. No text has a value of the body: it may be a secret.
import type { ErrorObject } from 'ajv';
import { suggestNearestName } from '../../model/text/suggest.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import {
  describeExpectedBody,
  joinAlternatives,
  listAllowedValues,
  resolveBodySchema,
  type RequestBodyContract,
  type RequestBodySchema,
} from './describe-expected.ts';

const longestName = 80;

/** Explains each fault of a request body in a sentence. The errors are Ajv's verbose ones. */
export function explainBodyFaults(
  errors: readonly ErrorObject[],
  contract: RequestBodyContract,
): readonly string[] {
  return [...new Set(errors.map((error) => explainFault(error, contract)))];
}

/** Explains the fault of a request body that matches none of several schemas, by the field that selects one of them. */
export function explainBodyChoice(
  name: string,
  given: unknown,
  choices: readonly string[],
): readonly string[] {
  if (given === undefined) return [`${name} is missing. Give ${joinAlternatives(choices)}.`];
  return [`${name} must be ${joinAlternatives(choices)}.${suggestAmong(given, choices)}`];
}

/** Message about a request body that is no object. */
export const notAnObjectFault = 'The body must be an object.';

function explainFault(error: ErrorObject, contract: RequestBodyContract): string {
  const parent = (error.parentSchema ?? {}) as RequestBodySchema;
  const at = describePath(error);
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'required':
      return explainMissing(at, String(params.missingProperty), parent, contract);
    case 'additionalProperties':
      return explainUnknown(at, String(params.additionalProperty), parent);
    case 'uniqueItems':
      return explainTwins(at, Number(params.i), Number(params.j));
    case 'maxLength':
      return `${at} must have at most ${Number(params.limit)} characters.`;
    case 'minProperties':
      return `${at === '' ? 'The body' : at} has no field. Give at least one.`;
    case 'not':
      return `${at}: ${(error.schema as RequestBodySchema).description ?? 'This is not allowed.'}`;
    default:
      return explainValue(at, parent, error.data);
  }
}

function explainTwins(at: string, one: number, other: number): string {
  const [first, second] = [Math.min(one, other), Math.max(one, other)];
  return `${at} must name nothing twice: items ${first} and ${second} are the same.`;
}

function explainMissing(
  at: string,
  name: string,
  { properties }: RequestBodySchema,
  contract: RequestBodyContract,
): string {
  const path = at === '' ? name : `${at}.${name}`;
  const expected = describeExpectedBody(resolveBodySchema(contract, properties?.[name] ?? {}));
  return `${path} is missing. Give ${expected}.`;
}

function explainUnknown(at: string, name: string, { properties = {} }: RequestBodySchema): string {
  const known = Object.keys(properties);
  const shown = escapeLineEnds(name).slice(0, longestName);
  const what = at === '' ? `There is no field ${shown}.` : `${at} has no field ${shown}.`;
  const meant = suggestNearestName(name, known);
  return meant === undefined
    ? `${what} Valid fields: ${known.join(', ')}.`
    : `${what} Did you mean ${meant}?`;
}

function explainValue(at: string, schema: RequestBodySchema, given: unknown): string {
  if (at === '') return notAnObjectFault;
  const allowed = listAllowedValues(schema) ?? [];
  return `${at} must be ${describeExpectedBody(schema)}.${suggestAmong(given, allowed)}`;
}

function suggestAmong(given: unknown, choices: readonly string[]): string {
  const meant = typeof given === 'string' ? suggestNearestName(given, choices) : undefined;
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** Path of a fault in the body: `grants[0].role`; empty for the body itself. */
function describePath({ instancePath }: ErrorObject): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => escapeLineEnds(part.replaceAll('~1', '/').replaceAll('~0', '~')))
    .map((part) => part.slice(0, longestName))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

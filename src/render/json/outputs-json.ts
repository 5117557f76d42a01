import type { OutputChange } from '../../model/plan/plan.ts';
import type { RememberedOutput, RememberedOutputs } from '../../model/state/state.ts';
import type { Value } from '../../model/value.ts';
import { sortAttributeKeys, sortValueKeys } from './resource-json.ts';

/** A type as Terraform's JSON writes it: `"string"`, `["tuple", ["string"]]`, `["object", { "a": "bool" }]`. */
export type OutputTypeJson = string | readonly [string, unknown];

/** One output in Terraform's JSON; without its value where it is sensitive or not known yet. */
export interface OutputJson {
  readonly sensitive: boolean;
  readonly type?: OutputTypeJson;
  readonly value?: Value;
}

/** One entry of `output_changes` in a plan's JSON. */
export interface OutputChangeJson {
  readonly actions: readonly string[];
  readonly before: Value;
  readonly after: Value;
  readonly after_unknown: boolean;
  readonly before_sensitive: boolean;
  readonly after_sensitive: boolean;
}

/** Describes the type of a value as Terraform's JSON does. */
function describeType(value: Value): OutputTypeJson {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'bool';
    default:
      break;
  }
  if (value === null) return 'dynamic';
  if (Array.isArray(value)) return ['tuple', value.map(describeType)];
  const entries = Object.entries(sortAttributeKeys(value));
  return ['object', Object.fromEntries(entries.map(([key, one]) => [key, describeType(one)]))];
}

/** One output with its value, or without it where it is sensitive and was not asked for by name. */
function describeOutput({ sensitive, value }: RememberedOutput): OutputJson {
  if (value === undefined) return { sensitive };
  return { sensitive, type: describeType(value), value: sortValueKeys(value) };
}

/** Describes the outputs by name, in order, as `hostwright output --json` prints them. */
export function describeOutputs(outputs: RememberedOutputs): Readonly<Record<string, OutputJson>> {
  const sorted = [...outputs].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, output]) => [name, describeOutput(output)]));
}

/** Describes the changes of outputs as `output_changes`. */
export function describeOutputChanges(
  outputs: readonly OutputChange[],
): Readonly<Record<string, OutputChangeJson>> {
  return Object.fromEntries(
    outputs.map((output) => [
      output.name,
      {
        actions: [output.action],
        before: sortValueKeys(output.before),
        after: sortValueKeys(output.after),
        after_unknown: output.isUnknown,
        before_sensitive: output.wasSensitive,
        after_sensitive: output.isSensitive,
      },
    ]),
  );
}

/** Lists the outputs that exist before or after the plan. */
export function listPlanOutputs(
  outputs: readonly OutputChange[],
  side: 'prior' | 'planned',
): Readonly<Record<string, OutputJson>> {
  const gone = side === 'prior' ? 'create' : 'delete';
  return describeOutputs(
    new Map(
      outputs
        .filter(({ action }) => action !== gone)
        .map((output): [string, RememberedOutput] => {
          const sensitive = side === 'prior' ? output.wasSensitive : output.isSensitive;
          const isHidden = sensitive || (side === 'planned' && output.isUnknown);
          const value = side === 'prior' ? output.before : output.after;
          return [output.name, isHidden ? { sensitive } : { sensitive, value }];
        }),
    ),
  );
}

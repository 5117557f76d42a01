import { Unknown, type ScopeValue } from '../expressions/values/scope.ts';
import type { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import type { CheckEntry } from '../model/deferred.ts';

/** Outcome of a condition of the configuration. */
export type ConfiguredConditionOutcome =
  | { readonly kind: 'holds' }
  /** `message` is the configuration's own text for this case. */
  | { readonly kind: 'fails'; readonly message: string | undefined }
  /** The condition reads a value that is not known yet. */
  | { readonly kind: 'unknown'; readonly reference: string; readonly isLeftOut: boolean }
  /** The condition has no value, or one that is neither true nor false. */
  | { readonly kind: 'broken'; readonly why: string; readonly hint?: string };

type Names = Readonly<Record<string, ScopeValue>>;
type Condition = Pick<CheckEntry, 'assert' | 'message' | 'isSensitive'>;

const hiddenFault = 'It fails on a sensitive value, which is not shown.';

/** The configuration's message for a false condition. One that reads a sensitive value is not shown. */
function sayMessage(
  { message, isSensitive }: Condition,
  scope: ProjectedScope,
  names: Names,
): string | undefined {
  if (!message) return undefined;
  if (isSensitive) return '(its message depends on a sensitive value)';
  const { outcome, isSensitive: hasRead } = scope.evaluate(message, names);
  if (hasRead) return '(its message depends on a sensitive value)';
  if (outcome.kind === 'value' && typeof outcome.value === 'string') return outcome.value;
  return message.kind === 'expression' ? message.text : undefined;
}

/** Evaluates a condition in a scope; `names` stand beside `projects`. */
export function evaluateConfiguredCondition(
  condition: Condition,
  scope: ProjectedScope,
  names: Names = {},
): ConfiguredConditionOutcome {
  const { outcome, isSensitive, isLeftOut } = scope.evaluate(condition.assert, names);
  if (outcome.kind === 'unknown') {
    const { reference, isFault, why } = outcome.unknown;
    if (!isFault) return { kind: 'unknown', reference, isLeftOut };
    return { kind: 'broken', why: `It reads \`${reference}\`, ${why}.` };
  }
  if (outcome.kind === 'fault') {
    const { code, summary, hint } = outcome.fault;
    const isHidden = (isSensitive || condition.isSensitive) && code !== 'expression-type';
    return { kind: 'broken', why: isHidden ? hiddenFault : `${summary}.`, hint };
  }
  if (outcome.value === true) return { kind: 'holds' };
  if (outcome.value === false) {
    return { kind: 'fails', message: sayMessage(condition, scope, names) };
  }
  const hint = 'Compare the value with another, for example `x != ""`.';
  return { kind: 'broken', why: 'It gives neither true nor false.', hint };
}

/** The condition as it is written. */
export function formatCondition({ assert }: Pick<CheckEntry, 'assert'>): string {
  return assert.kind === 'expression' ? assert.text.replace(/\s+/g, ' ').trim() : '';
}

/**
 * Tells whether a condition cannot be evaluated only because it reads a side of the change that does not exist, as `after` of a
 * deletion: then it says nothing about the change.
 */
export function isChangeSideMissing(
  condition: Condition,
  scope: ProjectedScope,
  names: Names,
  missing: readonly string[],
): boolean {
  const instead = Object.fromEntries(missing.map((name) => [name, new Unknown(name)]));
  const { outcome } = scope.evaluate(condition.assert, { ...names, ...instead });
  return outcome.kind === 'unknown' && missing.includes(outcome.unknown.reference);
}

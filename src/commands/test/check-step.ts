import type { Assertion, ExpectedTestStepError, TestStep } from '../../config/tests/test-file.ts';
import { explainCondition } from '../../expressions/explain/explain-condition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import { EvaluationBudget } from '../../expressions/values/budget.ts';
import type { TestScope } from './test-scope.ts';

/** Limit on the work of evaluating all assertions of one test together. */
export type AssertionBudget = EvaluationBudget;

/** Makes the limit on the work of evaluating the assertions of one test. */
export const makeAssertionBudget = (): AssertionBudget => EvaluationBudget.ofRun();

/** Lists errors of a test step that the step does not declare as expected. */
export function listUnexpectedErrors(
  { expectedFailures }: TestStep,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const codes = new Set(expectedFailures.map(({ code }) => code));
  return diagnostics.filter(({ severity, code }) => severity === 'error' && !codes.has(code));
}

/** The errors that a step was expected to end with, and did not. */
export function listMissingFailures(
  { name, expectedFailures }: TestStep,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const codes = [...new Set(errors.map(({ code }) => code))];
  return expectedFailures
    .filter(({ code }) => !codes.includes(code))
    .map(({ code, source }: ExpectedTestStepError) => ({
      severity: 'error',
      code: 'failure-missing',
      summary: `The step did not fail with \`${code}\``,
      detail:
        codes.length === 0
          ? `The step, ${name}, succeeded.`
          : `The step, ${name}, failed with ${formatNameList(codes)}.`,
      hint: 'Correct `expectFailures`, or the configuration.',
      source,
    }));
}

/** Evaluates the assertions of a test step, and returns a diagnostic for each that fails; empty where all are true. */
export function checkAssertions(
  assertions: readonly Assertion[],
  scope: TestScope,
  budget: AssertionBudget,
): readonly Diagnostic[] {
  return assertions.flatMap((assertion) => checkOne(assertion, scope, budget) ?? []);
}

function checkOne(
  assertion: Assertion,
  { names, trace }: TestScope,
  budget: AssertionBudget,
): Diagnostic | undefined {
  const { condition } = assertion;
  const options = { budget: budget.forExpression() };
  const { value: outcome, isSensitive } = trace(() => condition.evaluate(names, options));
  if (outcome.kind === 'value' && outcome.value === true) return undefined;
  const source = assertion.locate();
  const own = sayMessage(assertion, { names, trace }, budget);
  const written = condition.text.replace(/\s+/g, ' ').trim();
  const seen = () =>
    explainCondition(condition.text, names, trace).map(
      ({ text, value, item }) => `  ${text} = ${value}${item === undefined ? '' : ` (${item})`}`,
    );
  if (outcome.kind === 'value' && outcome.value === false) {
    return {
      severity: 'error',
      code: 'assertion-failed',
      source,
      summary: own ?? `The assertion is false: ${written}`,
      detail: [
        ...(own === undefined ? [] : [`The assertion is false: ${written}`]),
        ...seen(),
      ].join('\n'),
    };
  }
  const summary = 'The assertion cannot be evaluated';
  const code = 'assertion-broken';
  if (outcome.kind === 'unknown') {
    const { reference } = outcome.unknown;
    return {
      severity: 'error',
      code,
      summary,
      source,
      detail: [`It reads \`${reference}\`, which is known after apply.`, ...seen()].join('\n'),
      hint: 'Move it behind an `apply` step.',
    };
  }
  if (outcome.kind === 'value') {
    const hint = 'Compare the value with another, for example `x != ""`.';
    return {
      severity: 'error',
      code,
      summary,
      source,
      hint,
      detail: ['It gives neither true nor false.', ...seen()].join('\n'),
    };
  }
  const { fault } = outcome;
  const isHidden = isSensitive && fault.code !== 'expression-type' && fault.code !== 'unknown-name';
  return {
    severity: 'error',
    code,
    source: assertion.locate(fault.start, fault.end),
    summary: isHidden ? 'The assertion fails on a sensitive value' : fault.summary,
    hint: fault.hint,
  };
}

/** The test's own message for a failed assertion. A message with a sensitive value is not shown. */
function sayMessage(
  { message }: Assertion,
  { names, trace }: TestScope,
  budget: AssertionBudget,
): string | undefined {
  if (!message) return undefined;
  const options = { budget: budget.forExpression() };
  const { value: outcome, isSensitive } = trace(() => message.evaluate(names, options));
  if (isSensitive) return '(the message depends on a sensitive value)';
  return outcome.kind === 'value' && typeof outcome.value === 'string'
    ? outcome.value
    : message.text;
}

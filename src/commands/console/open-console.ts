import type { NameCompletion } from '../../config/console/complete-names.ts';
import type { ConsoleExpressionOutcome } from '../../config/console/typed-expressions.ts';
import { isExpressionIncomplete } from '../../expressions/parse/parse-expression.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import type { Value } from '../../model/value.ts';
import { projectResourcesFromState } from '../../plan/deferred/project-state.ts';
import { makePlan } from '../../engine/make-plan.ts';
import { makeDefaultPlanParameters } from '../../engine/plan-order.ts';
import { makeDiscardingSecretSinks } from '../../engine/sinks.ts';
import { resolveConfigurationData } from '../planning/read-data.ts';
import { connectToService } from '../session/connect.ts';
import { describeCommandFailure } from '../session/describe-failure.ts';
import type { Reporter } from '../session/reporter.ts';
import { readConfiguration } from '../session/session.ts';
import { readState } from '../state/read-state.ts';

/** Result of an expression typed into `hostwright console`. */
export type ExpressionConsoleResult =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'sensitive' }
  /** A value that will be known after an apply only. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'faults'; readonly diagnostics: readonly Diagnostic[] };

/** Evaluator of expressions against a configuration and, where that is not enough, the state and the account. */
export interface ExpressionConsole {
  /**
   * Evaluates a typed expression.
   * @throws DiagnosticError where the state cannot be read, ApiError where the account is needed and cannot be read
   */
  evaluate(typed: string): Promise<ExpressionConsoleResult>;
  /** Tells whether an expression lacks its end, so that the console reads another line. */
  isUnfinished(typed: string): boolean;
  /** Lists completions for the end of a typed line. */
  complete(line: string): NameCompletion;
}

/**
 * Opens the evaluator of `hostwright console` for a configuration. The state and the account are read only once an expression
 * needs them.
 */
export async function openExpressionConsole(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<ExpressionConsole> {
  const configuration = await readConfiguration(runtime, directory, reporter);
  let read: AccountValues | undefined;
  return {
    async evaluate(typed) {
      const found = evaluateIn(read?.configuration ?? configuration, typed);
      if (found.kind !== 'deferred') return answer(found);
      const isFirst = read === undefined;
      read ??= await readAccount(runtime, directory, configuration, reporter);
      const again = isFirst ? evaluateIn(read.configuration, typed) : found;
      return answer(again, read.scope);
    },
    isUnfinished: isExpressionIncomplete,
    complete: (line) => (read?.configuration ?? configuration).typed?.complete(line) ?? nothing,
  };
}

const nothing: NameCompletion = { candidates: [], fragment: '' };

/** The configuration with its queries answered, and the resources of the account. */
interface AccountValues {
  readonly configuration: Configuration;
  readonly scope: ProjectedScope;
}

async function readAccount(
  runtime: SessionRuntime,
  directory: string,
  configuration: Configuration,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<AccountValues> {
  const state = await readState(runtime, directory, reporter);
  try {
    const connection = await connectToService(runtime, configuration, state, reporter);
    try {
      const complete = await resolveConfigurationData(configuration, connection.client, reporter);
      const { graph: desired, steps } = complete.configuration;
      const { known } = await makePlan(
        {
          state,
          connection,
          clock: runtime.clock,
          sinks: makeDiscardingSecretSinks('the console'),
        },
        makeDefaultPlanParameters('refresh', desired, steps),
        { source: complete.source },
      );
      return project(complete.configuration, known);
    } finally {
      connection.close();
    }
  } catch (error) {
    const diagnostics = describeCommandFailure(error);
    // A configuration with `data` cannot be evaluated without the account.
    if (!diagnostics || configuration.pending) throw error;
    reporter.showDiagnostics([warnOfState(diagnostics)]);
    return project(configuration, state);
  }
}

function project(configuration: Configuration, state: State): AccountValues {
  const { graph, steps } = configuration;
  const list = () => projectResourcesFromState(graph.resources, state);
  return { configuration, scope: new ProjectedScope(list, graph.emptyGroups, steps) };
}

function warnOfState(diagnostics: readonly Diagnostic[]): Diagnostic {
  const [first] = diagnostics.filter((one) => hasErrors([one]));
  return {
    severity: 'warning',
    code: 'console-without-account',
    summary: 'The account cannot be read: values are those of the state',
    ...(first && { detail: `${first.summary}.`, hint: first.hint }),
  };
}

function evaluateIn({ typed }: Configuration, text: string): ConsoleExpressionOutcome {
  return typed?.evaluate(text) ?? { kind: 'faults', diagnostics: [] };
}

function answer(found: ConsoleExpressionOutcome, scope?: ProjectedScope): ExpressionConsoleResult {
  if (found.kind === 'faults') return found;
  if (found.kind === 'value') return found.isSensitive ? { kind: 'sensitive' } : found;
  const settled = scope?.evaluate(found.value);
  if (!settled) return { kind: 'unknown' };
  const { outcome } = settled;
  const isSensitive = found.isSensitive || settled.isSensitive;
  if (outcome.kind === 'unknown') return { kind: 'unknown' };
  if (outcome.kind === 'value') return isSensitive ? { kind: 'sensitive' } : outcome;
  const isQuoting = isSensitive && outcome.fault.code !== 'expression-type';
  const { code, summary, hint } = outcome.fault;
  return {
    kind: 'faults',
    diagnostics: [
      {
        severity: 'error',
        code,
        hint,
        summary: isQuoting
          ? 'The expression fails on a sensitive value, which is not shown'
          : summary,
      },
    ],
  };
}

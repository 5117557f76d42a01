// Evaluation of expressions that a person types in the console, with the names of a configuration.
import { isDeepStrictEqual } from 'node:util';
import { compileExpression } from '../../expressions/evaluate/compile-expression.ts';
import {
  hideSensitiveFault,
  type ExpressionFault,
} from '../../expressions/parse/expression-fault.ts';
import { compileTemplate } from '../../expressions/evaluate/template.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Value } from '../../model/value.ts';
import { deferExpression } from '../scope/defer-value.ts';
import { emptyEachBinding } from '../scope/each.ts';
import type { ModuleScope } from '../scope/module-scope.ts';
import { findExpressionFaults, findTemplateFaults } from '../scope/prepare-template.ts';
import { ConfigurationFaultList } from '../source/fault-list.ts';
import type { YamlScalarNode } from '../source/located-node.ts';
import { locateText } from '../source/locate-text.ts';
import { SourceFile } from '../source/source-file.ts';
import { completeNames, type NameCompletion } from './complete-names.ts';

/** Result of an expression of `hostwright console` for which only the configuration was read. */
export type ConsoleExpressionOutcome =
  | { readonly kind: 'value'; readonly value: Value; readonly isSensitive: boolean }
  /** The expression reads a value that only the state or the account has. */
  | { readonly kind: 'deferred'; readonly value: DeferredValue; readonly isSensitive: boolean }
  | { readonly kind: 'faults'; readonly diagnostics: readonly Diagnostic[] };

/** Evaluates the expressions that are typed into `hostwright console`. */
export class ConsoleExpressionEvaluator {
  readonly #space: ModuleScope;

  constructor(space: ModuleScope) {
    this.#space = space;
  }

  /** Evaluates CEL, or a text with `${…}` as in YAML. Never throws. */
  evaluate(typed: string): ConsoleExpressionOutcome {
    const space = this.#space;
    const { session, functions } = space;
    const template = readTemplate(typed);
    const node = makeNode(template ?? typed, space);
    const found = findAll(typed, template, space);
    if (found.length > 0) return this.#refuse(node, found);
    const compiled = template === undefined ? compileExpression(typed) : compileTemplate(template);
    const known = session.faults.toDiagnostics();
    const budget = session.makeBudget();
    const { value: outcome, isSensitive } = session.trace(() =>
      compiled.evaluate(space.scopeOf(emptyEachBinding), { functions, budget }),
    );
    if (outcome.kind === 'value') return { ...outcome, isSensitive };
    if (outcome.kind === 'fault') {
      const { fault, others = [] } = outcome;
      const all = [fault, ...others];
      return this.#refuse(
        node,
        isSensitive ? all.map((one) => hideSensitiveFault(one, 'The expression')) : all,
      );
    }
    const deferred = session.trace(() => deferExpression(node, space, template !== undefined));
    const diagnostics = session.faults
      .toDiagnostics()
      .filter((one) => !known.some((other) => isDeepStrictEqual(one, other)));
    if (diagnostics.length > 0) return { kind: 'faults', diagnostics };
    return { kind: 'deferred', ...deferred };
  }

  /** Lists completions for the end of a line of the console. */
  complete(line: string): NameCompletion {
    const { session, functions } = this.#space;
    return session.trace(() =>
      completeNames(line, this.#space.scopeOf(emptyEachBinding), functions),
    ).value;
  }

  #refuse(node: YamlScalarNode, found: readonly ExpressionFault[]): ConsoleExpressionOutcome {
    const { secrets } = this.#space.session.faults;
    const faults = new ConfigurationFaultList();
    for (const { start, end, ...fault } of found) {
      faults.add({ ...secrets.mask(fault), place: locateText(node, start, end) });
    }
    return { kind: 'faults', diagnostics: faults.toDiagnostics() };
  }
}

/** The text of a YAML value with `${…}` in it, with or without its quotes; undefined for CEL. */
function readTemplate(text: string): string | undefined {
  if (!text.includes('${')) return undefined;
  return /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
}

function makeNode(value: string, { session }: ModuleScope): YamlScalarNode {
  const file = new SourceFile('console', value, { secrets: session.faults.secrets });
  return { kind: 'scalar', value, file, start: 0, end: value.length };
}

/** Finds faults of a typed expression that need no values, such as unknown names. */
function findAll(
  typed: string,
  template: string | undefined,
  space: ModuleScope,
): readonly ExpressionFault[] {
  const vocabulary = space.vocabularyWith({});
  if (template !== undefined) return findTemplateFaults(compileTemplate(template), vocabulary);
  const expression = compileExpression(typed);
  return expression.fault ? [expression.fault] : findExpressionFaults(expression, vocabulary);
}

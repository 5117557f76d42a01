import type { DeferredValue, DeferredExpression } from '../../model/deferred.ts';
import { isKeyOf } from '../../model/tables.ts';
import type { Value } from '../../model/value.ts';
import { EvaluationBudget } from '../values/budget.ts';
import { compileExpression, type EvaluationOutcome } from '../evaluate/compile-expression.ts';
import { NameTrie } from './name-trie.ts';
import { NameTree, Unknown, type ScopeValue } from '../values/scope.ts';
import { compileTemplate } from '../evaluate/template.ts';

/** Names that a deferred value may read, and the budget of its evaluation. */
export interface DeferredScope {
  /**
   * Returns `projects` as the expressions of a module read it, by the start of the module's addresses; see
   * `makeProjectNames`.
   */
  projectsOf(prefix: string): ScopeValue;
  /** Names beside `projects`: `before`, `after` and `action` of a policy. */
  readonly names?: Readonly<Record<string, ScopeValue>>;
  /** Budget left for all expressions of the run; each expression has a bound of its own, too. */
  readonly steps?: EvaluationBudget | undefined;
}

function evaluateExpression(
  expression: DeferredExpression,
  scope: DeferredScope,
): EvaluationOutcome {
  const { text, isTemplate, names, prefix } = expression;
  const trie = new NameTrie();
  for (const [way, value] of names) {
    const outcome = evaluateDeferred(value, scope);
    // A faulty name is kept as a value, so that the fault is raised only if the name is read.
    trie.put(way, nameOutcome(outcome, way.join('.')));
  }
  const given = trie.toTree('');
  const others = { ...scope.names, projects: scope.projectsOf(prefix) };
  const all = new NameTree(
    '',
    () => [...given.keys(), ...Object.keys(others)],
    (name) => (isKeyOf(others, name) ? others[name] : given.get(name)),
  );
  const compiled = isTemplate ? compileTemplate(text) : compileExpression(text);
  return compiled.evaluate(all, { budget: scope.steps?.forExpression() ?? new EvaluationBudget() });
}

/** The value of a name: one that is unknown as a whole is called by that name. */
function nameOutcome(outcome: EvaluationOutcome, label: string): ScopeValue {
  if (outcome.kind === 'fault') return new Unknown(label, true);
  return outcome.value instanceof Unknown ? new Unknown(label) : outcome.value;
}

/** Evaluates a deferred value; the result is unknown where any part of it is, beside the parts that are known. Never throws. */
export function evaluateDeferred(deferred: DeferredValue, scope: DeferredScope): EvaluationOutcome {
  if (deferred.kind === 'value') return deferred;
  if (deferred.kind === 'expression') return evaluateExpression(deferred, scope);
  const isList = deferred.kind === 'list';
  const parts = isList ? deferred.items : Object.values(deferred.entries);
  const values: ScopeValue[] = [];
  let unknown: Unknown | undefined;
  for (const part of parts) {
    const outcome = evaluateDeferred(part, scope);
    if (outcome.kind === 'fault') return outcome;
    if (outcome.kind === 'unknown') unknown ??= outcome.unknown;
    values.push(outcome.value);
  }
  const object = Object.create<ScopeValue>(null);
  if (!isList) {
    Object.keys(deferred.entries).forEach((key, index) => {
      object[key] = values[index] ?? null;
    });
  }
  const value = isList ? values : object;
  return unknown
    ? { kind: 'unknown', unknown, value }
    : // A value without any unknown part is a plain one.
      { kind: 'value', value: value as Value };
}

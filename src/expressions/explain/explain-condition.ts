// Explains a false condition by the values of its parts, as far as they decided, so that its reader sees the values that
// were compared. No part is evaluated that the condition itself did not need.
import { evaluateNode } from '../evaluate/evaluate.ts';
import type { EvaluationContext } from '../evaluate/evaluation-context.ts';
import { bindLoopItem, listLoopItems, type LoopItem } from '../evaluate/loop-items.ts';
import { EvaluationBudget } from '../values/budget.ts';
import { pureFunctions } from '../functions/catalogue.ts';
import { readMacro, type ExpressionMacro } from '../parse/read-macro.ts';
import { NameTree } from '../values/scope.ts';
import { parseExpression, type ExpressionNode } from '../parse/parse-expression.ts';
import { formatCelValue, type TraceSensitivity } from './show-value.ts';

/** A part of a condition, with the value that it had when the condition failed. */
export interface ConditionObservation {
  /** Source text of the condition's part, on one line. */
  readonly text: string;
  /** Value of the part, as `formatCelValue` writes it. */
  readonly value: string;
  /** Item of a loop with its variable: `c: create projects.shop`; absent outside of loops. */
  readonly item?: string;
}

/** The most values that the explanation of a failed condition shows. */
const maxObservations = 12;
/** The most items of a loop whose values the explanation shows. */
const maxItems = 4;
const maxText = 80;

/** State of the explanation of one condition, passed down its parts. */
interface Means {
  readonly trace: TraceSensitivity;
  /** Values to show, keyed by the source text of the part and, in a loop, by the item, so that none is shown twice. */
  readonly found: Map<string, ConditionObservation>;
  readonly item?: string;
}

type Place = EvaluationContext;

/**
 * Explains a condition by the parts that decided its value in this scope, in the order in which they are written. Never
 * throws; no parts where the condition is not well formed.
 */
export function explainCondition(
  text: string,
  scope: NameTree,
  trace: TraceSensitivity,
): readonly ConditionObservation[] {
  const found = new Map<string, ConditionObservation>();
  try {
    const expression = parseExpression(text);
    const budget = new EvaluationBudget();
    const context = { expression, scope, functions: pureFunctions, budget, evaluate: evaluateNode };
    observe(expression.ast, context, { trace, found });
  } catch {
    // A condition that cannot be evaluated is reported as a fault elsewhere.
  }
  return [...found.values()];
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

/** Takes down what decided the value of a node that is true or false. */
function observe(node: ExpressionNode, context: Place, means: Means): void {
  switch (node.op) {
    case '&&':
    case '||':
      observeSides(node, context, means);
      break;
    case '!_':
      observe(node.args, context, means);
      break;
    case '?:': {
      const [condition, then, otherwise] = node.args;
      observe(condition, context, means);
      observe(evaluate(condition, context) === true ? then : otherwise, context, means);
      break;
    }
    case 'call':
    case 'rcall':
      observeCall(node, context, means);
      break;
    default:
      if (comparisons.has(node.op)) {
        for (const side of node.args as readonly ExpressionNode[])
          observeOperand(side, context, means);
      } else observeOperand(node, context, means);
  }
}

/** Collects the sides of `&&` that are false, and all sides of `||`. */
function observeSides(
  node: ExpressionNode & { op: '&&' | '||' },
  context: Place,
  means: Means,
): void {
  const isAnd = node.op === '&&';
  for (const side of node.args) {
    const value = attempt(() => evaluate(side, context));
    if (!isAnd || value !== true) observe(side, context, means);
    if (isAnd && value === false) return;
  }
}

/** Notes one side of a comparison: its value and, of a size, the list that was counted. */
function observeOperand(node: ExpressionNode, context: Place, means: Means): void {
  if (isLiteral(node)) return;
  note(node, context, means);
  const counted = findCounted(node);
  if (counted && !isLiteral(counted)) note(counted, context, means);
}

/** Finds the value whose size is taken: in `size(x)` or `x.size()`. */
function findCounted(node: ExpressionNode): ExpressionNode | undefined {
  if (node.op === 'call' && node.args[0] === 'size') return node.args[1][0];
  return node.op === 'rcall' && node.args[0] === 'size' ? node.args[1] : undefined;
}

function observeCall(
  node: ExpressionNode & { op: 'call' | 'rcall' },
  context: Place,
  means: Means,
): void {
  const macro = readMacro(node);
  if (macro?.kind === 'loop' && node.op === 'rcall') {
    observeLoop(node, macro, context, means);
  } else if (macro?.kind === 'has') {
    const [asked] = macro.inner;
    if (asked?.op === '.') note(asked.args[0], context, means);
  } else if (macro) {
    note(node, context, means);
  } else {
    const operands = node.op === 'call' ? node.args[1] : [node.args[1], ...node.args[2]];
    for (const one of operands) observeOperand(one, context, means);
  }
}

/** Shows the list of a loop, and for each item that decided against the condition the parts that did so. */
function observeLoop(
  node: ExpressionNode & { op: 'rcall' },
  { variables, inner: [body] }: ExpressionMacro,
  context: Place,
  means: Means,
): void {
  const [name, receiver] = node.args;
  note(receiver, context, means);
  const items = listLoopItems(evaluate(receiver, context));
  if (!body || !items) return;
  // A false item decides `all`; for the other loops every item is shown, since none is true or too many are.
  const telling = items.filter(
    (item) => name !== 'all' || attempt(() => evaluate(body, bind(item))) !== true,
  );
  for (const item of telling.slice(0, maxItems)) {
    const label = labelOf(item, variables, means.trace);
    observe(body, bind(item), { ...means, item: label });
  }
  function bind(item: LoopItem): Place {
    return bindLoopItem(context, variables, item);
  }
}

/** `c: create projects.shop`; of two variables the first: `k: "a"`. */
function labelOf(item: LoopItem, variables: readonly string[], trace: TraceSensitivity): string {
  const shown = variables.length > 1 ? item.key : item.alone;
  const isNamed = shown instanceof NameTree && shown.label !== '';
  return `${variables[0] ?? ''}: ${isNamed ? shown.label : formatCelValue(shown, trace)}`;
}

function evaluate(node: ExpressionNode, context: Place): unknown {
  return evaluateNode(node, context);
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** Notes the value of a part of the condition, once. */
function note(node: ExpressionNode, context: Place, { trace, found, item }: Means): void {
  const text = quote(node, context);
  const key = item === undefined ? text : `${text}\n${item}`;
  if (found.has(key) || found.size >= maxObservations) return;
  const { value, isSensitive } = trace(() => attempt(() => evaluate(node, context)));
  const shown = isSensitive ? '(sensitive value)' : describe(value, trace);
  found.set(key, { text, value: shown, ...(item !== undefined && { item }) });
}

function describe(value: unknown, trace: TraceSensitivity): string {
  return value instanceof Error ? `no value: ${value.message}` : formatCelValue(value, trace);
}

function quote({ start, end }: ExpressionNode, { expression }: Place): string {
  const text = expression.text.slice(start, end).replace(/\s+/g, ' ').trim();
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

/** A text, a number, a list of such: what the condition itself says. */
function isLiteral(node: ExpressionNode): boolean {
  if (node.op === 'value') return true;
  if (node.op === 'list') return node.args.every(isLiteral);
  return node.op === '-_' && isLiteral(node.args);
}

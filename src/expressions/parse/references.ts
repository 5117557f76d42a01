import type { ExpressionRange } from './expression-fault.ts';
import { readMacro } from './read-macro.ts';
import {
  restoreIdentifierSourceName,
  isCelTypeName,
  type ExpressionNode,
  type ParsedExpression,
} from './parse-expression.ts';

/** Step of a reference, `.name` or `[0]`, with the range of its text. */
export interface ReferenceStep extends ExpressionRange {
  readonly key: string | number;
}

/** A name that an expression reads, with what it reads below it as far as the text alone tells. */
export interface NameReference extends ExpressionRange {
  /** First word of the name, as `var`, `local` or `projects`. */
  readonly root: string;
  readonly steps: readonly ReferenceStep[];
}

/** A function that an expression calls. */
export interface ExpressionFunctionCall extends ExpressionRange {
  readonly name: string;
  readonly node: ExpressionNode & { op: 'call' | 'rcall' };
}

/** References and calls of an expression, in no particular order. */
export interface ExpressionMentions {
  readonly references: readonly NameReference[];
  /** Names below the variable of a loop, as references to the first item of what the loop goes over. */
  readonly itemReferences: readonly NameReference[];
  readonly calls: readonly ExpressionFunctionCall[];
}

/** Writes a reference as text: `projects.shop.vms.web[0].name`. */
export function formatReference({ root, steps }: Pick<NameReference, 'root' | 'steps'>): string {
  return steps.reduce((all, { key }) => {
    if (typeof key === 'number') return `${all}[${key}]`;
    return /^[A-Za-z_]\w*$/.test(key) ? `${all}.${key}` : `${all}[${JSON.stringify(key)}]`;
  }, root);
}

/** The key of an index that stands in the text: `["a"]`, `[0]`. */
function literalKey(node: ExpressionNode): string | number | undefined {
  if (node.op !== 'value') return undefined;
  if (typeof node.args === 'string') return node.args;
  return typeof node.args === 'bigint' ? Number(node.args) : undefined;
}

/** The way to a value from the first word of a name. */
type NamePath = Pick<NameReference, 'root' | 'steps'>;

/** Variables of loops and of `cel.bind`, each with the way to its item; without one where the text does not tell it. */
type BoundNames = ReadonlyMap<string, NamePath | undefined>;

/** The step to the first item of a list, which stands in no text. */
const firstItem: ReferenceStep = { key: 0, start: -1, end: -1 };

class Collector {
  readonly references: NameReference[] = [];
  readonly itemReferences: NameReference[] = [];
  readonly calls: ExpressionFunctionCall[] = [];
  readonly #expression: ParsedExpression;

  constructor(expression: ParsedExpression) {
    this.#expression = expression;
  }

  walk(node: ExpressionNode, bound: BoundNames): void {
    switch (node.op) {
      case 'value':
        return;
      case 'id':
      case '.':
      case '.?':
      case '[]':
      case '[?]':
        this.#addAccess(node, bound);
        return;
      case 'call':
      case 'rcall':
        this.#addCall(node, bound);
        return;
      case 'map':
        for (const pair of node.args) for (const one of pair) this.walk(one, bound);
        return;
      case '!_':
      case '-_':
        this.walk(node.args, bound);
        return;
      default:
        for (const one of node.args) this.walk(one, bound);
    }
  }

  #addCall(node: ExpressionNode & { op: 'call' | 'rcall' }, bound: BoundNames): void {
    const macro = readMacro(node);
    const { start, end } = node;
    if (!macro) this.calls.push({ name: node.args[0], node, start, end });
    if (node.op === 'call') {
      for (const one of node.args[1]) this.walk(one, bound);
      return;
    }
    const [, receiver, nodes] = node.args;
    if (macro?.kind !== 'bind') this.walk(receiver, bound);
    const variables = macro?.variables ?? [];
    const list = macro?.kind === 'loop' ? this.#findPath(receiver, bound) : undefined;
    const item = list && { ...list, steps: [...list.steps, firstItem] };
    const inside = new Map(bound);
    // Of two variables, the first is the key.
    for (const name of variables) inside.set(name, name === variables.at(-1) ? item : undefined);
    nodes.forEach((one, index) => {
      if (index >= variables.length) this.walk(one, macro?.inner.includes(one) ? inside : bound);
    });
  }

  /** Takes down a chain of keys from its end to its name; keys that are worked out are walked for themselves. */
  #addAccess(node: ExpressionNode, bound: BoundNames): void {
    let steps: ReferenceStep[] = [];
    let end = node.end;
    let at = node;
    while (at.op === '.' || at.op === '.?' || at.op === '[]' || at.op === '[?]') {
      const [base, key] = at.args;
      const literal = typeof key === 'string' ? key : literalKey(key);
      if (literal === undefined) {
        this.walk(key as ExpressionNode, bound);
        steps = [];
        end = base.end;
      } else {
        // For a member access, cel-js gives the offset at which the name behind the dot begins.
        const start = at.op === '.' || at.op === '.?' ? at.pos : base.end;
        steps.unshift({ key: literal, start, end: at.end });
      }
      at = base;
    }
    if (at.op !== 'id') {
      this.walk(at, bound);
      return;
    }
    const { start } = at;
    const item = bound.get(at.args);
    if (!bound.has(at.args)) {
      this.references.push({
        root: restoreIdentifierSourceName(this.#expression, at),
        steps,
        start,
        end,
      });
    } else if (item && steps.length > 0) {
      this.itemReferences.push({ ...item, steps: [...item.steps, ...steps], start, end });
    }
  }

  /** The way to a list, or to one that `filter` picks from; undefined where the text does not tell it. */
  #findPath(node: ExpressionNode, bound: BoundNames): NamePath | undefined {
    if (node.op === 'rcall' && node.args[0] === 'filter') {
      return this.#findPath(node.args[1], bound);
    }
    if (node.op === 'id') {
      if (bound.has(node.args)) return bound.get(node.args);
      return { root: restoreIdentifierSourceName(this.#expression, node), steps: [] };
    }
    if (node.op !== '.' && node.op !== '[]') return undefined;
    const [base, key] = node.args;
    const literal = typeof key === 'string' ? key : literalKey(key);
    const below = literal === undefined ? undefined : this.#findPath(base, bound);
    if (!below || literal === undefined) return undefined;
    return { ...below, steps: [...below.steps, { ...firstItem, key: literal }] };
  }
}

/** Collects the references and calls of an expression. */
export function collectExpressionMentions(expression: ParsedExpression): ExpressionMentions {
  const collector = new Collector(expression);
  collector.walk(expression.ast, new Map());
  const { references, itemReferences, calls } = collector;
  const isName = ({ root, steps }: NameReference) =>
    steps.length > 0 || !isCelTypeName(expression, root);
  return { references: references.filter(isName), itemReferences, calls };
}

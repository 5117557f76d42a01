import { Environment } from '@marcbachmann/cel-js';
import type { ExpressionFault } from './expression-fault.ts';
import { environmentOptions, hideReserved, isCelError } from './parse-expression.ts';

/** Types of names as CEL writes them: `string`, `list<dyn>`, or those below a name. */
export interface NameTypes {
  readonly [name: string]: string | NameTypes;
}

/** What is found better elsewhere, or is no fault to us: names, and a choice between a value and null. */
const leftAlone = new Set(['unknown_variable', 'no_such_key', 'incompatible_ternary_branches']);

/** An attribute of `data` may be null, and CEL has no type for that: a comparison with null is no fault there. */
const isAboutNull = /^no such overload: (?:\S+ [!=]= null|null [!=]= \S+)$/;

/** Types that a condition may have, as far as they are known beforehand. */
const conditions: ReadonlySet<string> = new Set([
  'bool',
  'dyn',
  'dyn<bool>',
  'google.protobuf.BoolValue',
]);

const functions = [
  'file(string): string',
  'fileBase64(string): string',
  'env(string): string',
  'jsonDecode(string): dyn',
  'yamlDecode(string): dyn',
  'cidrHost(string, int): string',
  ...Array.from({ length: 9 }, (_, count) => `format(string${', dyn'.repeat(count)}): string`),
];

/** Finds expressions that cannot have a value whatever their names stand for: `var.name + 1`, in untaken branches too. */
export class TypeChecker {
  readonly #environment: Environment;
  readonly #checked = new Map<string, ExpressionFault | undefined>();

  constructor(names: NameTypes) {
    this.#environment = new Environment(environmentOptions);
    for (const signature of functions) this.#environment.registerFunction(signature, () => '');
    for (const [name, type] of Object.entries(names)) {
      const hidden = hideReserved(name);
      if (typeof type === 'string') this.#environment.registerVariable(hidden, type);
      else this.#environment.registerVariable(hidden, { schema: type });
    }
  }

  /** What cannot be; undefined when nothing is found. The expression is well formed. */
  check(text: string): ExpressionFault | undefined {
    if (!this.#checked.has(text)) this.#checked.set(text, this.#find(text));
    return this.#checked.get(text);
  }

  /** What keeps a well-formed expression without faults from being a condition; undefined where it may be one. */
  checkCondition(text: string): ExpressionFault | undefined {
    const { type } = this.#environment.check(hideReserved(text));
    if (type === undefined || conditions.has(type)) return undefined;
    return {
      code: 'expression-type',
      summary: `A condition is true or false, and this one is of the type ${type}`,
      hint: 'Compare it with something: write for example `x != ""` or `size(x) > 0`.',
      start: 0,
      end: text.length,
    };
  }

  #find(text: string): ExpressionFault | undefined {
    const { error } = this.#environment.check(hideReserved(text));
    if (!isCelError(error) || leftAlone.has(error.code)) return undefined;
    if (isAboutNull.test(error.summary) && /\bdata[.[]/.test(text)) return undefined;
    const said = error.summary.replace(/dyn<([^<>]*)>/g, '$1').replaceAll('\n', ' ');
    const { start, end } = error.range ?? { start: 0, end: text.length };
    return {
      code: 'expression-type',
      summary: said.replace(
        /^(?:no such overload|found no matching overload for)/,
        'No such operation',
      ),
      hint: 'The types must fit together: turn values with `string()`, `int()` or `double()`.',
      start,
      end: Math.max(start + 1, end),
    };
  }
}

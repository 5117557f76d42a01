import type { Environment } from '@marcbachmann/cel-js';
import { InternalError } from '../../model/errors.ts';
import type { ExpressionFault } from '../parse/expression-fault.ts';
import { functionsByName } from '../functions/catalogue.ts';
import {
  hintAtSignature,
  findParameterAt,
  type FunctionDescription,
  type ParameterType,
} from '../functions/define.ts';
import { hintAtTerraformFunction } from '../functions/terraform-names.ts';
import {
  escapeReservedWords,
  isCelError,
  createExpressionEnvironment,
  type ExpressionNode,
} from '../parse/parse-expression.ts';

/** Types of names as CEL writes them: `string`, `list<dyn>`, or those below a name. */
export interface NameTypes {
  readonly [name: string]: string | NameTypes;
}

/**
 * Codes of CEL's type checker that are not reported: evaluation finds unknown names better, and a choice between a value and
 * null is allowed here.
 */
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

/** Types of arguments and results as CEL writes them. A number may be whole or not, which CEL keeps apart. */
const celTypes: Readonly<Record<ParameterType, string>> = {
  text: 'string',
  number: 'dyn',
  integer: 'int',
  bool: 'bool',
  list: 'list<dyn>',
  map: 'map<dyn, dyn>',
  any: 'dyn',
};

/** CEL knows no function of any number of arguments: so many are registered. */
const maxArguments = 8;

/** The signatures of a function, one for each number of arguments. */
function listSignatures(one: FunctionDescription): string[] {
  const { name, parameters, result } = one;
  const least = parameters.filter(({ isOptional }) => !isOptional).length;
  const last = parameters.at(-1);
  const most = last?.isRest ? maxArguments : parameters.length;
  return Array.from({ length: most - least + 1 }, (_, index) => {
    const types = Array.from({ length: least + index }, (_, at) => {
      return celTypes[findParameterAt(one, at)?.type ?? 'any'];
    });
    return `${name}(${types.join(', ')}): ${celTypes[result]}`;
  });
}

/** Number of types in a signature: `list<dyn>, map<dyn, dyn>` are two. */
function countArguments(types: string): number {
  return types.replace(/<[^()]*?>+/g, '').split(',').length;
}

/** Members of their own for those alone that CEL can name a type after: a key may be called anything. */
function keepNamed(names: NameTypes): NameTypes {
  const entries = Object.entries(names).map(([name, type]): [string, string | NameTypes] => {
    if (typeof type === 'string') return [name, type];
    const isNamed = /^[A-Za-z_]\w*$/.test(name) && Object.keys(type).length > 0;
    return [name, isNamed ? keepNamed(type) : 'map<string, dyn>'];
  });
  return Object.fromEntries(entries);
}

/** Loops with a variable for the key and one for the value, which the library does not have. */
const pairLoops = ['all', 'exists', 'exists_one']
  .map((name) => `list.${name}(ast, ast, ast): bool`)
  .concat(
    ...['ast, ast, ast', 'ast, ast, ast, ast'].flatMap((nodes) => [
      `list.transformList(${nodes}): list<dyn>`,
      `list.transformMap(${nodes}): map<dyn, dyn>`,
    ]),
  );

/** The part of cel-js's type checker that a macro uses. */
interface MacroChecker {
  check(node: ExpressionNode, context: MacroContext): unknown;
  getType(name: string): unknown;
}

interface MacroContext {
  forkWithVariable(name: string, type: unknown): MacroContext;
}

/** Checks a loop with two variables: nothing is known of what they stand for. */
function checkPairLoop({
  args,
  receiver,
}: {
  args: readonly ExpressionNode[];
  receiver: ExpressionNode;
}): object {
  return {
    typeCheck(checker: MacroChecker, _macro: object, context: MacroContext) {
      const any = checker.getType('dyn');
      checker.check(receiver, context);
      const inner = args
        .slice(0, 2)
        .reduce(
          (all, one) => (one.op === 'id' ? all.forkWithVariable(one.args, any) : all),
          context,
        );
      for (const node of args.slice(2)) checker.check(node, inner);
      return any;
    },
    evaluate: () => {
      throw new InternalError('loops are evaluated by this program alone');
    },
  };
}

/** Makes a CEL environment with this program's functions and the given names. */
function declare(names: NameTypes): Environment {
  const environment = createExpressionEnvironment();
  for (const signature of [...functionsByName.values()].flatMap(listSignatures)) {
    environment.registerFunction(signature, () => '');
  }
  for (const signature of pairLoops) environment.registerFunction(signature, checkPairLoop);
  for (const [name, type] of Object.entries(names)) {
    const hidden = escapeReservedWords(name);
    if (typeof type === 'string') environment.registerVariable(hidden, type);
    else environment.registerVariable(hidden, { schema: keepNamed(type) });
  }
  return environment;
}

/** Types of the same names, with a map for each name that has members. */
function loosen(names: NameTypes): NameTypes {
  const loosenOne = ([name, type]: readonly [string, string | NameTypes]) =>
    [name, typeof type === 'string' ? type : 'map<string, dyn>'] as const;
  return Object.fromEntries(
    Object.entries(names).map(([name, type]) => [
      name,
      typeof type === 'string' ? type : Object.fromEntries(Object.entries(type).map(loosenOne)),
    ]),
  );
}

/** A hint at types that do not go together, by the words of the CEL library. */
const typeHints: readonly (readonly [said: RegExp, hint: string])[] = [
  [/: map<.*> \+ map</, 'Use `merge(a, b)`: the second map wins.'],
  [/: list<.*> \+ /, 'Put the item in brackets: `list + [item]`.'],
  [
    /^List index must be int/,
    'Use a number, for example `list[0]`, or `size(list)` for the number of its items.',
  ],
  [/^Cannot index type/, 'Remove the part after it: there is nothing below a text or a number.'],
  [
    /^Logical operator/,
    'Compare the values, for example `x != ""`, or use `coalesce(a, b)` for the first that is not null.',
  ],
];

function hintAtTypes(said: string): string {
  const known = typeHints.find(([form]) => form.test(said));
  return (
    known?.[1] ?? 'Convert values so that the types match, with `string()`, `int()` or `double()`.'
  );
}

/**
 * Checks the types of expressions: finds those that can have no value whatever their names mean, such as `var.name +
 * 1`, in untaken branches too.
 */
export class TypeChecker {
  readonly #environment: Environment;
  readonly #names: NameTypes;
  #loose: Environment | undefined;
  readonly #checked = new Map<string, ExpressionFault | undefined>();

  constructor(names: NameTypes) {
    this.#names = names;
    this.#environment = declare(names);
  }

  /** Type fault of a well-formed expression; undefined where it may have a value. */
  check(text: string): ExpressionFault | undefined {
    if (!this.#checked.has(text)) this.#checked.set(text, this.#find(text));
    return this.#checked.get(text);
  }

  /**
   * Fault of an expression in the place of a condition, where its type is certainly not bool. It is well formed and has no
   * other fault.
   */
  checkCondition(text: string): ExpressionFault | undefined {
    const { type } = this.#environment.check(escapeReservedWords(text));
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
    const fault = this.#findIn(this.#environment, text);
    if (!fault?.summary.includes('$')) return fault;
    // CEL's checker takes a name with members for no map, and evaluation does: a fault counts only where it stays with
    // such names as maps.
    this.#loose ??= declare(loosen(this.#names));
    return this.#findIn(this.#loose, text);
  }

  #findIn(environment: Environment, text: string): ExpressionFault | undefined {
    const { error } = environment.check(escapeReservedWords(text));
    if (!isCelError(error) || leftAlone.has(error.code)) return undefined;
    if (isAboutNull.test(error.summary) && /\bdata[.[]/.test(text)) return undefined;
    const said = error.summary.replace(/dyn<([^<>]*)>/g, '$1').replaceAll('\n', ' ');
    const { start, end } = error.range ?? { start: 0, end: text.length };
    const [, name = '', given = ''] = /'(\w+)\((.*)\)/.exec(said) ?? [];
    const called = functionsByName.get(name);
    if (called?.parameters.at(-1)?.isRest && countArguments(given) > maxArguments) return undefined;
    return {
      code: 'expression-type',
      summary: said.replace(
        /^(?:no such overload|found no matching overload for)/,
        'No such operation',
      ),
      hint: called ? hintAtSignature(called) : (hintAtTerraformFunction(name) ?? hintAtTypes(said)),
      start,
      end: Math.max(start + 1, end),
    };
  }
}

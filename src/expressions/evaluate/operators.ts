// CEL's own operators and functions, one step at a time: the library is handed values that are all known, so that the
// walk over an expression, and with it laziness, unknowns and limits, stays ours.
import type { ParseResult } from '@marcbachmann/cel-js';
import { ExpressionError, type ExpressionRange } from '../parse/expression-fault.ts';
import { isCelError, createExpressionEnvironment } from '../parse/parse-expression.ts';

const library = createExpressionEnvironment();
const programs = new Map<string, ParseResult>();
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function explain(error: unknown, range: ExpressionRange): unknown {
  if (!isCelError(error)) return error;
  const said = error.summary.replace(/dyn<([^<>]*)>/g, '$1').replaceAll('\n', ' ');
  const isType = error.code === 'no_such_overload' || error.code === 'no_matching_overload';
  return new ExpressionError(
    isType ? 'expression-type' : 'expression-failed',
    isType
      ? said.replace(/^(?:no such overload|found no matching overload for)/, 'No such operation')
      : said,
    isType
      ? 'Convert values so that both sides have the same type, with `string()`, `int()` or `double()`.'
      : 'Check the values that it works on.',
    range,
  );
}

function run(source: string, values: readonly unknown[], range: ExpressionRange): unknown {
  try {
    let program = programs.get(source);
    if (!program) {
      program = library.parse(source);
      programs.set(source, program);
    }
    const context: Record<string, unknown> = {};
    values.forEach((value, index) => {
      context[names[index] ?? ''] = value;
    });
    return program(context);
  } catch (error) {
    throw explain(error, range);
  }
}

/**
 * Applies an operator with two sides. Whole numbers that do not divide evenly give a fraction: CEL would cut it off,
 * although only the text of `3.0 / 2` shows that a variable was written as `3.0`.
 * @throws ExpressionError when the values do not fit
 */
export function applyBinary(
  op: string,
  left: unknown,
  right: unknown,
  range: ExpressionRange,
): unknown {
  const isWhole = typeof left === 'bigint' && typeof right === 'bigint';
  if (op === '/' && isWhole && right !== 0n && left % right !== 0n) {
    return Number(left) / Number(right);
  }
  return run(`a ${op} b`, [left, right], range);
}

/** Applies `!` or `-`. @throws ExpressionError when the value does not fit */
export function applyUnary(op: '!_' | '-_', value: unknown, range: ExpressionRange): unknown {
  return run(op === '!_' ? '!a' : '-a', [value], range);
}

/** Texts that CEL's conversions refuse, and those of JavaScript take: an empty one for 0, and numbers of other bases. */
const foreignNumerals: Readonly<Record<string, RegExp>> = {
  int: /^(?![-+]?\d+$)/,
  uint: /^(?!\+?\d+$)/,
  double: /^[-+]?0[box]/i,
};

/** Calls a function of CEL: `size(x)`, `int(x)`. @throws ExpressionError when the values do not fit */
export function callFunction(
  name: string,
  values: readonly unknown[],
  range: ExpressionRange,
): unknown {
  const [first] = values;
  if (typeof first === 'string' && foreignNumerals[name]?.test(first)) {
    throw new ExpressionError(
      'expression-failed',
      `${name}() type error: cannot convert to ${name}`,
      'Give a decimal number. For other bases, there is `parseInt(text, base)`.',
      range,
    );
  }
  return run(`${name}(${names.slice(0, values.length).join(', ')})`, values, range);
}

/** Calls a method of CEL: `x.startsWith(y)`; the first value is x. @throws ExpressionError when the values do not fit */
export function callMethod(
  name: string,
  values: readonly unknown[],
  range: ExpressionRange,
): unknown {
  return run(`a.${name}(${names.slice(1, values.length).join(', ')})`, values, range);
}

/** Evaluates the name of a CEL type, with which `type(x)` is compared. */
export function readCelType(name: string, range: ExpressionRange): unknown {
  return run(name, [], range);
}

/** Lists the names of CEL's own functions and methods. */
export function listCelFunctions(): {
  functions: ReadonlySet<string>;
  methods: ReadonlySet<string>;
} {
  const all = library.getDefinitions().functions;
  const pick = (isMethod: boolean) =>
    new Set(all.filter((one) => Boolean(one.receiverType) === isMethod).map(({ name }) => name));
  return { functions: pick(false), methods: pick(true) };
}

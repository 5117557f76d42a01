import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import { ExpressionError, type ExpressionRange } from './expression-fault.ts';
import { findExpressionSlip } from './hint-at-habit.ts';
import { celStringPattern } from './quoted.ts';

/** A node of the syntax tree of an expression, as cel-js parses it. */
export type ExpressionNode = ASTNode;

/** An expression that was parsed without a fault. */
export interface ParsedExpression {
  readonly text: string;
  readonly ast: ExpressionNode;
}

/** Largest expression, beyond any configuration's need: the code that walks it is recursive. */
const limits = { maxAstNodes: 2_000, maxDepth: 64 };
const maxLength = 20_000;

/** The parser's own settings, for every environment of this folder. */
const environmentOptions = {
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits,
};

/** Creates the CEL environment of this folder, in which whole numbers and fractions are one kind of numbers. */
export function createExpressionEnvironment(): Environment {
  const environment = new Environment(environmentOptions);
  for (const [op, work] of Object.entries(arithmetic)) {
    for (const types of [`int ${op} double`, `double ${op} int`]) {
      environment.registerOperator(types, (a: number | bigint, b: number | bigint) =>
        work(Number(a), Number(b)),
      );
    }
  }
  // The library makes `double == int` and both `!=` of it.
  environment.registerOperator('int == double', (a: bigint, b: number) => a <= b && a >= b);
  // Conversions of CEL that the library lacks.
  environment.registerFunction('string(google.protobuf.Timestamp): string', (time: Date) =>
    time.toISOString().replace('.000Z', 'Z'),
  );
  environment.registerFunction('string(google.protobuf.Duration): string', String);
  // A value may be null whatever its type, and may be asked whether it is.
  for (const type of ['string', 'bool', 'int', 'double', 'list<dyn>', 'map']) {
    environment.registerOperator(`${type} == null`, (value: unknown) => value === null);
  }
  return environment;
}

/** Operators for an int with a double, which CEL itself refuses: a variable is a whole number today and none tomorrow. */
const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

const parser = new Environment(environmentOptions);

/** Names of CEL for its types, which are values: `type(x) == int`. */
const celTypeNames: ReadonlySet<string> = new Set(
  parser
    .getDefinitions()
    .variables.filter(({ type }) => type === 'type')
    .map(({ name }) => name),
);

/** Tells whether a name is that of a CEL type. It is one only in an expression that asks for a type. */
export function isCelTypeName({ text }: Pick<ParsedExpression, 'text'>, name: string): boolean {
  return celTypeNames.has(name) && /\btype\s*\(/.test(text);
}

const words = new RegExp(`${celStringPattern}|\\.\\s*[A-Za-z_]\\w*|[A-Za-z_]\\w*`, 'g');

/** Stands in for `var`, which CEL keeps for itself; of the same length, so that offsets hold. */
const alias = 'vAr';

/** Replaces the name `var`, a reserved word of CEL, so that the parser accepts it. */
export function escapeReservedWords(text: string): string {
  return text.replace(words, (word) => (word === 'var' ? alias : word));
}

/** Restores the name of an identifier as it is in the expression's text, where a reserved word was replaced. */
export function restoreIdentifierSourceName(
  { text }: Pick<ParsedExpression, 'text'>,
  node: ExpressionNode & { op: 'id' },
): string {
  return node.args === alias ? text.slice(node.start, node.end) : node.args;
}

interface CelError {
  readonly code: string;
  readonly summary: string;
  readonly range?: ExpressionRange;
}

/** Tells whether an error comes from the CEL library. */
export function isCelError(error: unknown): error is Error & CelError {
  return error instanceof Error && 'summary' in error && 'code' in error;
}

/** Translates a syntax error of the CEL library into this program's words. */
function explainSyntax({ code, summary }: CelError): string {
  if (code === 'unexpected_token' && summary.endsWith('EOF'))
    return 'The expression ends too early';
  if (code === 'limit_exceeded') return 'The expression is too large';
  const name = /^Reserved identifier: (\w+)$/.exec(summary)?.[1];
  if (name !== undefined) return `\`${name}\` is a word of CEL itself`;
  return `The expression is not well formed: ${summary.replaceAll(alias, 'var').replaceAll('\n', ' ')}`;
}

/** Parses an expression. @throws ExpressionError where it is not well formed */
export function parseExpression(text: string): ParsedExpression {
  if (text.trim() === '') {
    throw new ExpressionError(
      'broken-expression',
      'An expression is empty',
      'Write a value between `${` and `}`.',
    );
  }
  if (text.length > maxLength) {
    throw new ExpressionError(
      'broken-expression',
      'The expression is too large',
      'Split it into several locals.',
    );
  }
  try {
    return { text, ast: parser.parse(escapeReservedWords(text)).ast };
  } catch (error) {
    if (!isCelError(error)) throw error;
    const slip = findExpressionSlip(text);
    const { start, end } = slip ?? error.range ?? { start: 0, end: text.length };
    throw new ExpressionError(
      'broken-expression',
      slip?.summary ?? explainSyntax(error),
      slip?.hint ??
        'Write it in CEL, for example `var.name`, `size(var.list) > 1` or `a ? b : c`, with texts in quotes.',
      { start: Math.min(start, text.length), end: Math.max(start + 1, end) },
    );
  }
}

/** Tells whether a text ends in the middle of an expression, so that more of it may follow. */
export function isExpressionIncomplete(text: string): boolean {
  if (text.trim() === '' || text.length > maxLength) return false;
  try {
    parser.parse(escapeReservedWords(text));
    return false;
  } catch (error) {
    return isCelError(error) && (error.range?.start ?? 0) >= text.length;
  }
}

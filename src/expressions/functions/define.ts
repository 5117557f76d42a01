// Definitions of functions: each has its signature, a summary, an example that a test runs, and the code itself.
import type { Value } from '../../model/value.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import type { EvaluationBudget } from '../values/budget.ts';
import { Unknown, type ScopeValue } from '../values/scope.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** A function that expressions may call. It takes the steps that it costs off the budget. @throws FunctionError */
export type ExpressionFunction = (values: readonly Value[], budget: EvaluationBudget) => ScopeValue;

/** Functions that expressions can call, by name. */
export type ExpressionFunctions = Readonly<Record<string, ExpressionFunction>>;

/** Type of an argument or a result; `any` is every value, null too. */
export type ParameterType = 'text' | 'number' | 'integer' | 'bool' | 'list' | 'map' | 'any';

/** A parameter of a function of expressions. */
export interface FunctionParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly isOptional: boolean;
  /** Set for a last parameter that takes any number of arguments. */
  readonly isRest: boolean;
}

/** A function of expressions with its documentation. */
export interface FunctionDescription {
  readonly name: string;
  /** Signature of the function in the documentation: `join(separator, list)`. */
  readonly signature: string;
  readonly parameters: readonly FunctionParameter[];
  readonly result: ParameterType;
  /** Documentation of the function: a sentence or two, in Markdown. */
  readonly summary: string;
  /** Example call with its result, which the documentation shows and a test runs. */
  readonly example: readonly [call: string, gives: Value];
  /**
   * Set for a function that passes on the items of its lists and maps, and looks at none that is unknown without
   * `requireKnownPart`.
   */
  readonly isStructural: boolean;
}

/**
 * Error that ends the call of a structural function because it has to look at an unknown part, so that its result is
 * unknown, too.
 */
export class UnknownPartNeededError extends Error {
  readonly unknown: Unknown;

  constructor(unknown: Unknown) {
    super(unknown.reference);
    this.unknown = unknown;
  }
}

/**
 * Requires that parts of a structural function's arguments are known before the function looks at them. @throws
 * UnknownPartNeededError
 */
export function requireKnownPart(...parts: readonly ScopeValue[]): void {
  for (const part of parts) if (part instanceof Unknown) throw new UnknownPartNeededError(part);
}

/** A function of expressions whose result depends on nothing but its arguments. */
export interface PureFunction extends FunctionDescription {
  readonly call: ExpressionFunction;
}

/** A function's definition as its file writes it, the signature still a text. */
export interface FunctionDefinition {
  /** Signature of the function as text: `name(argument: type, optional?: type, ...rest: type): type` */
  readonly is: string;
  readonly does: string;
  readonly example: readonly [call: string, gives: Value];
  readonly isStructural?: true;
}

const header = /^(\w+)\((.*)\): (\w+)$/;
const argument = /^(\.{3})?(\w+)(\?)?: (\w+)$/;

/** Builds a function's description from its definition. */
export function parseFunctionDefinition({
  is,
  does,
  example,
  isStructural,
}: FunctionDefinition): FunctionDescription {
  const [, name = '', listed = '', result = ''] = header.exec(is) ?? [];
  const parameters = (listed === '' ? [] : listed.split(', ')).map((one): FunctionParameter => {
    const [, rest, label = '', optional, type = ''] = argument.exec(one) ?? [];
    return {
      name: label,
      type: type as ParameterType,
      isOptional: optional !== undefined || rest !== undefined,
      isRest: rest !== undefined,
    };
  });
  const shown = parameters.map((one) =>
    one.isRest ? `${one.name}…` : one.isOptional ? `[${one.name}]` : one.name,
  );
  return {
    name,
    parameters,
    example,
    isStructural: isStructural === true,
    signature: `${name}(${shown.join(', ')})`,
    result: result as ParameterType,
    summary: does,
  };
}

const words: Readonly<Record<ParameterType, string>> = {
  text: 'a text',
  number: 'a number',
  integer: 'a whole number',
  bool: 'true or false',
  list: 'a list',
  map: 'a map',
  any: 'a value',
};

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

function fits(value: Value, type: ParameterType): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'map':
      return isJsonObject(value);
    case 'any':
      return true;
  }
}

/** Hint with a function's signature and an example call, for every error about its arguments. */
export function hintAtSignature({ signature, example: [call] }: FunctionDescription): string {
  return `Write it as \`${signature}\`, for example \`${call}\`.`;
}

/** Finds the parameter that takes an argument; the last parameter may take any number of them. */
export function findParameterAt(
  { parameters }: FunctionDescription,
  index: number,
): FunctionParameter | undefined {
  return parameters[index] ?? parameters.at(-1);
}

/** Checks the number and the types of arguments. @throws FunctionError */
export function checkFunctionArguments(of: FunctionDescription, values: readonly Value[]): void {
  const { name, parameters } = of;
  const last = parameters.at(-1);
  const most = last?.isRest ? Infinity : parameters.length;
  const least = parameters.filter(({ isOptional }) => !isOptional).length;
  if (values.length < least || values.length > most) {
    const bound = values.length < least ? least : most;
    const qualifier = least === most ? '' : values.length < least ? 'at least ' : 'at most ';
    const noun = bound === 1 ? 'argument' : 'arguments';
    const summary = `${name}() takes ${qualifier}${bound} ${noun}, not ${values.length}`;
    throw new FunctionError(summary, hintAtSignature(of), 'expression-type');
  }
  values.forEach((value, index) => {
    const type = findParameterAt(of, index)?.type ?? 'any';
    if (fits(value, type)) return;
    const place = ordinals[index];
    const as = most === 1 || place === undefined ? '' : ` as its ${place} argument`;
    throw new FunctionError(
      `${name}() takes ${words[type]}${as}`,
      hintAtSignature(of),
      'expression-type',
    );
  });
}

/**
 * Builds a function from its definition. Arguments are checked before `work` is called, so that it can rely on the
 * types of the definition.
 */
export function defineFunction(
  written: FunctionDefinition,
  work: (...values: never[]) => Value,
): PureFunction {
  return defineCostlyFunction(written, () => work);
}

/**
 * Builds a function whose cost in steps is higher than the sizes of its arguments and its result: `work` gets the
 * budget first.
 */
export function defineCostlyFunction(
  written: FunctionDefinition,
  work: (budget: EvaluationBudget) => (...values: never[]) => Value,
): PureFunction {
  const description = parseFunctionDefinition(written);
  return {
    ...description,
    call: (values, budget) => {
      checkFunctionArguments(description, values);
      return (work(budget) as (...values: readonly Value[]) => Value)(...values);
    },
  };
}

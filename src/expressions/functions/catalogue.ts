// All functions that Hostwright adds to those of CEL, by the groups that the documentation shows them in.
import { checksumFunctions } from './checksums.ts';
import {
  checkFunctionArguments,
  type FunctionDescription,
  type ExpressionFunction,
  type ExpressionFunctions,
  type PureFunction,
} from './define.ts';
import { encodingFunctions } from './encoding.ts';
import { fileAndEnvironmentFunctions, lazyFunctions } from './host.ts';
import { functionsOnLists } from './lists.ts';
import { functionsOnMaps } from './maps.ts';
import { networkFunctions } from './networks.ts';
import { numberFunctions } from './numbers.ts';
import { patternFunctions } from './patterns.ts';
import { formattingFunctions } from './formats.ts';
import { functionsOnSets } from './sets.ts';
import { textFunctions } from './text.ts';
import { timeFunctions } from './times.ts';

/** Functions of expressions under one heading of the documentation. */
export interface FunctionGroup {
  readonly title: string;
  readonly functions: readonly FunctionDescription[];
}

/** Functions that need nothing but their arguments, by their headings. */
const pureGroups = {
  Texts: [...formattingFunctions, ...textFunctions],
  Patterns: patternFunctions,
  Lists: functionsOnLists,
  Maps: functionsOnMaps,
  Sets: functionsOnSets,
  Numbers: numberFunctions,
  Encoding: encodingFunctions,
  Checksums: checksumFunctions,
  Times: timeFunctions,
  'Address ranges': networkFunctions,
} satisfies Record<string, readonly PureFunction[]>;

/** Every function of expressions, in the order of the documentation. */
export const functionGroups: readonly FunctionGroup[] = [
  ...Object.entries(pureGroups).map(([title, functions]) => ({ title, functions })),
  { title: 'Missing values', functions: lazyFunctions },
  { title: 'Files and the environment', functions: fileAndEnvironmentFunctions },
];

/** Descriptions of all functions by name. */
export const functionsByName: ReadonlyMap<string, FunctionDescription> = new Map(
  functionGroups.flatMap(({ functions }) => functions.map((one) => [one.name, one])),
);

/** Functions of expressions whose result depends on nothing but their arguments. */
export const pureFunctions: ExpressionFunctions = Object.fromEntries([
  ...Object.values(pureGroups)
    .flat()
    .map(({ name, call }) => [name, call] as const),
  // Lazy functions are evaluated before this table is asked: whatever call gets here has a wrong number of arguments.
  ...lazyFunctions.map((one) => [one.name, refuseArguments(one)] as const),
]);

function refuseArguments(one: FunctionDescription): ExpressionFunction {
  return (values) => {
    checkFunctionArguments(one, values);
    return null;
  };
}

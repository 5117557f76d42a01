// Functions that need files or the environment, which an expression does not have.
import { functionsByName } from '../../expressions/functions/catalogue.ts';
import {
  checkFunctionArguments,
  type ExpressionFunction,
  type ExpressionFunctions,
} from '../../expressions/functions/define.ts';
import { FunctionError } from '../../expressions/parse/expression-fault.ts';
import { Unknown } from '../../expressions/values/scope.ts';
import {
  makeFileFunctions,
  type ReadableFunctionFiles,
  requireTextArgument,
} from './file-functions.ts';

/** Local files and environment variables that the functions of a configuration may read. */
export interface LocalFunctionAccess extends ReadableFunctionFiles {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of environment variables that the person who runs the command allows, or all. */
  readonly readable: readonly string[] | 'all';
  /** Names of the variables that the configuration declares. */
  readonly variables: readonly string[];
  /** Set where a variable that the environment lacks, or that may not be read, is unknown instead of a fault. */
  readonly isEnvironmentOptional: boolean;
}

function readEnvironment(name: string, reach: LocalFunctionAccess): string | Unknown {
  if (!reach.variables.includes(name)) {
    throw new FunctionError(
      `env() cannot read \`${name}\`: \`variables\` does not declare it`,
      'Declare a variable of this name: a configuration declares what it reads from outside.',
      'unknown-name',
    );
  }
  if (/^HOSTWRIGHT_/i.test(name)) {
    throw new FunctionError(
      `env() cannot read \`${name}\`: it belongs to Hostwright itself`,
      'Use `var` for a value that is given to the configuration.',
      'unknown-name',
    );
  }
  if (reach.readable !== 'all' && !reach.readable.includes(name)) {
    if (reach.isEnvironmentOptional) return new Unknown(`env(${JSON.stringify(name)})`, true);
    throw new FunctionError(
      `The variable \`${name}\` of the environment may not be read: it is not allowed`,
      `Allow it: --allow-env ${name}, or HOSTWRIGHT_ALLOW_ENV. Or use \`\${var.${name}}\`, and set \`HOSTWRIGHT_VAR_${name}\`.`,
      'env-not-allowed',
    );
  }
  const value = Object.hasOwn(reach.environment, name) ? reach.environment[name] : undefined;
  if (value !== undefined) return value;
  if (reach.isEnvironmentOptional) return new Unknown(`env(${JSON.stringify(name)})`, true);
  throw new FunctionError(
    `The environment has no \`${name}\``,
    'Set it, or use `var` with a default.',
  );
}

/** Wraps functions so that their arguments are checked against their descriptions. */
function withChecks(functions: ExpressionFunctions): ExpressionFunctions {
  const entries = Object.entries(functions).map(([name, call]): [string, ExpressionFunction] => [
    name,
    (values, budget) => {
      const description = functionsByName.get(name);
      if (description) checkFunctionArguments(description, values);
      return call(values, budget);
    },
  ]);
  return Object.fromEntries(entries);
}

/** Makes the functions that read local files and environment variables, as `file()` and `env()`. */
export function makeFileAndEnvironmentFunctions(reach: LocalFunctionAccess): ExpressionFunctions {
  const others = withChecks({
    env: ([name]) => readEnvironment(requireTextArgument(name), reach),
  });
  return { ...others, ...withChecks(makeFileFunctions(reach, others)) };
}

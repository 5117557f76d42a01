import { CommanderError } from 'commander';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { explainFailure } from '../explain-failure.ts';
import { guardOutputStreams } from '../output/terminal.ts';
import { reportDiagnosticsAsJson } from '../tell-programs.ts';
import { describeCommanderError } from './explain-arguments.ts';
import type { ParsedCommandLine } from './read-arguments.ts';

/**
 * Reports faults of the arguments: as text, or in the JSON form in which the command shows its failures where JSON was asked for.
 */
export async function reportBadArguments(
  error: CommanderError | DiagnosticError,
  { argv, command }: Pick<ParsedCommandLine, 'argv' | 'command'>,
  runtime: Runtime,
): Promise<void> {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const isColorRefused = flags.includes('--no-color');
  const guarded = { ...runtime, ...guardOutputStreams(runtime, isColorRefused) };
  const failure =
    error instanceof CommanderError
      ? new DiagnosticError([describeCommanderError(error, command)])
      : error;
  explainFailure(failure, guarded, { isColorRefused, isCompact: false, isVerbose: false });
  await reportDiagnosticsAsJson(failure, { argv, command }, guarded);
}

import { CommanderError, type Command } from 'commander';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { renderDiagnosticsJson } from '../../render/json/diagnostics-json.ts';
import { explainFailure } from '../explain-failure.ts';
import { printJson } from '../output/print-json.ts';
import { guardStreams } from '../output/terminal.ts';
import { describeCommanderError } from './explain-arguments.ts';
import type { ReadArguments } from './read-arguments.ts';

/** Shows what is wrong with the arguments, to whoever asked for JSON as the command shows its failures. */
export async function refuseArguments(
  error: CommanderError | DiagnosticError,
  { argv, command }: Pick<ReadArguments, 'argv' | 'command'>,
  runtime: Runtime,
): Promise<void> {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const isColorRefused = flags.includes('--no-color');
  const guarded = { ...runtime, ...guardStreams(runtime, isColorRefused) };
  const failure =
    error instanceof CommanderError
      ? new DiagnosticError([describeCommanderError(error, command)])
      : error;
  explainFailure(failure, guarded, { isColorRefused, isCompact: false, isVerbose: false });
  if (flags.includes('--json')) await showJson(failure, command, guarded);
}

/** In the form of what the command prints otherwise: events, findings, or one document. */
async function showJson(
  failure: DiagnosticError,
  command: Command,
  { clock, stdout }: Pick<Runtime, 'clock' | 'stdout'>,
): Promise<void> {
  if (command.options.some(({ long }) => long === '--json-into')) {
    const { EventReporter } = await import('../output/event-reporter.ts');
    new EventReporter(clock, stdout).showFailure(failure);
    return;
  }
  const document = renderDiagnosticsJson(failure.diagnostics);
  const { format_version, diagnostics } = document;
  const isAboutFindings = command.name() === 'validate';
  printJson(
    stdout,
    isAboutFindings ? document : { format_version, outcome: 'failed', diagnostics },
  );
}

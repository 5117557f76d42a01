// The diagnostics that stopped a command, for programs: on standard output, in the form in which the command shows its result.
import { describeCommandFailure } from '../commands/session/describe-failure.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Runtime } from '../model/runtime.ts';
import { renderDiagnosticsJson } from '../render/json/diagnostics-json.ts';
import type { ParsedCommandLine } from './arguments/read-arguments.ts';
import { describeBugAsDiagnostic } from './describe-bug.ts';
import { printJson } from './output/print-json.ts';

/** Reports diagnostics as events, as findings or as one document, where the command line asks for such a format. */
export async function reportDiagnosticsAsJson(
  error: unknown,
  { argv, command }: Pick<ParsedCommandLine, 'argv' | 'command'>,
  { clock, stdout }: Pick<Runtime, 'clock' | 'stdout'>,
): Promise<void> {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const isStream = command.options.some(({ long }) => long === '--json-into');
  if (isStream && flags.includes('--json')) {
    const { EventReporter } = await import('./output/event-reporter.ts');
    // A failure without a diagnostic is a bug, which was written to the events already.
    if (describeCommandFailure(error)) new EventReporter(clock, stdout).showFailure(error);
  } else if (asksForJson(flags)) {
    const diagnostics = describeCommandFailure(error) ?? [describeBugAsDiagnostic(error)];
    printJson(stdout, describeDocument(diagnostics, command.name() === 'validate'));
  }
}

function asksForJson(flags: readonly string[]): boolean {
  return flags.some(
    (flag, index) =>
      flag === '--json' ||
      flag === '--format=json' ||
      (flag === '--format' && flags[index + 1] === 'json'),
  );
}

/** `isAboutFindings`: the command shows diagnostics in any case. */
function describeDocument(diagnostics: readonly Diagnostic[], isAboutFindings: boolean): object {
  const document = renderDiagnosticsJson(diagnostics);
  const { format_version, diagnostics: listed } = document;
  return isAboutFindings ? document : { format_version, outcome: 'failed', diagnostics: listed };
}

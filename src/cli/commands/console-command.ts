import type { Command } from 'commander';
import type {
  ExpressionConsoleResult,
  ExpressionConsole,
} from '../../commands/console/open-console.ts';
import { describeCommandFailure } from '../../commands/session/describe-failure.ts';
import type { LineReader } from '../../model/runtime.ts';
import { renderOutputValue } from '../../render/text/outputs-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { createTextReporter } from '../output/terminal-reporter.ts';
import type { Reporter } from '../../commands/session/reporter.ts';

const leaving: ReadonlySet<string> = new Set(['exit', 'quit']);

/** `console`. */
export function addConsoleCommand(program: Command, context: CommandLineContext): void {
  const { runtime, exit } = context;
  program
    .command('console')
    .summary('evaluate expressions')
    .description(
      'Evaluates expressions against the configuration, the state and the account, and prints their values. Type them one after the other: Tab completes names, the arrow keys bring back earlier lines, and "exit" or Ctrl-D ends. Expressions also come from a pipe. Nothing is changed.',
    )
    .action(async () => {
      const reporter = createTextReporter(context);
      const { openExpressionConsole: openConsole } =
        await import('../../commands/console/open-console.ts');
      const opened = await openConsole(runtime, '.', reporter);
      const lines = await runtime.openLines({
        complete(line) {
          const { candidates, fragment } = opened.complete(line);
          return [[...candidates], fragment];
        },
      });
      try {
        const failed = await converse(opened, lines, context, reporter);
        exit(failed && !lines.isTerminal ? 1 : 0);
      } finally {
        lines.close();
      }
    });
}

/** Reads expressions and prints their values to the end. @returns whether one of them had a fault */
async function converse(
  opened: ExpressionConsole,
  lines: LineReader,
  { runtime: { stdout } }: CommandLineContext,
  reporter: Reporter,
): Promise<boolean> {
  let hasFailed = false;
  let typed = '';
  const work = async (): Promise<void> => {
    const text = typed.trim();
    typed = '';
    if (text === '') return;
    const answer = await evaluate(opened, text);
    if (answer.kind !== 'faults') {
      stdout.write(renderAnswer(answer));
      return;
    }
    hasFailed = true;
    reporter.showDiagnostics(answer.diagnostics);
  };
  for (;;) {
    const line = await lines.next(typed === '' ? '> ' : '... ');
    if (line.kind === 'end') break;
    if (line.kind === 'cancelled') {
      typed = '';
      continue;
    }
    if (typed === '' && leaving.has(line.text.trim())) return hasFailed;
    typed = typed === '' ? line.text : `${typed}\n${line.text}`;
    if (line.text.trim() === '' || !opened.isUnfinished(typed)) await work();
  }
  await work();
  return hasFailed;
}

/** Evaluates one line of the console. An error is its answer: the next line is read all the same. */
async function evaluate(opened: ExpressionConsole, text: string): Promise<ExpressionConsoleResult> {
  try {
    return await opened.evaluate(text);
  } catch (error) {
    const diagnostics = describeCommandFailure(error);
    if (!diagnostics) throw error;
    return { kind: 'faults', diagnostics };
  }
}

function renderAnswer(answer: Exclude<ExpressionConsoleResult, { kind: 'faults' }>): string {
  switch (answer.kind) {
    case 'value':
      return renderOutputValue(answer.value);
    case 'sensitive':
      return '(sensitive value)\n';
    case 'unknown':
      return '(known after apply)\n';
  }
}

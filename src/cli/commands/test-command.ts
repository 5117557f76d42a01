import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { TestResult, TestTally } from '../../model/test-result.ts';
import type { TextLayout } from '../../render/format/style.ts';
import { renderTestsJson } from '../../render/tests/tests-json.ts';
import { renderTestsJunit } from '../../render/tests/tests-junit.ts';
import { renderTapPlan, renderTapTest, tapReportStart } from '../../render/tests/tests-tap.ts';
import {
  renderFailedTests,
  renderTestTally,
  renderTestFileLine,
  renderTestResult,
} from '../../render/tests/tests-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { parseDurationFlag, parseWholeNumberFlag } from '../flags/options.ts';
import { printJson } from '../output/print-json.ts';
import { chooseTextLayout } from '../output/terminal.ts';

const formats = ['text', 'tap', 'junit', 'json'] as const;
type Format = (typeof formats)[number];

interface TestFlags {
  readonly filter?: RegExp;
  readonly format: Format;
  readonly json?: boolean;
  readonly parallelism: number;
  readonly seed: number;
  readonly timeout: number;
}

function parsePattern(text: string, before: RegExp | undefined): RegExp {
  if (before) throw new InvalidArgumentError('Give it once: "a|b" runs the tests of either.');
  try {
    return new RegExp(text, 'u');
  } catch {
    throw new InvalidArgumentError('Give a regular expression, for example "web server".');
  }
}

/** `test`. */
export function addTestCommand(
  program: Command,
  { runtime, globals, exit }: CommandLineContext,
): void {
  program
    .command('test')
    .summary('run the tests of a configuration on the embedded sandbox')
    .description(
      'Runs the tests in files that end in .test.yaml, several at once. Each test has an account of its own in memory and a clock on which an apply takes no time. No network is opened, no state is read, and no token is needed. Exits with 1 when a test fails.',
    )
    .argument(
      '[path...]',
      'files with tests, or directories: their own files and those in their directory tests (default: ".")',
    )
    .addOption(
      new Option(
        '--filter <pattern>',
        'run only the tests whose names match this regular expression',
      ).argParser(parsePattern),
    )
    .addOption(
      new Option('--parallelism <n>', 'how many tests may run at once')
        .argParser(parseWholeNumberFlag(1, 256))
        .default(availableParallelism(), 'one for each processor'),
    )
    .addOption(
      new Option('--seed <n>', 'seed of the ids and durations of the sandbox')
        .argParser(parseWholeNumberFlag(0, 2 ** 31))
        .default(1),
    )
    .addOption(
      new Option('--timeout <duration>', 'how long one test may take, e.g. 30s')
        .argParser(parseDurationFlag)
        .default(120_000, '2m'),
    )
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .addOption(
      new Option('--format <format>', 'how to show the results').choices(formats).default('text'),
    )
    .action(async (paths: string[], flags: TestFlags) => {
      const { runTests } = await import('../../commands/test/run-tests.ts');
      const { filter, parallelism, seed, timeout: timeoutMs } = flags;
      const format = flags.json ? 'json' : flags.format;
      const layout = chooseTextLayout(runtime.stdout, runtime.env, globals.isColorRefused);
      const report = openReport(runtime, format, layout);
      const options = { paths, filter, parallelism, seed, timeoutMs };
      const tally = await runTests(runtime, options, (result) => report.show(result)).catch(
        (error: unknown) => {
          // People hear it from the program as a whole, and whatever is about no file everybody does.
          const isReported = format !== 'text' && error instanceof DiagnosticError;
          if (isReported) reportRefused(report, error.diagnostics);
          throw error;
        },
      );
      report.close(tally);
      if (report.isForPrograms) {
        const beside = chooseTextLayout(runtime.stderr, runtime.env, globals.isColorRefused);
        runtime.stderr.write(renderFailedTests(report.results, beside));
      }
      exit(tally.failed === 0 ? 0 : 1);
    });
}

/** A case for each file that cannot be tested: whoever reads reports alone would take none for no news. */
function reportRefused(report: Report, diagnostics: readonly Diagnostic[]): void {
  const placed = diagnostics.flatMap(({ source, ...rest }) => (source ? { ...rest, source } : []));
  if (placed.length < diagnostics.length) return;
  const byFile = groupBy(placed, ({ source }) => source.file);
  for (const [file, own] of byFile) {
    const [first] = own;
    if (!first) continue;
    report.show({
      file,
      name: 'can be read',
      status: 'fail',
      elapsedMs: 0,
      virtualMs: 0,
      steps: [],
      diagnostics: own,
      source: first.source,
    });
  }
  report.close({ passed: 0, failed: byFile.size, filtered: 0, elapsedMs: 0 });
}

/** Prints the results of tests, one by one as they come or all at the end. */
interface Report {
  readonly results: readonly TestResult[];
  /** True where people do not read it: failures are shown beside it. */
  readonly isForPrograms: boolean;
  show(result: TestResult): void;
  close(tally: TestTally): void;
}

function openReport(
  { stdout }: Pick<Runtime, 'stdout'>,
  format: Format,
  layout: TextLayout,
): Report {
  const results: TestResult[] = [];
  const showers: Readonly<Record<Format, Pick<Report, 'show' | 'close'>>> = {
    text: {
      show: (result) => {
        const isFirst = results.at(-2)?.file !== result.file;
        const head = isFirst ? renderTestFileLine(result.file, layout) : '';
        stdout.write(head + renderTestResult(result, layout));
      },
      close: (tally) => stdout.write(`\n${renderTestTally(tally, layout.style)}`),
    },
    tap: {
      show: (result) =>
        stdout.write(
          (results.length === 1 ? tapReportStart : '') + renderTapTest(result, results.length),
        ),
      close: () => stdout.write(renderTapPlan(results.length)),
    },
    junit: {
      show: () => undefined,
      close: () => stdout.write(renderTestsJunit(results)),
    },
    json: {
      show: () => undefined,
      close: (tally) => printJson(stdout, renderTestsJson(results, tally)),
    },
  };
  const { show, close } = showers[format];
  return {
    results,
    isForPrograms: format === 'junit' || format === 'json',
    show: (result) => {
      results.push(result);
      show(result);
    },
    close,
  };
}

import type { ShownPlan } from '../commands/make-plan.ts';
import type { Reporter } from '../commands/reporter.ts';
import { version } from '../commands/version.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { PlanMode } from '../model/plan.ts';
import type { ApplyEvent, ApplySummary } from '../model/result.ts';
import type { Runtime } from '../model/runtime.ts';
import { renderApplySummary } from '../render/apply-summary.ts';
import { renderDiagnosticsText } from '../render/diagnostics-text.ts';
import { renderPlanJson } from '../render/json.ts';
import { renderPlanText } from '../render/text.ts';
import { createProgress, type Progress } from './progress.ts';
import { layoutFor } from './terminal.ts';

/** How the reporter shows things. */
export interface ReporterOptions {
  readonly format: 'text' | 'json' | 'html';
  /** Given for `html`: writes the page. */
  readonly compose?: (shown: ShownPlan) => string;
  readonly isColorRefused: boolean;
}

/** Results to standard output, progress and diagnostics to standard error. */
export class TerminalReporter implements Reporter {
  readonly #runtime: Runtime;
  readonly #options: ReporterOptions;
  #progress: Progress | undefined;
  #taskCount = 0;

  constructor(runtime: Runtime, options: ReporterOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  showDiagnostics(diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length === 0) return;
    const text = renderDiagnosticsText(diagnostics, this.#layout('stderr'));
    if (this.#progress) this.#progress.interject(text);
    else this.#runtime.stderr.write(text);
  }

  showPlan(shown: ShownPlan): void {
    const { plan, plannedAt } = shown;
    this.#taskCount = plan.tasks.length;
    const { stdout } = this.#runtime;
    if (this.#options.format === 'json') {
      const json = renderPlanJson(plan, {
        version,
        plannedAt,
        fingerprints: shown.fingerprints(),
      });
      stdout.write(`${JSON.stringify(json)}\n`);
    } else if (this.#options.compose) {
      stdout.write(this.#options.compose(shown));
    } else {
      stdout.write(renderPlanText(plan, this.#layout('stdout')));
    }
  }

  async approve({ plan }: ShownPlan): Promise<boolean> {
    const { stderr, stdout } = this.#runtime;
    const isDestroy = plan.mode === 'destroy';
    const { style } = this.#layout('stdout');
    const question = isDestroy
      ? 'Do you really want to destroy all resources?'
      : 'Do you want to perform these actions?';
    const explanation = isDestroy
      ? '  Hostwright will destroy everything that the state says is yours, as shown above.\n  There is no undo.'
      : '  Hostwright will perform the actions described above.';
    stdout.write(
      `\n${style.bold(question)}\n${explanation}\n  Only 'yes' will be accepted to ${isDestroy ? 'confirm' : 'approve'}.\n\n`,
    );
    const answer = await this.#runtime.ask(`  ${style.bold('Enter a value:')} `);
    stdout.write('\n');
    if (answer?.trim() === 'yes') return true;
    if (answer === undefined) {
      stderr.write(
        'Nobody answered: standard input has ended. Use --auto-approve to apply without the question.\n',
      );
    }
    stderr.write(`${isDestroy ? 'Destroy' : 'Apply'} cancelled.\n`);
    return false;
  }

  showEvent(event: ApplyEvent): void {
    this.#progress ??= createProgress(this.#runtime, this.#layout('stderr'), this.#taskCount);
    this.#progress.show(event);
  }

  showSummary(summary: ApplySummary, mode: PlanMode): void {
    this.stop();
    const text = renderApplySummary(summary, { ...this.#layout('stdout'), mode });
    this.#runtime.stdout.write(`\n${text}`);
  }

  /** Leaves the terminal as it was. */
  stop(): void {
    this.#progress?.stop();
    this.#progress = undefined;
  }

  #layout(stream: 'stdout' | 'stderr') {
    const { env } = this.#runtime;
    return layoutFor(this.#runtime[stream], env, this.#options.isColorRefused);
  }
}

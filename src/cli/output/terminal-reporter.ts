import type { DisplayedPlan } from '../../commands/session/shown-plan.ts';
import type { Reporter } from '../../commands/session/reporter.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ApplyEvent, ApplySummary } from '../../model/plan/result.ts';
import type { Runtime } from '../../model/runtime.ts';
import { renderApplySummary } from '../../render/text/apply-summary.ts';
import { renderDiagnosticsText } from '../../render/text/diagnostics-text.ts';
import { generatePlanJsonText } from '../../render/json/json.ts';
import { renderPlanMarkdown } from '../../render/markdown/markdown.ts';
import { renderPlanOneline } from '../../render/text/oneline-text.ts';
import { renderPlanText } from '../../render/text/text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { findingFormats, renderFindingsFile } from './finding-formats.ts';
import { askForConfirmation } from './ask-for-yes.ts';
import { createApplyProgress, type ApplyProgressDisplay } from './progress.ts';
import { fitLines, chooseTextLayout } from './terminal.ts';
import { writeTextInPieces } from './write-pieces.ts';

/** Formats in which `plan` can print a plan. */
export const planFormats = ['text', 'json', 'markdown', 'html', ...findingFormats] as const;
export type PlanFormat = (typeof planFormats)[number];

/** Question before an apply, by the mode of the plan. */
const questions: Readonly<Record<PlanMode, { question: string; explanation: string }>> = {
  apply: {
    question: 'Do you want to perform these actions?',
    explanation: '  Hostwright will perform the actions described above.',
  },
  destroy: {
    question: 'Do you really want to destroy all resources?',
    explanation:
      '  Hostwright will destroy all your managed resources, as shown above.\n  There is no undo.',
  },
  refresh: {
    question: 'Would you like to update the Hostwright state to reflect these detected changes?',
    explanation:
      '  Hostwright will write these changes to the state without changing anything in the account.\n  There is no undo.',
  },
};

/** Question before a destroy that `--target` or `--exclude` limits. */
const partialDestroy = {
  question: 'Do you really want to destroy these resources?',
  explanation:
    '  Hostwright will destroy the resources shown above, and no others.\n  There is no undo.',
};

/** Format and style of a reporter's output. */
export interface ReporterOptions {
  readonly format: PlanFormat;
  /** True for text with one line for each resource (`--oneline`). */
  readonly isOneline?: boolean;
  /** Renders the plan as a page, for the format `html`. */
  readonly compose?: (shown: DisplayedPlan) => string;
  readonly isColorRefused: boolean;
  readonly isCompact: boolean;
  readonly isVerbose: boolean;
}

/** Makes a reporter for a command that prints text and shows no plan in another format. */
export function createTextReporter({ runtime, globals }: CommandLineContext): TerminalReporter {
  return new TerminalReporter(runtime, { ...globals, format: 'text' });
}

/** Reporter for people: results go to standard output, progress and diagnostics to standard error. */
export class TerminalReporter implements Reporter {
  readonly #runtime: Runtime;
  readonly #options: ReporterOptions;
  #progress: ApplyProgressDisplay | undefined;
  #tasks: readonly Task[] = [];

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

  async showPlan(shown: DisplayedPlan): Promise<void> {
    const { plan, plannedAt, variables, rehearsal, identity } = shown;
    this.#tasks = plan.tasks;
    const { stdout } = this.#runtime;
    if (shown.explained) {
      const { renderPlanExplanations: renderExplanations } = await import('./show-explanations.ts');
      const isJson = this.#options.format === 'json';
      stdout.write(renderExplanations(plan, shown.explained, isJson, this.#layout('stdout')));
      return;
    }
    switch (this.#options.format) {
      case 'json': {
        const fingerprints = shown.fingerprints();
        const meta = {
          version: publishedHostwrightVersion,
          plannedAt,
          fingerprints,
          variables,
          ...(rehearsal && { rehearsal }),
        };
        await writeTextInPieces(stdout, generatePlanJsonText(plan, meta));
        return;
      }
      case 'markdown':
        stdout.write(await this.#renderComment(shown));
        return;
      case 'html':
        stdout.write(this.#options.compose?.(shown) ?? '');
        return;
      case 'junit':
      case 'sarif':
        stdout.write(
          renderFindingsFile(plan.findings, this.#options.format, {
            changes: plan.changes,
            drift: (await shown.offerChoices?.()) ?? [],
          }),
        );
        return;
      case 'text':
        stdout.write(
          this.#options.isOneline
            ? renderPlanOneline(plan, fitLines(stdout, this.#layout('stdout')), rehearsal)
            : renderPlanText(plan, { ...this.#layout('stdout'), rehearsal, identity }),
        );
    }
  }

  async #renderComment(shown: DisplayedPlan): Promise<string> {
    const { readPageUrl } = await import('./page-url.ts');
    const pageUrl = readPageUrl(this.#runtime, this);
    return renderPlanMarkdown(shown.plan, {
      ...shown,
      drift: (await shown.offerChoices?.()) ?? [],
      pageUrl,
      isVerbose: this.#options.isVerbose,
    });
  }

  async approve({ plan, insteadOfSandbox }: DisplayedPlan): Promise<boolean> {
    const { stderr } = this.#runtime;
    const isDestroy = plan.mode === 'destroy';
    const { style } = this.#layout('stdout');
    const { question, explanation } =
      isDestroy && plan.isPartial ? partialDestroy : questions[plan.mode];
    const warned =
      insteadOfSandbox === undefined
        ? ''
        : `\n  ${style.yellow('Warning:')} This goes to ${insteadOfSandbox}, and not to the sandbox.`;
    const isApproved = await askForConfirmation(
      this.#runtime,
      `\n${style.bold(question)}\n${explanation}${warned}\n  Only 'yes' will be accepted to ${plan.mode === 'apply' ? 'approve' : 'confirm'}.\n\n`,
      { style, stream: 'stdout' },
    );
    if (isApproved) return true;
    if (isApproved === undefined) {
      stderr.write(
        'No answer: standard input has ended. Use --auto-approve to apply without the question.\n',
      );
    }
    stderr.write(`${isDestroy ? 'Destroy' : 'Apply'} cancelled.\n`);
    return false;
  }

  showEvent(event: ApplyEvent): void {
    this.#progress ??= createApplyProgress(this.#runtime, this.#layout('stderr'), this.#tasks);
    this.#progress.show(event);
  }

  showSummary(summary: ApplySummary, mode: PlanMode): void {
    this.stop();
    const text = renderApplySummary(summary, { ...this.#layout('stdout'), mode });
    this.#runtime.stdout.write(`\n${text}`);
  }

  /** Stops drawing, so that the terminal is left as it was. */
  stop(): void {
    this.#progress?.stop();
    this.#progress = undefined;
  }

  #layout(stream: 'stdout' | 'stderr') {
    const { env } = this.#runtime;
    const { isColorRefused, isCompact, isVerbose } = this.#options;
    return {
      ...chooseTextLayout(this.#runtime[stream], env, isColorRefused),
      isCompact,
      isVerbose,
    };
  }
}

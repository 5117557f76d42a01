import type { DayTwoReporter, Question } from '../../commands/session/day-two-reporter.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { TerminalRuntime } from '../../model/runtime.ts';
import type { WorkProgress } from '../../model/account/vm-work.ts';
import { renderDiagnosticsText } from '../../render/text/diagnostics-text.ts';
import { escapeText } from '../../render/format/escape.ts';
import { cutEnd, wrapText } from '../../render/format/measure.ts';
import { renderWorkStart, renderWorkStill } from '../../render/account/vm-work-text.ts';
import { askForYes } from '../output/ask-for-yes.ts';
import { LiveRegion } from '../output/live-region.ts';
import { repeatEvery } from '../output/repeat.ts';
import { drawsLive, layoutFor } from '../output/terminal.ts';

const stillEveryMs = 10_000;
const redrawEveryMs = 120;

/** Work in progress, its start, and the time of its last line. */
interface Running {
  progress: WorkProgress;
  readonly startedAt: number;
  saidAt: number;
}

/** Everything but results goes to standard error, questions too: standard output stays what was asked for. */
export class DayTwoTerminal implements DayTwoReporter {
  readonly #runtime: TerminalRuntime;
  readonly #isColorRefused: boolean;
  #running: Running | undefined;
  #endTicking: (() => void) | undefined;
  readonly #region: LiveRegion;

  constructor(runtime: TerminalRuntime, isColorRefused: boolean) {
    this.#runtime = runtime;
    this.#isColorRefused = isColorRefused;
    this.#region = new LiveRegion(runtime.stderr);
  }

  showDiagnostics(diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length > 0) this.#say(renderDiagnosticsText(diagnostics, this.#layout));
  }

  showProgress(progress: WorkProgress): void {
    const now = this.#runtime.clock.now();
    const before = this.#running?.progress;
    const isNew =
      before?.phase !== progress.phase ||
      (progress.phase === 'waiting' && before.status !== progress.status);
    if (isNew) this.#say(`${renderWorkStart(progress, this.#layout.style)}\n`);
    if (this.#running && before?.phase === progress.phase) this.#running.progress = progress;
    else this.#running = { progress, startedAt: now, saidAt: now };
    this.#tick();
  }

  async confirm(asked: Question): Promise<boolean> {
    this.stop();
    const { question, consequences, ifDeclined, skipWith = '--auto-approve' } = asked;
    const { stderr } = this.#runtime;
    const { style, columns } = this.#layout;
    const words = [...consequences.map(escapeText), "Only 'yes' will be accepted to confirm."];
    const lines = [
      ...wrapText(escapeText(question), columns).map(style.bold),
      ...words.flatMap((line) => wrapText(`  ${line}`, columns)),
    ];
    // Nothing but the result belongs on standard output.
    const isConfirmed = await askForYes(this.#runtime, `\n${lines.join('\n')}\n\n`, {
      style,
      stream: 'stderr',
    });
    if (isConfirmed) return true;
    if (isConfirmed === undefined) {
      stderr.write(
        `No answer: standard input has ended.\nUse ${escapeText(skipWith)} to skip the question.\n`,
      );
    }
    stderr.write(`${ifDeclined}\n`);
    return false;
  }

  /** Leaves the terminal as it was. */
  stop(): void {
    this.#endTicking?.();
    this.#endTicking = undefined;
    this.#running = undefined;
    this.#region.draw([], []);
  }

  #tick(): void {
    if (this.#endTicking) return;
    const { clock } = this.#runtime;
    const isLive = drawsLive(this.#runtime);
    const letGo = this.#runtime.beforeAbruptEnd(() => this.stop());
    const letSuspend = this.#runtime.aroundSuspension({
      before: () => this.#region.draw([], []),
      after: () => isLive && this.#draw(),
    });
    const everyMs = isLive ? redrawEveryMs : 500;
    const stop = repeatEvery(clock, everyMs, () => (isLive ? this.#draw() : this.#sayStill()));
    this.#endTicking = () => {
      letGo();
      letSuspend();
      stop();
    };
  }

  #draw(): void {
    if (!this.#running) return;
    const { progress, startedAt } = this.#running;
    const { style, columns } = this.#layout;
    const plain = { ...style, bold: (text: string) => text };
    const line = renderWorkStill(progress, this.#runtime.clock.now() - startedAt, plain);
    this.#region.draw([], [`  ${cutEnd(line, columns - 3)}`]);
  }

  #sayStill(): void {
    const now = this.#runtime.clock.now();
    if (!this.#running || now - this.#running.saidAt < stillEveryMs) return;
    this.#running.saidAt = now;
    const { progress, startedAt } = this.#running;
    this.#say(`${renderWorkStill(progress, now - startedAt, this.#layout.style)}\n`);
  }

  #say(text: string): void {
    if (drawsLive(this.#runtime)) this.#region.draw([text.replace(/\n$/, '')], []);
    else this.#runtime.stderr.write(text);
  }

  get #layout() {
    const { stderr, env } = this.#runtime;
    return layoutFor(stderr, env, this.#isColorRefused);
  }
}

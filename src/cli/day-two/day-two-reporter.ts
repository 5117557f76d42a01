import type { DayTwoReporter, LossConfirmation } from '../../commands/session/day-two-reporter.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { TerminalRuntime } from '../../model/runtime.ts';
import type { VmOperationProgress } from '../../model/account/vm-work.ts';
import { renderDiagnosticsText } from '../../render/text/diagnostics-text.ts';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import { cutTextEnd, wrapText } from '../../render/format/measure.ts';
import {
  renderVmCommandStart,
  renderVmCommandProgress,
} from '../../render/account/vm-work-text.ts';
import { askForConfirmation } from '../output/ask-for-yes.ts';
import { LiveTerminalRegion } from '../output/live-region.ts';
import { repeatEvery } from '../output/repeat.ts';
import { canDrawLiveLines, chooseTextLayout } from '../output/terminal.ts';

const stillEveryMs = 10_000;
const redrawEveryMs = 120;
/** The most VMs whose progress the terminal shows at once. */
const mostLines = 10;

/** An operation on a VM that is under way: its start, and the time of the last line about it. */
interface Running {
  progress: VmOperationProgress;
  readonly startedAt: number;
  saidAt: number;
}

/**
 * Terminal output of commands on running resources. Progress, diagnostics and questions go to standard error, so that standard
 * output has the result alone.
 */
export class DayTwoTerminalReporter implements DayTwoReporter {
  readonly #runtime: TerminalRuntime;
  readonly #isColorRefused: boolean;
  readonly #running = new Map<ResourceAddress, Running>();
  #endTicking: (() => void) | undefined;
  readonly #region: LiveTerminalRegion;

  constructor(runtime: TerminalRuntime, isColorRefused: boolean) {
    this.#runtime = runtime;
    this.#isColorRefused = isColorRefused;
    this.#region = new LiveTerminalRegion(runtime.stderr);
  }

  showDiagnostics(diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length > 0) this.#say(renderDiagnosticsText(diagnostics, this.#layout));
  }

  showProgress(progress: VmOperationProgress): void {
    const now = this.#runtime.clock.now();
    const { address } = progress;
    const running = this.#running.get(address);
    const before = running?.progress;
    const isNew =
      before?.phase !== progress.phase ||
      (progress.phase === 'waiting' && before.status !== progress.status);
    if (isNew) this.#say(`${renderVmCommandStart(progress, this.#layout.style)}\n`);
    if (running && before?.phase === progress.phase) running.progress = progress;
    else this.#running.set(address, { progress, startedAt: now, saidAt: now });
    this.#tick();
  }

  endProgress(address: ResourceAddress): void {
    this.#running.delete(address);
  }

  async confirm(asked: LossConfirmation): Promise<boolean> {
    this.stop();
    const { question, consequences, ifDeclined, skipWith = '--auto-approve' } = asked;
    const { stderr } = this.#runtime;
    const { style, columns } = this.#layout;
    const words = [
      ...consequences.map(escapeUntrustedText),
      "Only 'yes' will be accepted to confirm.",
    ];
    const lines = [
      ...wrapText(escapeUntrustedText(question), columns).map(style.bold),
      ...words.flatMap((line) => wrapText(`  ${line}`, columns)),
    ];
    // The question goes to standard error: standard output is for the result alone.
    const isConfirmed = await askForConfirmation(this.#runtime, `\n${lines.join('\n')}\n\n`, {
      style,
      stream: 'stderr',
    });
    if (isConfirmed) return true;
    if (isConfirmed === undefined) {
      stderr.write(
        `No answer: standard input has ended.\nUse ${escapeUntrustedText(skipWith)} to skip the question.\n`,
      );
    }
    stderr.write(`${ifDeclined}\n`);
    return false;
  }

  /** Stops drawing, so that the terminal is left as it was. */
  stop(): void {
    this.#endTicking?.();
    this.#endTicking = undefined;
    this.#running.clear();
    this.#region.draw([], []);
  }

  #tick(): void {
    if (this.#endTicking) return;
    const { clock } = this.#runtime;
    const isLive = canDrawLiveLines(this.#runtime);
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
    const { style, columns } = this.#layout;
    const plain = { ...style, bold: (text: string) => text };
    const now = this.#runtime.clock.now();
    const lines = [...this.#running.values()].map(({ progress, startedAt }) => {
      return `  ${cutTextEnd(renderVmCommandProgress(progress, now - startedAt, plain), columns - 3)}`;
    });
    if (lines.length > 0) this.#region.draw([], lines.slice(0, mostLines));
  }

  #sayStill(): void {
    const now = this.#runtime.clock.now();
    for (const running of this.#running.values()) {
      if (now - running.saidAt < stillEveryMs) continue;
      running.saidAt = now;
      const { progress, startedAt } = running;
      this.#say(`${renderVmCommandProgress(progress, now - startedAt, this.#layout.style)}\n`);
    }
  }

  #say(text: string): void {
    if (canDrawLiveLines(this.#runtime)) this.#region.draw([text.replace(/\n$/, '')], []);
    else this.#runtime.stderr.write(text);
  }

  get #layout() {
    const { stderr, env } = this.#runtime;
    return chooseTextLayout(stderr, env, this.#isColorRefused);
  }
}

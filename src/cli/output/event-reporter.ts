import { describeBugAsDiagnostic } from '../describe-bug.ts';
import { describeCommandFailure } from '../../commands/session/describe-failure.ts';
import type { DisplayedPlan } from '../../commands/session/shown-plan.ts';
import type { Reporter } from '../../commands/session/reporter.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { ApplyEvent, ApplySummary } from '../../model/plan/result.ts';
import type { Clock } from '../../model/runtime.ts';
import { joinTextChunks } from '../../model/text/json-parts.ts';
import {
  describeApplyEvent,
  describeStillRunningEvent,
  describeApplySummaryEvents,
} from '../../render/json/apply-events-json.ts';
import { formatPrintableJson } from '../../render/format/escape.ts';
import {
  describeDiagnosticEvent,
  describeVersionEvent,
  type StreamEventJson,
} from '../../render/json/event-json.ts';
import { describePlanEvents } from '../../render/json/plan-events-json.ts';
import { repeatEvery } from './repeat.ts';
import { RunningApplyChanges } from './running-changes.ts';
import { writeTextInPieces, type TextPieceSink } from './write-pieces.ts';

/** Reports what a command does as a stream of events: one JSON object a line, each written as soon as it happens. */
export class EventReporter implements Reporter {
  readonly #clock: Clock;
  readonly #sink: TextPieceSink;
  readonly #running = new RunningApplyChanges();
  #endTicking: (() => void) | undefined;

  /** @param sink takes lines with their ends */
  constructor(clock: Clock, sink: TextPieceSink) {
    this.#clock = clock;
    this.#sink = sink;
    this.#say([describeVersionEvent(publishedHostwrightVersion, clock.now())]);
  }

  showDiagnostics(diagnostics: readonly Diagnostic[]): void {
    const now = this.#clock.now();
    this.#say(diagnostics.map((diagnostic) => describeDiagnosticEvent(diagnostic, now)));
  }

  /** Reports the error that stopped the command. A bug is reported as one: its stack is for people, on standard error. */
  showFailure(error: unknown): void {
    this.showDiagnostics(describeCommandFailure(error) ?? [describeBugAsDiagnostic(error)]);
  }

  async showPlan({ plan, rehearsal }: DisplayedPlan): Promise<void> {
    const lines = writeLines(describePlanEvents(plan, this.#clock.now(), rehearsal));
    await writeTextInPieces(this.#sink, joinTextChunks(lines));
  }

  /** Always refuses: nobody reads a question in a stream of events. */
  approve(): Promise<boolean> {
    return Promise.resolve(false);
  }

  showEvent(event: ApplyEvent): void {
    this.#running.note(event);
    this.#say(describeApplyEvent(event));
    this.#endTicking ??= repeatEvery(this.#clock, 500, () => {
      const now = this.#clock.now();
      this.#say(this.#running.listDue(now).map((one) => describeStillRunningEvent(one, now)));
    });
  }

  showSummary(summary: ApplySummary, mode: PlanMode): void {
    this.stop();
    this.#say(describeApplySummaryEvents(summary, mode, this.#clock.now()));
  }

  /** Stops the timer that repeats the events of running changes. */
  stop(): void {
    this.#endTicking?.();
  }

  #say(events: readonly StreamEventJson[]): void {
    if (events.length > 0) {
      this.#sink.write([...writeLines(events)].join(''));
    }
  }
}

function* writeLines(events: Iterable<StreamEventJson>): Generator<string> {
  for (const event of events) yield `${formatPrintableJson(event)}\n`;
}

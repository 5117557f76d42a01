import type { ResourceAddress } from '../../model/address.ts';
import type { ApplyEvent } from '../../model/plan/result.ts';
import type { Task } from '../../model/plan/task.ts';
import type { Runtime, TerminalRuntime } from '../../model/runtime.ts';
import { breakLine } from '../../render/format/break-line.ts';
import type { TextLayout } from '../../render/format/style.ts';
import {
  renderInterruptWaitLine,
  renderLiveProgress,
} from '../../render/progress/live-progress.ts';
import {
  renderEventLine,
  renderMarkedEventLine,
  renderStillRunningLine,
} from '../../render/progress/progress-lines.ts';
import { findWaitingTasks, type WaitingTasks } from '../../render/progress/waits.ts';
import { LiveTerminalRegion } from './live-region.ts';
import { repeatEvery } from './repeat.ts';
import { RunningApplyChanges, progressLineIntervalMs } from './running-changes.ts';
import { canDrawLiveLines } from './terminal.ts';

/** Shows an apply while it runs: live lines on a terminal, a log elsewhere. */
export interface ApplyProgressDisplay {
  show(event: ApplyEvent): void;
  /** Writes finished lines above the live lines; the text ends with a line end. */
  interject(text: string): void;
  /** Clears the live lines from the terminal and stops their timer. */
  stop(): void;
}

/** A terminal is not written to more often, however much happens. */
const redrawEveryMs = 120;
/** Lines of the screen that the live view leaves to earlier output. */
const freeRows = 4;

/**
 * Makes the display of an apply's progress on standard error.
 * @param layout the text layout where standard error is no terminal
 */
export function createApplyProgress(
  runtime: TerminalRuntime,
  layout: TextLayout,
  tasks: readonly Task[],
): ApplyProgressDisplay {
  return canDrawLiveLines(runtime)
    ? createLiveProgress(runtime, layout, tasks)
    : createLogProgress(runtime, layout);
}

function createLiveProgress(
  runtime: TerminalRuntime,
  { style }: TextLayout,
  tasks: readonly Task[],
): ApplyProgressDisplay {
  const { clock, stderr, interrupted } = runtime;
  const running = new RunningApplyChanges();
  const progress = new TaskProgress(tasks);
  const region = new LiveTerminalRegion(stderr);
  const startedAt = clock.now();
  let said: string[] = [];
  let endsAt: number | undefined;

  const draw = () => {
    const above = said;
    said = [];
    if (running.size === 0) {
      region.draw(above, []);
      return;
    }
    const now = clock.now();
    const { done, failed, total } = progress;
    const shown = {
      running: running.list(now),
      done,
      failed,
      total,
      elapsedMs: now - startedAt,
      waits: progress.findWaits(),
      ...(endsAt !== undefined && endsAt > now && { leftMs: endsAt - now }),
      ...(interrupted.aborted && { drainMs: running.drainMs(now) }),
    };
    // The size of the terminal is read for each frame, as its window may be resized meanwhile.
    const { columns = 80, rows = 24 } = stderr;
    region.draw(above, renderLiveProgress(shown, { columns, style }, Math.max(3, rows - freeRows)));
  };
  const stopDrawing = repeatEvery(clock, redrawEveryMs, draw);
  const clear = () => {
    region.draw(said, []);
    said = [];
  };
  const stop = () => {
    letGo();
    letSuspend();
    stopDrawing();
    clear();
  };
  const letGo = runtime.beforeAbruptEnd(stop);
  // The shell writes where the region was, and scrolls: what is drawn after that begins anew.
  const letSuspend = runtime.aroundSuspension({ before: clear, after: draw });

  return {
    interject(text) {
      said.push(text.replace(/\n$/, ''));
      draw();
    },
    show(event) {
      running.note(event);
      progress.note(event);
      if (event.kind === 'completed' || event.kind === 'errored') endsAt = event.endsAt;
      // The start of a change needs no line of its own: the live line of the change shows it.
      const line = event.kind === 'started' ? undefined : renderMarkedEventLine(event, style);
      if (line !== undefined) said.push(...breakLine(line, stderr.columns ?? Infinity));
    },
    stop,
  };
}

function createLogProgress(
  { clock, stderr, interrupted }: Pick<Runtime, 'clock' | 'interrupted' | 'stderr'>,
  layout: TextLayout,
): ApplyProgressDisplay {
  const running = new RunningApplyChanges();
  const say = (line: string) => stderr.write(`${line}\n`);
  let drainSaidAt = Number.NEGATIVE_INFINITY;
  const stop = repeatEvery(clock, 500, () => {
    const now = clock.now();
    if (interrupted.aborted && running.size > 0 && now - drainSaidAt >= progressLineIntervalMs) {
      drainSaidAt = now;
      say(renderInterruptWaitLine(running.list(now), running.drainMs(now), layout));
    }
    for (const one of running.listDue(now)) say(renderStillRunningLine(one, layout.style));
  });
  return {
    interject: (text) => stderr.write(text),
    show(event) {
      const line = renderEventLine(event, layout.style);
      if (line !== undefined) say(line);
      running.note(event);
    },
    stop,
  };
}

/** Running and ended tasks of a plan, as its events tell. */
class TaskProgress {
  readonly #tasks: readonly Task[];
  readonly #byAddress = new Map<ResourceAddress, Task[]>();
  readonly #running = new Map<ResourceAddress, string>();
  readonly #done = new Set<string>();
  readonly #failed = new Set<string>();

  constructor(tasks: readonly Task[]) {
    this.#tasks = tasks;
    for (const task of tasks) {
      const own = this.#byAddress.get(task.address);
      if (own) own.push(task);
      else this.#byAddress.set(task.address, [task]);
    }
  }

  get total(): number {
    return this.#tasks.length;
  }

  get done(): number {
    return this.#done.size;
  }

  get failed(): number {
    return this.#failed.size;
  }

  note({ kind, address, step }: ApplyEvent): void {
    if (kind === 'progress') return;
    if (kind === 'started') {
      const next = this.#byAddress
        .get(address)
        ?.find(
          ({ id, phase }) => !this.#done.has(id) && (phase === 'destroy') === (step === 'delete'),
        );
      if (next) this.#running.set(address, next.id);
      return;
    }
    const id = this.#running.get(address);
    if (id === undefined) return;
    this.#running.delete(address);
    (kind === 'completed' ? this.#done : this.#failed).add(id);
  }

  findWaits(): WaitingTasks {
    const running = new Set(this.#running.values());
    return findWaitingTasks(this.#tasks, { running, done: this.#done, failed: this.#failed });
  }
}

import type { ApplyEvent } from '../model/result.ts';
import type { Runtime } from '../model/runtime.ts';
import { renderDrainLine, renderLiveProgress } from '../render/live-progress.ts';
import { renderEventLine, renderStillLine } from '../render/progress-lines.ts';
import type { Layout } from '../render/style.ts';
import { RunningChanges, stillEveryMs } from './running-changes.ts';

/** Shows an apply while it runs: live lines on a terminal, a log elsewhere. */
export interface Progress {
  show(event: ApplyEvent): void;
  /** Writes lines above what is drawn over again; they end with a line end. */
  interject(text: string): void;
  /** Clears what is drawn over again and stops the clock. */
  stop(): void;
}

const redrawEveryMs = 120;

/** Progress of an apply of `total` tasks on standard error. */
export function createProgress(runtime: Runtime, layout: Layout, total: number): Progress {
  const { clock, stderr, interrupted } = runtime;
  const running = new RunningChanges();
  const startedAt = clock.now();
  const stopped = new AbortController();
  const isLive = stderr.isTTY;
  let ended = 0;
  let drawnLines = 0;

  const erase = () => {
    if (drawnLines > 0) stderr.write(`\u001b[${drawnLines}A\u001b[J`);
    drawnLines = 0;
  };
  const draw = () => {
    erase();
    if (running.size === 0) return;
    const now = clock.now();
    const progress = {
      running: running.list(now),
      ended,
      total,
      elapsedMs: now - startedAt,
      ...(interrupted.aborted && { drainMs: running.drainMs(now) }),
    };
    const lines = renderLiveProgress(progress, layout, Math.min(12, (stderr.rows ?? 24) - 4));
    stderr.write(`${lines.join('\n')}\n`);
    drawnLines = lines.length;
  };
  const say = (line: string) => {
    erase();
    stderr.write(`${line}\n`);
  };
  let drainSaidAt = Number.NEGATIVE_INFINITY;
  const sayStill = () => {
    const now = clock.now();
    if (interrupted.aborted && running.size > 0 && now - drainSaidAt >= stillEveryMs) {
      drainSaidAt = now;
      say(renderDrainLine(running.list(now), running.drainMs(now), layout));
    }
    for (const one of running.listDue(now)) say(renderStillLine(one, layout.style));
  };

  void (async () => {
    while (!stopped.signal.aborted) {
      if (isLive) draw();
      else sayStill();
      await clock.sleep(isLive ? redrawEveryMs : 500, stopped.signal);
    }
  })().catch(() => undefined); // stopped while asleep

  return {
    interject(text) {
      erase();
      stderr.write(text);
    },
    show(event) {
      const line = renderEventLine(event, layout.style);
      if (line !== undefined) say(line);
      running.note(event);
      if (event.kind === 'completed' || event.kind === 'errored') ended += 1;
    },
    stop() {
      stopped.abort();
      erase();
    },
  };
}

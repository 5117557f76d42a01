import { formatElapsed } from './elapsed.ts';
import { escapeText } from './escape.ts';
import { countNoun } from './labels.ts';
import { cutEnd } from './measure.ts';
import type { RunningChange } from './progress-lines.ts';
import { renderStillLine } from './progress-lines.ts';
import type { Layout } from './style.ts';

/** An apply at one moment. */
export interface ApplyProgress {
  readonly running: readonly RunningChange[];
  /** Tasks that ended, well or badly. */
  readonly ended: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** Given once the run was interrupted: how long what runs may take at most. */
  readonly drainMs?: number;
}

const barWidth = 24;

/**
 * The lines that are drawn over again while an apply runs: those that run longest, and a bar over all. Never more than
 * `rows` lines, so that nothing scrolls away.
 */
export function renderLiveProgress(
  { running, ended, total, elapsedMs, drainMs }: ApplyProgress,
  { columns, style }: Layout,
  rows: number,
): string[] {
  const longest = [...running].sort((a, b) => b.elapsedMs - a.elapsedMs);
  const shown = longest.slice(0, Math.max(1, rows - 2));
  const plain = { ...style, bold: (text: string) => text };
  const lines = shown.map((one) => `  ${cutEnd(renderStillLine(one, plain), columns - 3)}`);
  const hidden = running.length - shown.length;
  if (hidden > 0) lines.push(style.dim(`  and ${hidden} more`));
  const filled = total === 0 ? barWidth : Math.floor((ended / total) * barWidth);
  const bar = '█'.repeat(filled) + style.dim('░'.repeat(barWidth - filled));
  if (drainMs !== undefined) {
    const drain = renderDrainLine(running, drainMs, { columns: columns - 2, style });
    return [...lines, `  ${style.bold(drain)}`];
  }
  const left = estimateLeft(ended, total, elapsedMs);
  const counts = `${ended} of ${total} done, ${running.length} running, ${formatElapsed(elapsedMs)}${left}`;
  lines.push(`  ${bar} ${cutEnd(counts, columns - barWidth - 4)}`);
  return lines;
}

/** What an interrupted run still waits for, and for how long at most; cut to one line. */
export function renderDrainLine(
  running: readonly Pick<RunningChange, 'address'>[],
  drainMs: number,
  { columns }: Layout,
): string {
  const most = `at most ${formatElapsed(Math.max(0, drainMs))}`;
  const what = running.map(({ address }) => escapeText(address)).join(', ');
  return cutEnd(
    `Interrupted: waiting for ${countNoun('change', running.length)}, ${most}: ${what}`,
    columns,
  );
}

/** A guess from the pace so far; none before there is a pace. */
function estimateLeft(ended: number, total: number, elapsedMs: number): string {
  if (ended < 2 || ended === total) return '';
  const leftMs = (elapsedMs / ended) * (total - ended);
  return `, about ${formatElapsed(leftMs)} left`;
}

import { formatElapsed } from '../format/elapsed.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { cutTextEnd, cutTextMiddle, measureTerminalWidth } from '../format/measure.ts';
import type { RunningChange } from './progress-lines.ts';
import { describeChangeStatus, renderStillRunningLine } from './progress-lines.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import type { WaitingTasks } from './waits.ts';

/** Progress of an apply at one moment, for the terminal. */
export interface ApplyProgress {
  readonly running: readonly RunningChange[];
  /** Number of tasks that ended successfully. */
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** Estimate of the time that the whole apply still takes; absent where none can be made. */
  readonly leftMs?: number;
  /** Waiting tasks, by the change that they wait for. */
  readonly waits?: WaitingTasks;
  /** Set once the run was interrupted: the time at most that the running changes may take. */
  readonly drainMs?: number;
}

const maxBarWidth = 24;
/** The fewest cells of the progress bar: a shorter one shows nothing. */
const minBarWidth = 6;
/** The fewest cells that an address gets in a progress line. */
const minAddress = 24;

/**
 * Renders the lines of progress that a terminal draws over again while an apply runs: the changes that run longest, the
 * waiting tasks, and a bar for the whole. Never more than `rows` lines, so that nothing scrolls away, and none as wide
 * as the terminal, so that none is broken.
 */
export function renderLiveProgress(
  progress: ApplyProgress,
  layout: TextLayout,
  rows: number,
): string[] {
  const { running, waits, drainMs } = progress;
  const { columns, style } = layout;
  const hasWaits = waits !== undefined && waits.count > 0 && drainMs === undefined;
  const longest = [...running].sort((a, b) => b.elapsedMs - a.elapsedMs);
  const shown = longest.slice(0, Math.max(1, rows - 2 - (hasWaits ? 1 : 0)));
  const lines = shown.map((one) => `  ${drawRunning(one, columns - 3, style)}`);
  const hidden = running.length - shown.length;
  if (hidden > 0) lines.push(style.dim(`  and ${hidden} more`));
  if (drainMs !== undefined) {
    const drain = renderInterruptWaitLine(running, drainMs, { columns: columns - 3, style });
    return [...lines, `  ${style.bold(drain)}`];
  }
  if (hasWaits) lines.push(style.dim(`  ${cutTextEnd(wordWaits(waits), columns - 3)}`));
  return [...lines, `  ${drawBar(progress, columns - 3, style)}`];
}

/**
 * A running change, as a log shows it where there is room; else the address is cut, since the words behind it are what
 * changes.
 */
function drawRunning(one: RunningChange, room: number, style: TextStyle): string {
  const plain = { ...style, bold: (text: string) => text };
  const whole = renderStillRunningLine(one, plain);
  if (measureTerminalWidth(whole) <= room) return whole;
  const facts = `: ${[formatElapsed(one.elapsedMs), ...describeChangeStatus(one)].join(', ')}`;
  const address = cutTextMiddle(
    escapeUntrustedText(one.address),
    Math.max(minAddress, room - measureTerminalWidth(facts)),
  );
  return cutTextEnd(address + facts, room);
}

/** `12 waiting: 10 for projects.shop.networks.backend, 2 for their turn`. */
function wordWaits({ count, groups }: WaitingTasks): string {
  const words = groups.map((group) => {
    if (group.on !== undefined) return `${group.count} for ${escapeUntrustedText(group.on)}`;
    return `${group.count} for ${group.count === 1 ? 'its' : 'their'} turn`;
  });
  return `${count} waiting: ${words.join(', ')}`;
}

/** `████▌░░░ 38 of 56 done, 2 failed, 16 skipped, 0 running, 1m3s`. The failed share is red, in the bar as well. */
function drawBar(progress: ApplyProgress, room: number, style: TextStyle): string {
  const { done, failed, total, waits } = progress;
  const skipped = waits?.skipped ?? 0;
  const trouble = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
  const before = `${done} of ${total} done`;
  const wordCounts = (pace: string) =>
    [before, trouble, pace].filter((text) => text !== '').join(', ');
  const paces = wordPaces(progress);
  const after = paces.find((pace) => wordCounts(pace).length <= room) ?? '';
  const counts = wordCounts(after);
  const width = Math.min(maxBarWidth, room - 1 - counts.length);
  if (width < minBarWidth) return cutTextEnd(counts, room);
  const share = (count: number) => (total === 0 ? 0 : Math.floor((count / total) * width));
  const filled = total === 0 ? width : share(done);
  const lost = share(done + failed + skipped) - share(done);
  const bar = `${'█'.repeat(filled)}${style.red('█'.repeat(lost))}${style.dim('░'.repeat(width - filled - lost))}`;
  return `${bar} ${trouble ? counts.replace(trouble, style.red(trouble)) : counts}`;
}

/**
 * Pace of an apply (running changes, elapsed and left time), in ever fewer words: on a narrow terminal only the time left is
 * shown.
 */
function wordPaces({ running, elapsedMs, leftMs }: ApplyProgress): string[] {
  const elapsed = formatElapsed(elapsedMs);
  const left = leftMs === undefined ? [] : [`about ${formatElapsed(leftMs)} left`];
  const last = left[0] ?? elapsed;
  return [
    [`${running.length} running`, elapsed, ...left].join(', '),
    [elapsed, ...left].join(', '),
    last,
  ];
}

/** Renders the line of an interrupted run: the changes that it still waits for and the longest wait, cut to one line. */
export function renderInterruptWaitLine(
  running: readonly Pick<RunningChange, 'address'>[],
  drainMs: number,
  { columns }: TextLayout,
): string {
  const most = formatElapsed(Math.max(0, drainMs));
  const what = running.map(({ address }) => escapeUntrustedText(address)).join(', ');
  const head = `Interrupted: waiting for ${formatCountWithNoun('change', running.length)}`;
  const whole = `${head}, at most ${most}`;
  if (measureTerminalWidth(whole) <= columns) return cutTextEnd(`${whole}: ${what}`, columns);
  const short = `${head}, max ${most}`;
  return measureTerminalWidth(short) <= columns ? short : cutTextEnd(head, columns);
}

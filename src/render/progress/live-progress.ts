import { formatElapsed } from '../format/elapsed.ts';
import { escapeText } from '../format/escape.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { cutEnd, cutMiddle, measureWidth } from '../format/measure.ts';
import type { RunningChange } from './progress-lines.ts';
import { describeStatus, renderStillLine } from './progress-lines.ts';
import type { Layout, Style } from '../format/style.ts';
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
 * The lines that are drawn over again while an apply runs: the changes that run longest, the tasks that wait, and a bar for
 * all. Never more than `rows` lines, so that nothing scrolls away, and none as wide as the terminal, so that none is broken.
 */
export function renderLiveProgress(
  progress: ApplyProgress,
  layout: Layout,
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
    const drain = renderDrainLine(running, drainMs, { columns: columns - 3, style });
    return [...lines, `  ${style.bold(drain)}`];
  }
  if (hasWaits) lines.push(style.dim(`  ${cutEnd(wordWaits(waits), columns - 3)}`));
  return [...lines, `  ${drawBar(progress, columns - 3, style)}`];
}

/**
 * A running change, as a log shows it where there is room; else the address is cut, since the words behind it are what
 * changes.
 */
function drawRunning(one: RunningChange, room: number, style: Style): string {
  const plain = { ...style, bold: (text: string) => text };
  const whole = renderStillLine(one, plain);
  if (measureWidth(whole) <= room) return whole;
  const facts = `: ${[formatElapsed(one.elapsedMs), ...describeStatus(one)].join(', ')}`;
  const address = cutMiddle(
    escapeText(one.address),
    Math.max(minAddress, room - measureWidth(facts)),
  );
  return cutEnd(address + facts, room);
}

/** `12 waiting: 10 for projects.shop.networks.backend, 2 for their turn`. */
function wordWaits({ count, groups }: WaitingTasks): string {
  const words = groups.map((group) => {
    if (group.on !== undefined) return `${group.count} for ${escapeText(group.on)}`;
    return `${group.count} for ${group.count === 1 ? 'its' : 'their'} turn`;
  });
  return `${count} waiting: ${words.join(', ')}`;
}

/** `████▌░░░ 38 of 56 done, 2 failed, 16 skipped, 0 running, 1m3s`. The failed share is red, in the bar as well. */
function drawBar(progress: ApplyProgress, room: number, style: Style): string {
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
  if (width < minBarWidth) return cutEnd(counts, room);
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

/** Line of an interrupted run: the changes that it still waits for, and for how long at most; cut to one line. */
export function renderDrainLine(
  running: readonly Pick<RunningChange, 'address'>[],
  drainMs: number,
  { columns }: Layout,
): string {
  const most = formatElapsed(Math.max(0, drainMs));
  const what = running.map(({ address }) => escapeText(address)).join(', ');
  const head = `Interrupted: waiting for ${countNoun('change', running.length)}`;
  const whole = `${head}, at most ${most}`;
  if (measureWidth(whole) <= columns) return cutEnd(`${whole}: ${what}`, columns);
  const short = `${head}, max ${most}`;
  return measureWidth(short) <= columns ? short : cutEnd(head, columns);
}

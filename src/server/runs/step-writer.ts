import type { StoredRun } from '../store/run.ts';
import { readRunStepNote, type StoredRunProgress, type RunStepNote } from '../store/run-step.ts';
import type { RunStepStore } from '../store/run-steps.ts';

const flushMs = 250;
/** A run has no more steps than these in its timeline: what the process of a run says is bounded. */
const mostNotes = 400_000;

/** The attempt of a run, with its progress before that attempt. */
type Followed = Pick<StoredRun, 'id' | 'attempt'> & {
  readonly progress: Pick<StoredRunProgress, 'total' | 'done'> | undefined;
};

/** Writer of the progress of one attempt, in batches. Its input comes from a stranger's configuration and is checked. */
export interface RunStepWriter {
  /** Notes that an apply has begun, with its number of steps. */
  begin(steps: unknown): void;
  /** Notes that a step has begun or ended. */
  note(step: unknown): void;
  /** Writes the notes that are not written yet. */
  close(): Promise<void>;
}

/** Opens the writer of an attempt's progress. `onFault` is called for notes that cannot be written; the run goes on. */
export function openRunStepWriter(
  store: Pick<RunStepStore, 'add'>,
  run: Followed,
  onFault: (error: unknown) => void,
): RunStepWriter {
  const { total: totalBefore, done: seenBefore } = run.progress ?? { total: 0, done: 0 };
  let doneBefore = seenBefore;
  let [done, failed] = [0, 0];
  let total: number | undefined;
  let written = '';
  let count = 0;
  let waiting: RunStepNote[] = [];
  let last: Promise<void> = Promise.resolve();
  const running = new Set<string>();
  const flush = () => {
    // An apply without steps has no progress, unless an earlier attempt had some.
    if (total === undefined || (total === 0 && !run.progress)) return last;
    const progress: StoredRunProgress = {
      // Steps that earlier attempts have done are not planned again.
      total: doneBefore + total,
      done: doneBefore + done,
      failed,
      running: running.size,
    };
    const text = JSON.stringify(progress);
    if (text === written && waiting.length === 0) return last;
    written = text;
    const notes = waiting;
    waiting = [];
    last = last.then(() => store.add(run, notes, progress)).catch(onFault);
    return last;
  };
  const timer = setInterval(() => void flush(), flushMs);
  return {
    begin(steps) {
      if (typeof steps !== 'number' || !Number.isSafeInteger(steps)) return;
      total = Math.max(0, steps);
      // A step that an earlier attempt had begun may have ended unseen: nobody plans it again.
      doneBefore = Math.max(seenBefore, totalBefore - total);
      void flush();
    },
    note(step) {
      const note = readRunStepNote(step);
      if (!note || (count += 1) > mostNotes) return;
      waiting.push(note);
      if (note.kind === 'started') running.add(note.address);
      else {
        running.delete(note.address);
        if (note.kind === 'completed') done += 1;
        else failed += 1;
      }
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

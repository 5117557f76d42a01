// The fence keeps a run that lost its lock from writing over its successor: every write of the state is followed by a look at
// the lock, in that order. A successor marks the lock first and reads the state after, so that of the two at least one sees
// the other: every confirmed write is known to the successor.
import { DiagnosticError } from '../../model/errors.ts';

/** Run that took a lock over, as the lock's record names it: its command, and the time. */
export interface LockSuccessor {
  readonly Who: string;
  readonly Operation: string;
  readonly Created: string;
}

/** The reason why a lock is no longer held. */
export type LockLoss =
  | { readonly kind: 'taken'; readonly by: LockSuccessor }
  | { readonly kind: 'removed' }
  | { readonly kind: 'unrenewed'; readonly cause: unknown }
  /** The heartbeat took longer than other runs wait for one, so that they may have taken the lock. */
  | { readonly kind: 'slow'; readonly tookMs: number; readonly leaseMs: number }
  /**
   * The backend has less than it has confirmed, as after a failover to a copy without the last writes. The run's records
   * exist nowhere else. `confirmed` and `found` are for messages: `write 69 of epoch 7`. Later writes of another run there
   * have a higher epoch than `epoch`.
   */
  | {
      readonly kind: 'set-back';
      readonly confirmed: string;
      readonly found: string;
      readonly epoch: number;
    };

/** Error for a lock that is no longer held: nothing may be written or sent any more. */
export class LockLostError extends DiagnosticError {
  readonly code: string;
  readonly loss: LockLoss;

  constructor(loss: LockLoss) {
    const code = isLossByBackendSetBack(loss) ? 'state-set-back' : 'lock-lost';
    super(
      [
        {
          severity: 'error',
          code,
          summary: summarize(loss),
          detail: `${explain(loss)} This run writes nothing more to the state and sends no further change.`,
          hint: adviseOn(loss),
        },
      ],
      loss.kind === 'unrenewed' ? { cause: loss.cause } : {},
    );
    this.name = 'LockLostError';
    this.code = code;
    this.loss = loss;
  }
}

/**
 * Tells whether the lock was lost because its backend went back to an earlier moment: then no other run knows this run's
 * records.
 */
export function isLossByBackendSetBack(
  loss: LockLoss,
): loss is Extract<LockLoss, { kind: 'set-back' }> {
  return loss.kind === 'set-back';
}

/** Lock as the writer of the state checks it before each write, so that no write goes out after the lock was lost. */
export interface LockFence {
  /** Number of the lock, which grows with each lock taken; every write carries it. */
  readonly epoch: number;
  /** Error of the lost lock, set for good once the loss was seen; undefined until then. */
  readonly lost: LockLostError | undefined;
  /** Confirms, after a write, that it may be relied on. @throws LockLostError when the lock is no longer held */
  verify(): void;
  /**
   * Checks, right before a request that changes something, that the lock is held and its heartbeat younger than its
   * lease by this machine's clocks. Returns a promise where a server has to be asked. @throws LockLostError otherwise
   */
  verifyLease(): void | Promise<void>;
}

/**
 * Explains a lost lock in the diagnostic at the end of an apply. `unfinished` counts the changes that were never
 * started, or whose end is not known. `isWritten`: nobody has taken the lock, and ended changes were recorded.
 */
export function explainLostLock(
  lost: LockLostError,
  unfinished: number,
  isWritten = false,
): DiagnosticError {
  const [diagnostic] = lost.diagnostics;
  const { summary = '', hint = '' } = diagnostic ?? {};
  const rest =
    unfinished === 0
      ? 'All changes were finished.'
      : `Changes that were not started or whose end is not known: ${unfinished}.`;
  return new DiagnosticError(
    [
      {
        severity: 'error',
        code: lost.code,
        summary,
        detail:
          `${explain(lost.loss)} From then on this run started nothing new, and waited for the changes that ran. ` +
          `${rest} ${isWritten ? written : unwritten}`,
        hint,
      },
    ],
    { cause: lost },
  );
}

const unwritten =
  'The state has the requests that were sent, but not what became of them since: the next run looks it up.';
const written = 'The state has what became of all that was sent.';

/**
 * The error at the end of a run whose state went back to an earlier moment. `rescue` is the path of the run's own records;
 * undefined where no place could be written. `place` is the place to which a person has to bring them; undefined where the
 * next run does that.
 */
export function explainBackendSetBack(
  lost: LockLostError,
  { rescue, place }: { readonly rescue: string | undefined; readonly place: string | undefined },
): DiagnosticError {
  const [diagnostic] = lost.diagnostics;
  const { summary = '', hint = '' } = diagnostic ?? {};
  const { code } = lost;
  const what = `${explain(lost.loss)} From then on this run wrote nothing more to it, started nothing new, and waited for the changes that ran.`;
  const saved =
    rescue === undefined
      ? 'No other place could be written either.'
      : `The whole state, with all that this run knows, is in ${rescue}.`;
  const bring =
    rescue === undefined
      ? `${hint} If the plan then reports unmanaged resources, adopt them with \`--adopt\`.`
      : place === undefined
        ? `${hint.replace(/\.$/, '')}: it uploads the file first. Do not delete it before.`
        : `Restore the state with "cp ${rescue} ${place}", then run the command again.`;
  const told = {
    severity: 'error',
    code,
    summary,
    detail: `${what} ${saved}`,
    hint: bring,
  } as const;
  return new DiagnosticError([told], { cause: lost });
}

function summarize(loss: LockLoss): string {
  switch (loss.kind) {
    case 'taken':
      return `The lock of the state was taken over by ${loss.by.Who} (${loss.by.Operation})`;
    case 'removed':
      return 'The lock of the state was removed while this run held it';
    case 'unrenewed':
      return 'The lock of the state cannot be renewed';
    case 'slow':
      return 'The lock of the state cannot be renewed within its lease';
    case 'set-back':
      return 'The state went back to an earlier moment while this run held its lock';
  }
}

function explain(loss: LockLoss): string {
  switch (loss.kind) {
    case 'taken':
      return (
        `It was taken at ${loss.by.Created}: this run was silent for longer than its lease, as a suspended machine is, ` +
        'or somebody ran "hostwright force-unlock".'
      );
    case 'removed':
      return 'Somebody ran "hostwright force-unlock", or deleted the lock.';
    case 'unrenewed': {
      const { cause } = loss;
      return `Its lease is over, and its heartbeat failed (${cause instanceof Error ? cause.message : String(cause)}).`;
    }
    case 'slow':
      return (
        `One sign of life took ${formatSeconds(loss.tookMs)}, and the lease is ${formatSeconds(loss.leaseMs)}: ` +
        'another run could take the lock of a run that lives.'
      );
    case 'set-back':
      return (
        `Confirmed was ${loss.confirmed}; now ${loss.found} is there. ` +
        'A failover to a copy that lacks the last writes does that, and so does a restore: the state went back, and nobody took the lock.'
      );
  }
}

function adviseOn(loss: LockLoss): string {
  switch (loss.kind) {
    case 'taken':
      return 'Wait for the other run to end (--lock-timeout 10m does that), then run the command again.';
    case 'removed':
      return 'Run the command again: it continues where this one stopped.';
    case 'unrenewed':
      return 'Make sure that the state can be reached and written, then run the command again.';
    case 'slow':
      return `${adviseLongerLease(loss.tookMs)} Then run the command again.`;
    case 'set-back':
      return 'Make sure that the place of the state stays the one that it is now, then run the command again in this directory.';
  }
}

/** Advises a longer lease where a heartbeat takes longer than the lease, of which four should fit into one lease. */
export function adviseLongerLease(tookMs: number): string {
  const seconds = Math.ceil((4 * tookMs) / 1_000);
  return `Set a longer lease in \`state\`, such as \`lease: ${seconds}s\`, or make the state faster to reach.`;
}

/** Writes a duration in seconds, with one decimal. */
export function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

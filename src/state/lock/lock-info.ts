// Info about the holder of a lock, as every backend stores it.
import type { ServerRunAttempt } from '../../model/runtime.ts';
import { epochUpperBound } from '../files/files.ts';
import type { ProcessIdentity } from './lock-holder.ts';
import { parseJsonObject } from '../../model/json-object.ts';

/** Operation in the info of a lock that a person takes by `state lock`. */
export const personalLockOperation = 'state lock';

/** Info about a lock: its holder and purpose in Terraform's keys, and data that tell whether the holder's process still runs. */
export interface LockInfo extends ProcessIdentity {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  /** User who holds the lock, as `user@host`. */
  readonly Who: string;
  readonly Version: string;
  /** Time when the lock was taken, in RFC 3339 format. */
  readonly Created: string;
  readonly Path: string;
  /** Number that rises with each lock that is taken; absent in a lock of a version without epochs. */
  readonly Epoch?: number;
  /** Time for which the holder may be silent, in milliseconds; absent like `Epoch`. */
  readonly Lease?: number;
  /** Set where a person keeps the lock, and no process: it lasts until somebody removes it. */
  readonly Kept?: boolean;
  /** The run of a server that holds the lock: a later attempt of the same run takes it over at once. */
  readonly Run?: ServerRunAttempt;
}

/** Lock that was found in its backend, with the last heartbeat of its holder, who may be any run. */
export interface ObservedLock {
  readonly info: LockInfo;
  /** Time of the holder's last heartbeat, by the clock of the backend; milliseconds since the Unix epoch. */
  readonly heartbeatAt: number;
  /** Text that changes with each heartbeat of the holder, so that others see it is alive. */
  readonly beat: string;
}

/** Result of an attempt to take a lock: taken, perhaps from a dead holder, or held by another run. */
export type LockAttempt =
  | { readonly kind: 'taken'; readonly info: LockInfo; readonly from: ObservedLock | undefined }
  | { readonly kind: 'held'; readonly by: ObservedLock };

const unsaid = { Operation: 'unknown', Info: '', Who: 'unknown', Version: 'unknown' };
const undated = { Created: 'unknown', Path: 'unknown' };
/** The mark of a process that no machine takes for one of its own. */
const nowhere = { Pid: 0, Host: 'unknown', Realm: 'unknown' };
const texts = new Set([...Object.keys({ ...unsaid, ...undated }), 'Host', 'Realm', 'Started']);
const counts = new Set(['Pid', 'Epoch', 'Lease']);

/** Decodes the info of a lock; undefined when the text is none. A member that is absent or malformed is `unknown`. */
export function decodeLockInfo(text: string): LockInfo | undefined {
  const given = parseJsonObject(text) ?? {};
  // The lock's ID becomes part of a file name, so it may have no other characters.
  if (!/^[\w-]{1,200}$/.test(typeof given.ID === 'string' ? given.ID : '')) return undefined;
  const fitting = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => fits(key, value)),
  );
  const isMarked = 'Host' in fitting && 'Pid' in fitting;
  return { ...unsaid, ...undated, ...fitting, ...(!isMarked && nowhere) } as LockInfo;
}

function fits(key: string, value: unknown): boolean {
  if (texts.has(key)) return typeof value === 'string';
  return (
    !counts.has(key) ||
    (typeof value === 'number' &&
      Number.isSafeInteger(value) &&
      value >= 0 &&
      value < epochUpperBound)
  );
}

/** Encodes the info of a lock as text. */
export function encodeLockInfo(info: LockInfo): string {
  return `${JSON.stringify(info, null, 2)}\n`;
}

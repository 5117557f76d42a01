// What a lock says of its holder, whatever it is kept in.
import type { RunMark } from '../../model/runtime.ts';
import { endOfEpochs } from '../files/files.ts';
import type { ProcessMark } from './lock-holder.ts';

/** The operation of a lock that a person keeps. */
export const keepOperation = 'state lock';

/** Who holds a lock, and for what: Terraform's keys, and what tells whether the process still runs. */
export interface LockInfo extends ProcessMark {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  /** `user@host`. */
  readonly Who: string;
  readonly Version: string;
  /** RFC 3339. */
  readonly Created: string;
  readonly Path: string;
  /** Rises with each lock that is taken; absent in a lock of a version that knew no epochs. */
  readonly Epoch?: number;
  /** For how long its holder may be silent, in milliseconds; absent like `Epoch`. */
  readonly Lease?: number;
  /** True: a person keeps it, and no process. It lasts until somebody removes it. */
  readonly Kept?: boolean;
  /** The run of a server that holds it: a later attempt of the same run takes it over at once. */
  readonly Run?: RunMark;
}

/** A lock as it was found. */
export interface HeldLock {
  readonly info: LockInfo;
  /** When its holder last gave a sign of life, by the clock of what keeps the lock; milliseconds since the Unix epoch. */
  readonly heartbeatAt: number;
  /** Another text after each heartbeat. */
  readonly beat: string;
}

/** How an attempt ended: taken, perhaps from a dead holder, or held by someone else. */
export type Taking =
  | { readonly kind: 'taken'; readonly info: LockInfo; readonly from: HeldLock | undefined }
  | { readonly kind: 'held'; readonly by: HeldLock };

const unsaid = { Operation: 'unknown', Info: '', Who: 'unknown', Version: 'unknown' };
const undated = { Created: 'unknown', Path: 'unknown' };
/** A process that no machine takes for one of its own. */
const nowhere = { Pid: 0, Host: 'unknown', Realm: 'unknown' };
const texts = new Set([...Object.keys({ ...unsaid, ...undated }), 'Host', 'Realm', 'Started']);
const counts = new Set(['Pid', 'Epoch', 'Lease']);

/** Takes the text of a lock apart; undefined when it is none. What it does not say, or not in a form that fits, is `unknown`. */
export function decodeInfo(text: string): LockInfo | undefined {
  const given = parse(text);
  // The ID becomes part of a file name.
  if (!/^[\w-]{1,200}$/.test(typeof given.ID === 'string' ? given.ID : '')) return undefined;
  const fitting = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => fits(key, value)),
  );
  const isMarked = 'Host' in fitting && 'Pid' in fitting;
  return { ...unsaid, ...undated, ...fitting, ...(!isMarked && nowhere) } as LockInfo;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(text) as object | null) };
  } catch {
    return {};
  }
}

function fits(key: string, value: unknown): boolean {
  if (texts.has(key)) return typeof value === 'string';
  return (
    !counts.has(key) ||
    (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < endOfEpochs)
  );
}

/** The text of a lock. */
export function encodeInfo(info: LockInfo): string {
  return `${JSON.stringify(info, null, 2)}\n`;
}

// An object that must be there and is not. A bucket that lists or shows objects late has it a moment later, so it is asked for
// again; where it stays away, nobody may go on as if it had never been: it says what became of resources.
import { createError } from '../../faults.ts';
import { BackendError, readPatienceMs, untilReached } from '../backend-error.ts';
import type { Bucket } from './bucket.ts';

/** The bucket does not show an object now. */
export class MissingObject extends BackendError {
  readonly key: string;

  constructor(bucket: Bucket, name: string) {
    super('unreachable', `${bucket.place}: ${name} is not there.`);
    this.key = name;
  }
}

/** Reads again and again while something is missing. @throws DiagnosticError `state-incomplete` where it stays so */
export async function untilWhole<T>(bucket: Bucket, read: () => Promise<T>): Promise<T> {
  try {
    return await untilReached(read, { clock: bucket.clock, patienceMs: readPatienceMs });
  } catch (cause) {
    if (!(cause instanceof MissingObject)) throw cause;
    throw createError('state-incomplete', `A part of the state is missing: ${bucket.place}`, {
      detail:
        `The bucket does not have ${bucket.keyOf(cause.key)}, which the state needs; Hostwright asked again for ` +
        `${readPatienceMs / 1000} s. Nothing was changed, neither here nor in the account.`,
      hint:
        'If the bucket shows objects late, as a replica does, run the command again later. If somebody deleted the object, ' +
        'restore it: from its versions, or from a backup. To begin with an empty state instead, delete everything below ' +
        `${bucket.keyOf('')}, and adopt what exists with "hostwright apply --adopt".`,
      cause,
    });
  }
}

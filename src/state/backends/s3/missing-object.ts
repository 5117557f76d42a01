// An object that must be there and is not shown. A bucket that lists or shows objects late has it a moment later, so it is
// asked for again; where it stays away, nobody may go on without it: it records what happened to resources.
import { createDiagnosticError } from '../../faults.ts';
import { BackendError, stateReadRetryMs, retryUntilReached } from '../backend-error.ts';
import type { S3Bucket } from './bucket.ts';

/** Error for an object of the state that the bucket does not show at present. */
export class MissingObjectError extends BackendError {
  readonly key: string;

  constructor(bucket: S3Bucket, name: string) {
    super('unreachable', `${bucket.place}: ${name} is not there.`);
    this.key = name;
  }
}

/**
 * Repeats a read of the state while the bucket lacks an object. @throws DiagnosticError `state-incomplete` where the
 * object stays missing
 */
export async function retryUntilComplete<T>(bucket: S3Bucket, read: () => Promise<T>): Promise<T> {
  try {
    return await retryUntilReached(read, { clock: bucket.clock, patienceMs: stateReadRetryMs });
  } catch (cause) {
    if (!(cause instanceof MissingObjectError)) throw cause;
    throw createDiagnosticError(
      'state-incomplete',
      `A part of the state is missing: ${bucket.place}`,
      {
        detail:
          `The bucket does not have ${bucket.keyOf(cause.key)}, which the state needs; Hostwright asked again for ` +
          `${stateReadRetryMs / 1000} s. Nothing was changed, neither here nor in the account.`,
        hint:
          'If the bucket shows objects late, as a replica does, run the command again later. If somebody deleted the object, ' +
          'restore it: from its versions, or from a backup. To begin with an empty state instead, delete everything below ' +
          `${bucket.keyOf('')}, and adopt what exists with "hostwright apply --adopt".`,
        cause,
      },
    );
  }
}

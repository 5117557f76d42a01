import { listBackups, type VmPlace } from '../api/backups.ts';
import { classifyRefusal } from '../api/errors/classify-error.ts';
import { ServiceError } from '../api/errors/errors.ts';
import type { Caller } from '../api/wire/reading.ts';
import type { Backup } from '../model/account/vm-work.ts';

/**
 * The backups of these VMs by VM, a request each. A VM that is gone by now has no entry, nor has one whose
 * backups the token may not see: a plan is not refused for what it could have counted.
 * @throws ApiError when the service cannot be read at all
 */
export async function readBackups(
  client: Caller,
  vms: readonly VmPlace[],
): Promise<ReadonlyMap<string, readonly Backup[]>> {
  const backups = new Map<string, readonly Backup[]>();
  await Promise.all(
    vms.map(async (place) => {
      try {
        backups.set(place.vmId, await listBackups(client, place));
      } catch (error) {
        const meaning = error instanceof ServiceError ? classifyRefusal(error) : undefined;
        if (meaning !== 'notFound' && meaning !== 'forbidden') throw error;
      }
    }),
  );
  return backups;
}

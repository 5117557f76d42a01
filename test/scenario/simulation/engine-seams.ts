// Where the simulation reaches into the engine past its commands.
import type { ServiceClient } from '../../../src/api/client.ts';
import { recordPendingCreateResult } from '../../../src/commands/state/resolve-create.ts';
import { DiagnosticError } from '../../../src/model/errors.ts';
import type { PlanOptions } from '../../../src/model/plan/plan.ts';
import { LockLostError } from '../../../src/state/lock/fence.ts';
import {
  parseJournalEpoch,
  stateFileNames,
  type StateFileName,
} from '../../../src/state/files/files.ts';
import { openMemoryState } from '../../../src/state/memory-store.ts';
import { readSnapshotHeadEpoch } from '../../../src/state/snapshot/snapshot.ts';
import type { World } from '../world.ts';
import type { Resolution } from './person.ts';

/** `state resolve ADDRESS --id ID | --gone`: what a person says to a create whose end no run has seen. */
export async function resolveByHand(
  world: World,
  client: ServiceClient,
  resolution: Resolution,
): Promise<void> {
  const store = await openMemoryState({ disk: world.store.readDisk() });
  try {
    await recordPendingCreateResult(store, client, resolution);
    await store.compact();
    world.store = store;
  } catch (error) {
    // It is not open any more, or not there any more: the next plan says what is.
    if (!(error instanceof DiagnosticError)) throw error;
  }
}

/** `--remove-doubled`. */
export const removeDoubledOption = (removesDoubled: boolean): Partial<PlanOptions> => ({
  removesDoubled,
});

/** The epoch of the next lock of a state: higher than all that its files have seen. */
export function nextEpochOf(disk: ReadonlyMap<StateFileName, string>): number {
  const epochs = [...disk.keys()].flatMap((name) => parseJournalEpoch(name) ?? []);
  return 1 + Math.max(0, readSnapshotHeadEpoch(disk.get(stateFileNames.snapshot) ?? ''), ...epochs);
}

/** What a run is told that lost its lock; `by`: to whom. */
export const createLockLoss = (by: string | undefined): LockLostError =>
  new LockLostError(
    by === undefined
      ? { kind: 'removed' }
      : { kind: 'taken', by: { Who: by, Operation: 'apply', Created: 'a moment ago' } },
  );

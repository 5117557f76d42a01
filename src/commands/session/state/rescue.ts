import type { Runtime } from '../../../model/runtime.ts';
import { encryptStateFiles } from '../../../state/encryption/sealed-files.ts';
import type { DiagnosticError } from '../../../model/errors.ts';
import type { StateBackend } from '../../../state/backends/backend.ts';
import { stateFileNames, type StateFiles } from '../../../state/files/files.ts';
import {
  explainBackendSetBack,
  isLossByBackendSetBack,
  LockLostError,
} from '../../../state/lock/fence.ts';
import type { StateStore } from '../../../state/store.ts';
import type { StateLock } from '../../../state/lock/lock.ts';
import { openRescueDirectory } from '../../../state/rescue/rescue-directory.ts';
import { openRescueFiles } from '../../../state/rescue/rescue-files.ts';
import {
  hasRescuedState,
  uploadRescuedState,
  warnOfRescuedState,
} from '../../../state/rescue/upload-rescue.ts';
import { createHistoryKeeper, type OpenedStateBackend } from './open-backend.ts';
import type { Reporter } from '../reporter.ts';
import { publishedHostwrightVersion } from '../../../model/version.ts';

/** Options of handling a rescued state. */
interface RescueOptions {
  readonly operation: string;
  /** The lock that is held; undefined for a command that only reads. */
  readonly lock: StateLock | undefined;
}

/**
 * Uploads the state that an earlier run had to save on this machine, as the backend did not take it. A command without the lock
 * only reports that it is still to be uploaded.
 */
export async function uploadOrReportRescuedState(
  runtime: Pick<Runtime, 'clock' | 'process'>,
  access: OpenedStateBackend,
  { operation, lock }: RescueOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<void> {
  const { backend } = access;
  if (backend.kind === 'local') return;
  const rescue = openOwnRescue(access);
  if (!(await hasRescuedState(rescue))) return;
  const told = lock
    ? await uploadRescuedState({
        backend,
        rescue,
        version: publishedHostwrightVersion,
        fence: lock.fence,
        history: createHistoryKeeper(runtime, access, operation),
      })
    : warnOfRescuedState(rescue);
  reporter.showDiagnostics([told]);
}

/**
 * Makes the function that opens a directory for a state that the backend does not take: the one in which the next run looks, or
 * else any other that can be written.
 */
export function createStateRescueOpener(access: OpenedStateBackend) {
  const { backend } = access;
  const openAnywhere = async () =>
    encryptStateFiles(await openRescueDirectory(), access, backend.address);
  return async (): Promise<StateFiles> => {
    if (backend.kind === 'local') return openAnywhere();
    const rescue = openOwnRescue(access);
    // Files in the directory were left by an earlier run, and are part of this run's state.
    return (await isWritable(rescue)) ? rescue : openAnywhere();
  };
}

/** An open state with its backend and the directory of its configuration. */
interface OpenState {
  readonly store: StateStore;
  readonly backend: StateBackend;
  /** Directory in which the next run looks for a rescued state; absolute. */
  readonly rescueDirectory: string;
}

/** Path to which a person has to copy a rescued state; undefined where the next run uploads it by itself. */
export function findManualStateRescuePath({
  store,
  backend,
  rescueDirectory,
}: OpenState): string | undefined {
  const isUploaded = backend.kind !== 'local' && store.rescue?.startsWith(rescueDirectory);
  return isUploaded ? undefined : backend.openFiles().pathOf(stateFileNames.snapshot);
}

/** Saves the state of a run whose backend went back to an earlier version, and explains it; undefined where it did not. */
export async function rescueStateAfterRollback(
  open: OpenState,
): Promise<DiagnosticError | undefined> {
  const { store } = open;
  const { failure } = store;
  if (!(failure instanceof LockLostError) || !isLossByBackendSetBack(failure.loss))
    return undefined;
  await store.keepAside();
  return explainBackendSetBack(failure, {
    rescue: store.rescue,
    place: findManualStateRescuePath(open),
  });
}

/** Opens the rescue directory, encrypted as the state is. */
function openOwnRescue(access: OpenedStateBackend): StateFiles {
  return encryptStateFiles(openRescueFiles(access.rescueDirectory), access, access.backend.address);
}

async function isWritable(files: StateFiles): Promise<boolean> {
  try {
    await files.replace('probe.json', '');
    await files.remove('probe.json');
    return true;
  } catch {
    return false;
  }
}

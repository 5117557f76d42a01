import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import type { StateBackend } from '../../state/backends/backend.ts';
import { openLocalBackend } from '../../state/backends/local.ts';
import { openState } from '../../state/store.ts';

/** The place of the state of a configuration; `directory` is absolute. */
export function openBackend(_runtime: Runtime, directory: string): Promise<StateBackend> {
  return Promise.resolve(openLocalBackend(directory));
}

/** A state as it was found. */
export interface FoundState {
  readonly state: State;
  /** That of a snapshot that holds all of it. */
  readonly serial: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the state of a configuration, with what the journal has on top. Nothing is locked or changed. */
export async function readStateOf(runtime: Runtime, directory: string): Promise<FoundState> {
  const backend = await openBackend(runtime, directory);
  try {
    const store = await openState(backend, { isReadOnly: true });
    await store.close();
    const { state, snapshotSerial: serial, diagnostics } = store;
    return { state, serial, diagnostics };
  } finally {
    await backend.close();
  }
}

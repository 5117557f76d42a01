// The memory of Hostwright between runs: a snapshot, and beside it a journal of the events since. Every record is on disk
// before the engine acts on it, so that a kill at any moment loses nothing and doubles nothing. Under a lock, each write is
// followed by a check that the lock is still held: a run that lost it writes and sends nothing more. This folder must never
// talk to the service, decide what to do about what it finds, or drop a record in silence.
import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.ts';
import { InternalError } from '../model/errors.ts';
import type { State } from '../model/state/state.ts';
import { StateWriteError } from './faults.ts';
import { isLossByBackendSetBack, LockLostError } from './lock/fence.ts';
import type { StateBackend } from './backends/backend.ts';
import { stateFileNames, type StateFiles } from './files/files.ts';
import { Journal, type JournalRebase } from './journal/journal.ts';
import { loadState, type LoadedState } from './journal/load.ts';
import type { JournalRecord } from './journal/records.ts';
import { saveSnapshot, type StateVersionNote } from './history/save-snapshot.ts';
import { openRescueDirectory } from './rescue/rescue-directory.ts';
import type { StateStoreOptions } from './store-options.ts';
import { applyJournalRecord } from './journal/replay.ts';
import { encodeSnapshot } from './snapshot/snapshot.ts';

/** Reason why a state accepts no more records of requests to be sent: it cannot be written, or another run holds its lock. */
export type StateStoreFailure = StateWriteError | LockLostError;

/** Open state of a run. Only one run may write it at a time, so its lock must be held. */
export interface StateStore {
  /** State as of the last call of `record`. It changes in place: copy any part that has to stay. */
  readonly state: State;
  /** The serial of the snapshot that holds all of `state`: the next one where the journal has further records. */
  readonly snapshotSerial: number;
  /** Notes on opening the state: a left-over journal, a record that was cut short. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The error of the first failed write; undefined while all is well. From then on intents are refused. Where the disk fails,
   * or the backend went back to an earlier moment, all other records go to a rescue directory, so that running changes can be
   * finished and remembered. Where the lock was lost, all other records stay in memory: a rescued state could overwrite the
   * successor's.
   */
  readonly failure: StateStoreFailure | undefined;
  /**
   * The reason why a request was kept back though no other run is known to have the lock: the lock could not be renewed in
   * time. Ended commands are recorded all the same. Undefined while all is well.
   */
  readonly refusal: LockLostError | undefined;
  /** The path of the rescued state; undefined while all is well, and when no rescue directory could be written either. */
  readonly rescue: string | undefined;
  /**
   * Applies a record to `state` at once, and resolves when it is on disk, if need be in the rescue directory, and the lock
   * was held after that. Rejects with `failure` for an intent that is not: the announced request must not be sent. Without a
   * rescue directory all other records are kept in memory alone.
   */
  record(record: JournalRecord): Promise<void>;
  /**
   * Folds the journal into a new snapshot, with the next serial if anything changed; the old one becomes the backup. A kill
   * at any moment, or a failure, leaves the same state on disk. Rejects with `failure` when there is one, after folding in
   * the rescue directory. `note` is for the history.
   */
  compact(note?: StateVersionNote): Promise<void>;
  /**
   * Checks, right before a request that changes something goes out, that the lock is still held and its heartbeat is
   * younger than its lease. Returns a promise where a server is asked for that. Always passes without a lock.
   * @throws LockLostError the request must not go out
   */
  requireLock(): void | Promise<void>;
  /**
   * Saves the whole state in the rescue directory where its backend has gone back to an earlier moment and that is not done
   * yet; also after `close`.
   */
  keepAside(): Promise<void>;
  /** Waits for the writes under way, and closes the files. Does not compact. */
  close(): Promise<void>;
}

/**
 * Opens a state. A missing one is empty. Nothing is made or changed before the first record; but under a lock the journal of
 * an earlier epoch is taken over at once.
 * @throws StateWriteError, LockLostError when that fails; DiagnosticError when the files are damaged, unreadable, unrelated,
 * or of a newer version
 */
export function openStateStore(
  backend: Pick<StateBackend, 'openFiles'>,
  options: StateStoreOptions = {},
): Promise<StateStore> {
  return openStateStoreOnFiles(backend.openFiles(options.fence), options);
}

/** Opens a state on `files`, which check the fence in `options` themselves. */
export async function openStateStoreOnFiles(
  files: StateFiles,
  options: StateStoreOptions,
): Promise<StateStore> {
  const createId = options.createId ?? randomUUID;
  const loaded = await loadState(files, createId, options.leftOut);
  await options.admit?.(loaded.draft);
  const store = new FileStore(files, loaded, { ...options, createId });
  if (options.fence && !options.isReadOnly) await store.begin();
  return store;
}

class FileStore implements StateStore {
  readonly diagnostics: readonly Diagnostic[];
  #files: StateFiles;
  readonly #options: StateStoreOptions & { readonly createId: () => string };
  readonly #draft: LoadedState['draft'];
  #epoch: number;
  #journal: Journal;
  #journalId: string;
  #isChanged: boolean;
  #isClosed = false;
  #failure: StateStoreFailure | undefined;
  #refusal: LockLostError | undefined;
  #rescue: string | undefined;
  #flight: Promise<boolean> | undefined;

  constructor(
    files: StateFiles,
    loaded: LoadedState,
    options: StateStoreOptions & { readonly createId: () => string },
  ) {
    this.diagnostics = loaded.diagnostics;
    this.#files = files;
    this.#options = options;
    this.#draft = loaded.draft;
    // The next lock's epoch depends on the first bytes of the snapshot alone.
    this.#epoch = Math.max(options.fence?.epoch ?? 0, loaded.epoch + 1);
    this.#journal = new Journal(files, { ...loaded.base, epoch: this.#epoch }, loaded.start);
    this.#journalId = loaded.base.id;
    this.#isChanged = loaded.isChanged;
  }

  get state(): State {
    return this.#draft;
  }

  get snapshotSerial(): number {
    return this.#draft.serial + (this.#isChanged ? 1 : 0);
  }

  /** Begins a journal of this lock's epoch, after which later writes of the last holder are never read. */
  begin(): Promise<void> {
    return this.#journal.begin();
  }

  async record(record: JournalRecord): Promise<void> {
    this.#refuseUnlessWritable();
    if (applyJournalRecord(this.#draft, record)) this.#isChanged = true;
    if (!this.#isLockLost) {
      try {
        await this.#journal.append(record);
      } catch (error) {
        await this.#flee(error);
      }
    }
    if (record.kind === 'intent' && this.failure) throw this.failure;
  }

  get failure(): StateStoreFailure | undefined {
    // A lost lock outweighs a failed disk: it forbids any further use of the state.
    return this.#options.fence?.lost ?? this.#failure;
  }

  get #isLockLost(): boolean {
    const { failure } = this;
    return failure instanceof LockLostError && !isLossByBackendSetBack(failure.loss);
  }

  get rescue(): string | undefined {
    return this.#rescue;
  }

  async compact(note?: StateVersionNote): Promise<void> {
    this.#refuseUnlessWritable();
    const { failure } = this;
    if (failure && this.#isLockLost) throw failure;
    if (failure) await this.#flee(failure);
    if (failure && this.#rescue === undefined && !(await this.#settleInRescue())) throw failure;
    try {
      await this.#journal.rebase(() => this.#prepareSnapshot(note));
    } catch (error) {
      await this.#flee(error);
    }
    if (this.failure) throw this.failure;
  }

  requireLock(): void | Promise<void> {
    return this.#options.fence?.verifyLease()?.catch((error: unknown) => {
      if (error instanceof LockLostError) this.#refusal ??= error;
      throw error;
    });
  }

  get refusal(): LockLostError | undefined {
    return this.#refusal;
  }

  /** Moves to the rescue directory with the whole state, once for all records that failed together. */
  async #flee(error: unknown): Promise<void> {
    const isLost = error instanceof LockLostError;
    if (isLost && !isLossByBackendSetBack(error.loss)) {
      this.#failure = error;
      return;
    }
    if (!isLost && !(error instanceof StateWriteError)) throw error;
    if (!this.#failure) {
      this.#failure = error;
      // A run that writes there by then has looked up all resources, and the rescued state must not replace its own.
      if (isLost && isLossByBackendSetBack(error.loss))
        this.#epoch = Math.min(this.#epoch, error.loss.epoch);
      this.#flight = this.#settleInRescue();
    }
    await this.#flight;
  }

  /** Moves the records to the rescue directory, from the first write in it on. False when none can be opened. */
  async #settleInRescue(): Promise<boolean> {
    try {
      const files = await (this.#options.openRescue ?? openRescueDirectory)();
      await this.#files.close().catch(() => undefined);
      const { lineage, serial } = this.#draft;
      const base = { id: this.#options.createId(), lineage, serial, epoch: this.#epoch };
      this.#files = files;
      this.#journal = new Journal(files, base, { carried: '', older: [] });
      this.#isChanged = true;
      await this.#journal.rebase(() => this.#prepareSnapshot());
      this.#rescue = files.pathOf(stateFileNames.snapshot);
      return true;
    } catch {
      // The records are still in memory, and `compact` tries once more to save them.
      return false;
    }
  }

  async keepAside(): Promise<void> {
    const { failure } = this;
    if (failure instanceof LockLostError && isLossByBackendSetBack(failure.loss))
      await this.#flee(failure);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#journal.drain();
    await this.#files.close();
  }

  #prepareSnapshot(note?: StateVersionNote): JournalRebase | undefined {
    if (!this.#isChanged) return undefined;
    const { createId, version } = this.#options;
    const serial = this.snapshotSerial;
    const epoch = this.#epoch;
    const text = encodeSnapshot(
      { ...this.#draft, serial },
      { epoch, journalId: this.#journalId, ...(version !== undefined && { version }) },
    );
    const base = { id: createId(), lineage: this.#draft.lineage, serial, epoch };
    // Records that arrive while the snapshot is saved belong to the next one, and set this again.
    this.#isChanged = false;
    const save = async () => {
      const next = { text, serial, previousSerial: this.#draft.serial };
      // A rescue directory holds a single state, without former ones.
      await saveSnapshot(
        this.#files,
        next,
        this.#failure ? undefined : this.#options.history,
        note,
      );
      this.#draft.serial = serial;
      // The rescued snapshot names the journal that it leaves behind: copied back, it contains that journal's records.
      if (!this.#failure) this.#journalId = base.id;
    };
    return { save, base };
  }

  #refuseUnlessWritable(): void {
    if (this.#options.isReadOnly) throw new InternalError('The state was opened for reading only.');
    if (this.#isClosed) throw new InternalError('The state was closed before it was written to.');
  }
}

import type { StoredRun } from './run.ts';
import type { EncryptedBlobStore } from './blobs.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';
import {
  joinStepNotes,
  type StoredRunProgress,
  type RunStep,
  type RunStepNote,
} from './run-step.ts';

/** Progress of runs, and the times of their steps. Notes that come together are one encrypted text: they quote addresses. */
export class RunStepStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Keeps what an attempt has done since the last time. Where a later attempt has begun, it says how far the run is. */
  async add(
    { id, attempt }: Pick<StoredRun, 'id' | 'attempt'>,
    notes: readonly RunStepNote[],
    progress: StoredRunProgress,
  ): Promise<void> {
    if (notes.length > 0) {
      const text = await this.#blobs.add(Buffer.from(JSON.stringify(notes)));
      await this.#database.ask(
        `INSERT INTO ${serverDatabaseSchemaName}.run_steps (run, attempt, notes) VALUES ($1, $2, $3)`,
        [id, attempt, text],
      );
    }
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET progress = $3 WHERE id = $1 AND attempt = $2`,
      [id, attempt, JSON.stringify(progress)],
    );
  }

  /** The steps of a run, those of each attempt in the order in which they began. */
  async read(runId: string): Promise<readonly RunStep[]> {
    const rows = await this.#database.ask<{ attempt: number; notes: string }>(
      `SELECT attempt, notes FROM ${serverDatabaseSchemaName}.run_steps WHERE run = $1 ORDER BY part`,
      [runId],
    );
    const texts = await this.#blobs.readAll(rows.map(({ notes }) => notes));
    const byAttempt = new Map<number, RunStepNote[]>();
    for (const { attempt, notes } of rows) {
      const own = byAttempt.get(attempt) ?? [];
      byAttempt.set(attempt, own);
      for (const note of JSON.parse(texts.get(notes)?.toString('utf8') ?? '[]') as RunStepNote[])
        own.push(note);
    }
    return [...byAttempt].flatMap(([attempt, notes]) => joinStepNotes(attempt, notes));
  }
}

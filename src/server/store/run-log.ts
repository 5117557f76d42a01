import type { EncryptedBlobStore } from './blobs.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Source of a log line: standard output, standard error or the server itself. */
export type RunLogStream = 'output' | 'error' | 'server';

/** A line of a run's log, with its time and source. */
export interface NewRunLogLine {
  readonly stream: RunLogStream;
  readonly text: string;
}

/** A line of a run's log, with its number. */
export interface StoredRunLogLine extends NewRunLogLine {
  /** Number of the line, which grows from line to line. */
  readonly line: number;
  readonly at: Date;
}

/** Limit of a run's log: a stranger's configuration can make a run print without end. */
const maxLength = 4_000;
const maxPartLines = 1_000;
const pageParts = 20;

/**
 * Logs of runs, encrypted as they quote plans. Lines that are added together form one encrypted part. The number of a line
 * consists of that of its part and its position in it.
 */
export class RunLogStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Adds lines to a run's log, in their order. */
  async add(runId: string, lines: readonly NewRunLogLine[]): Promise<void> {
    for (let from = 0; from < lines.length; from += maxPartLines) {
      const part = lines
        .slice(from, from + maxPartLines)
        .map(({ stream, text }) => ({ stream, text: text.slice(0, maxLength) }));
      const blob = await this.#blobs.add(Buffer.from(JSON.stringify(part)));
      await this.#database.ask(
        `INSERT INTO ${serverDatabaseSchemaName}.run_log (run, lines) VALUES ($1, $2)`,
        [runId, blob],
      );
    }
  }

  /** Reads at most `most` last lines of a run that has ended. */
  async readEnd(runId: string, most: number): Promise<readonly string[]> {
    const rows = await this.#database.ask<{ part: string }>(
      `SELECT part FROM ${serverDatabaseSchemaName}.run_log WHERE run = $1 ORDER BY part DESC LIMIT ${pageParts - 1}`,
      [runId],
    );
    const first = Number(rows.at(-1)?.part ?? 0) * maxPartLines;
    return (await this.read(runId, first - 1)).slice(-most).map(({ text }) => text);
  }

  /** Reads the log lines after one, a few parts at a time; empty where there are none yet. */
  async read(runId: string, after: number): Promise<readonly StoredRunLogLine[]> {
    const rows = await this.#database.ask<{ part: string; at: Date; lines: string }>(
      `SELECT part, at, lines FROM ${serverDatabaseSchemaName}.run_log WHERE run = $1 AND part >= $2 ORDER BY part LIMIT ${pageParts}`,
      [runId, Math.floor(after / maxPartLines)],
    );
    const found: StoredRunLogLine[] = [];
    if (rows.length === 0) return found;
    const texts = await this.#blobs.readAll(rows.map(({ lines }) => lines));
    for (const { part, at, lines } of rows) {
      // The log may have been deleted meanwhile.
      const said = JSON.parse(texts.get(lines)?.toString('utf8') ?? '[]') as NewRunLogLine[];
      said.forEach((one, place) => {
        const line = Number(part) * maxPartLines + place;
        if (line > after) found.push({ line, at, ...one });
      });
    }
    return found;
  }
}

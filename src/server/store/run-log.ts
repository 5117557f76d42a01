import { schema, type ServerDatabase } from './database.ts';

/** Who said a line. */
export type LogStream = 'output' | 'error' | 'server';

/** A line of a run's log. */
export interface LogLine {
  readonly line: number;
  readonly at: Date;
  readonly stream: LogStream;
  readonly text: string;
}

/** What a stranger's configuration can make a run say is bounded. */
const maxLength = 4_000;
const pageSize = 1_000;

/** What the runs have said, line by line. */
export class RunLog {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Adds lines in their order, in one round trip. */
  async add(
    runId: string,
    lines: readonly { readonly stream: LogStream; readonly text: string }[],
  ): Promise<void> {
    if (lines.length === 0) return;
    // PostgreSQL keeps no zero character.
    const texts = lines.map(({ text }) => text.slice(0, maxLength).replaceAll('\0', ''));
    await this.#database.ask(
      `INSERT INTO ${schema}.run_log (run, stream, text)
       SELECT $1, stream, text FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS line (stream, text, place) ORDER BY place`,
      [runId, lines.map(({ stream }) => stream), texts],
    );
  }

  /** The lines behind one, a page at a time. */
  async read(runId: string, after: number): Promise<readonly LogLine[]> {
    const rows = await this.#database.ask<{
      line: string;
      at: Date;
      stream: LogStream;
      text: string;
    }>(
      `SELECT line, at, stream, text FROM ${schema}.run_log WHERE run = $1 AND line > $2 ORDER BY line LIMIT ${pageSize}`,
      [runId, after],
    );
    return rows.map((row) => ({ ...row, line: Number(row.line) }));
  }
}

// The sandbox's data: one SQLite file, read and written by typed rows. What a request has answered is on the
// disk before the answer leaves. Never spells a rule of the service.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

import { DiagnosticError } from '../../model/errors.ts';
import type { SandboxTable } from './rows.ts';
import { sandboxTables } from './rows.ts';
import { dataFileSchemaSql, sandboxDataFileVersion } from './schema.ts';
import { openDatabase } from './sqlite.ts';
import { SandboxDataFileError, SandboxDataFileWriteError } from './storage-errors.ts';

type Value = string | number | null;

/** Columns with the values that matching rows must have. */
export type SandboxRowMatch = Readonly<Record<string, Value>>;

/** A database with its tables, and the statements that were prepared on it. */
interface OpenDatabase {
  readonly database: DatabaseSyncInstance;
  readonly statements: Map<string, StatementSyncInstance>;
}

/**
 * Databases in memory that were emptied when their sandbox was closed. Making the tables and preparing the statements takes
 * longer than the requests of a small account, and a process opens hundreds of sandboxes: a rehearsal each, a test each.
 */
const emptied: OpenDatabase[] = [];
const mostEmptied = 8;

const inMemory = ':memory:';

export class SandboxStore {
  readonly #database: DatabaseSyncInstance;
  readonly #statements: Map<string, StatementSyncInstance>;
  readonly #isInMemory: boolean;
  #isClosed = false;

  /** Opens the file, making it when it is not there. Throws `SandboxDataFileError`. */
  constructor(file: string) {
    this.#isInMemory = file === inMemory;
    const spare = this.#isInMemory ? emptied.pop() : undefined;
    this.#statements = spare?.statements ?? new Map<string, StatementSyncInstance>();
    if (spare) {
      this.#database = spare.database;
      return;
    }
    try {
      this.#database = openDatabase(file);
    } catch (cause) {
      if (cause instanceof DiagnosticError) throw cause;
      throw SandboxDataFileError.because(`The sandbox cannot open its data file ${file}`, cause);
    }
    try {
      this.#database.exec('PRAGMA busy_timeout = 5000');
      this.#database.exec('PRAGMA journal_mode = WAL');
      this.#database.exec('PRAGMA synchronous = FULL');
      this.transaction(() => this.#prepareSchema(file));
    } catch (cause) {
      this.#database.close();
      if (cause instanceof SandboxDataFileError) throw cause;
      throw SandboxDataFileError.because(`The sandbox cannot use its data file ${file}`, cause);
    }
  }

  #prepareSchema(file: string): void {
    const found = this.#database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found.user_version === sandboxDataFileVersion) return;
    if (found.user_version !== 0) {
      throw new SandboxDataFileError(
        `The data file ${file} has version ${found.user_version}; this program knows version ${sandboxDataFileVersion}`,
        { hint: 'Give another directory, or delete this one to begin anew.' },
      );
    }
    this.#database.exec(dataFileSchemaSql);
    this.#database.exec(`PRAGMA user_version = ${sandboxDataFileVersion}`);
  }

  /** Runs `work` in one write transaction: all of it is kept, or nothing. Throws `SandboxDataFileWriteError`. */
  transaction<Result>(work: () => Result): Result {
    try {
      this.#prepare('BEGIN IMMEDIATE').run();
      const result = work();
      this.#prepare('COMMIT').run();
      return result;
    } catch (error) {
      // SQLite rolls back by itself when the disk is full, so there may be nothing to roll back.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw SandboxDataFileWriteError.from(error) ?? error;
    }
  }

  /** Runs `work` on one unchanging view of the data, although another process may write meanwhile. */
  reading<Result>(work: () => Result): Result {
    this.#prepare('BEGIN').run();
    try {
      return work();
    } finally {
      this.#prepare('COMMIT').run();
    }
  }

  /** Rows of one table; `clause` starts with WHERE, ORDER BY or LIMIT. */
  select<Row>(table: SandboxTable<Row>, clause: string, ...values: Value[]): Row[] {
    return this.#prepare(`SELECT * FROM ${table.name} ${clause}`).all(...values) as Row[];
  }

  /** Finds the first row with these values. */
  first<Row>(table: SandboxTable<Row>, where: SandboxRowMatch): Row | undefined {
    const { clause, values } = conditions(where);
    return this.#prepare(`SELECT * FROM ${table.name} ${clause} LIMIT 1`).get(...values) as
      Row | undefined;
  }

  /** Number of rows; only for conditions that an index makes small. */
  count(table: SandboxTable<unknown>, clause: string, ...values: Value[]): number {
    return this.number(`SELECT count(*) AS value FROM ${table.name} ${clause}`, ...values) ?? 0;
  }

  /** Reads the column `value` of a query's first row. */
  number(sql: string, ...values: Value[]): number | undefined {
    const row = this.#prepare(sql).get(...values) as { value: number } | undefined;
    return row?.value;
  }

  /** Inserts a row; the database itself assigns `seq`. */
  insert<Row extends object>(table: SandboxTable<Row>, row: Omit<Row, 'seq'>): void {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${places})`;
    this.#prepare(sql).run(...Object.values(row));
  }

  update<Row extends object>(
    table: SandboxTable<Row>,
    where: SandboxRowMatch,
    changes: Partial<Row>,
  ): void {
    const columns = Object.keys(changes);
    if (columns.length === 0) return;
    const { clause, values } = conditions(where);
    const assignments = columns.map((column) => `${column} = ?`).join(', ');
    const sql = `UPDATE ${table.name} SET ${assignments} ${clause}`;
    this.#prepare(sql).run(...Object.values(changes), ...values);
  }

  delete(table: SandboxTable<unknown>, where: SandboxRowMatch): void {
    const { clause, values } = conditions(where);
    this.#prepare(`DELETE FROM ${table.name} ${clause}`).run(...values);
  }

  /** The next number of a series, from 1; never the same twice in the life of the file. */
  next(series: string): number {
    const sql = `INSERT INTO counters VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`;
    const value = this.number(sql, series);
    if (value === undefined) throw new Error(`The series ${series} gave no number.`);
    return value;
  }

  /** A count kept by the triggers, e.g. ('account', 'networks') or (projectId, 'vms'). */
  tally(owner: string, kind: string): number {
    return this.first(sandboxTables.tallies, { owner, kind })?.amount ?? 0;
  }

  /** Reads the counters of an owner, by name. */
  tallies(owner: string): ReadonlyMap<string, number> {
    const rows = this.select(sandboxTables.tallies, 'WHERE owner = ?', owner);
    return new Map(rows.map(({ kind, amount }) => [kind, amount]));
  }

  setting(name: string): string | undefined {
    return this.first(sandboxTables.settings, { name })?.value;
  }

  keepSetting(name: string, value: string): void {
    this.delete(sandboxTables.settings, { name });
    this.insert(sandboxTables.settings, { name, value });
  }

  close(): void {
    if (this.#isClosed) return;
    const isKept = this.#isInMemory && emptied.length < mostEmptied && this.#database.isOpen;
    if (isKept) {
      this.#empty();
      emptied.push({ database: this.#database, statements: this.#statements });
    } else if (this.#database.isOpen) {
      this.#statements.clear();
      if (!this.#isInMemory) this.#foldIn();
      this.#database.close();
    }
    this.#isClosed = true;
  }

  /**
   * Writes all into the file itself, and removes what SQLite keeps beside it while it is open. Closing does that only once no
   * statement is left, and the library leaves them to the garbage collector: files would go away at any moment after it.
   */
  #foldIn(): void {
    this.#database.exec('PRAGMA busy_timeout = 0');
    try {
      this.#database.exec('PRAGMA journal_mode = DELETE');
    } catch {
      // Another process has it open, and folds it in; or the disk is full, and the log beside the file stays for the next one.
    }
  }

  /** Leaves the tables as the schema makes them: the counts that triggers keep go last, and so do the numbers of rows. */
  #empty(): void {
    const { tallies, ...others } = sandboxTables;
    this.transaction(() => {
      for (const { name } of [...Object.values(others), tallies]) {
        this.#prepare(`DELETE FROM ${name}`).run();
      }
      this.#prepare('DELETE FROM sqlite_sequence').run();
    });
  }

  #prepare(sql: string): StatementSyncInstance {
    if (this.#isClosed) throw new Error('The sandbox is closed.');
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function conditions(where: SandboxRowMatch): { clause: string; values: Value[] } {
  const entries = Object.entries(where);
  if (entries.length === 0) throw new Error('A condition is needed.');
  const clause = entries
    .map(([column, value]) => `${column} ${value === null ? 'IS' : '='} ?`)
    .join(' AND ');
  return { clause: `WHERE ${clause}`, values: entries.map(([, value]) => value) };
}

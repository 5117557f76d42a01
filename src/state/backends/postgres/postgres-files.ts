// The texts of a state in PostgreSQL. Each write is one statement, which first touches the row of the lock: where that is
// another's by now, it finds no row and writes nothing, and a takeover waits for the end of a write that came first.
import { InternalError } from '../../../model/errors.ts';
import { isFileName, type FileName, type StateFiles } from '../../files/files.ts';
import type { HeldRow } from './held-row.ts';
import type { PostgresState } from './postgres-state.ts';

/** The texts of a state, written through the row of its lock; without one, only read. */
export class PostgresFiles implements StateFiles {
  readonly #state: PostgresState;
  readonly #row: HeldRow | undefined;

  constructor(state: PostgresState, row: HeldRow | undefined) {
    this.#state = state;
    this.#row = row;
  }

  pathOf(name: FileName): string {
    return `${this.#state.place}: ${name}`;
  }

  async list(): Promise<readonly FileName[]> {
    const { database, statements, name } = this.#state;
    const rows = await database.look(statements.list, [name]);
    return rows.map((row) => row.name ?? '').filter(isFileName);
  }

  async read(file: FileName): Promise<string | undefined> {
    const { database, statements, name } = this.#state;
    const rows = await database.look(statements.read, [name, file]);
    return rows.length === 0 ? undefined : rows.map(({ text }) => text).join('');
  }

  async replace(file: FileName, text: string): Promise<void> {
    await this.#held.write('replace', file, text);
  }

  async append(file: FileName, text: string): Promise<void> {
    await this.#held.write('append', file, text);
  }

  async remove(file: FileName): Promise<void> {
    await this.#held.write('remove', file);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get #held(): HeldRow {
    if (this.#row) return this.#row;
    throw new InternalError('The state was opened without its lock.');
  }
}

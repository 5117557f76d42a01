// What PostgreSQL answers to the statements of the backend, as values: the tables of one schema in memory. Each statement is
// done at once and whole. The contract of backends runs on it and on a real server alike.
import type { DatabaseResultRow } from '../../../src/state/backends/postgres/database.ts';
import { buildStateTableStatements } from '../../../src/state/backends/postgres/statements.ts';
import { nameStateTables } from '../../../src/state/backends/postgres/tables.ts';

interface StateRow {
  epoch: number;
  lock_id: string | null;
  lock_info: string | null;
  beat: number;
  writes: number;
  beatAt: number;
}

/** The tables of one schema. */
export interface PostgresTables {
  /** False before somebody made them. */
  isMade: boolean;
  /** By the name of a state. */
  readonly states: Map<string, StateRow>;
  /** By the name of a state, that of a text and the number of a part. */
  readonly texts: Map<string, Map<string, Map<number, string>>>;
}

/** What a statement fails with. */
export class SqlError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The schema of the double. */
export const schema = 'hostwright';

const statements = buildStateTableStatements(nameStateTables(schema));
type Name = keyof typeof statements;
const nameOf = new Map<string, Name>(
  Object.entries(statements).map(([name, text]) => [text, name as Name]),
);

type Value = string | number | null;

/** Tables that nobody has made. */
export function openTables(): PostgresTables {
  return { isMade: false, states: new Map(), texts: new Map() };
}

/** Takes a copy of all tables; what it returns puts that back, as a failover to a copy or a restore does. */
export function copyTables(tables: PostgresTables): () => void {
  const kept = structuredClone({ states: tables.states, texts: tables.texts });
  return () => {
    const { states, texts } = structuredClone(kept);
    tables.states.clear();
    tables.texts.clear();
    for (const [name, row] of states) tables.states.set(name, row);
    for (const [name, files] of texts) tables.texts.set(name, files);
  };
}

/** The row of a state that nobody has locked. */
export function makeRow(epoch: number, now: number): StateRow {
  return { epoch, lock_id: null, lock_info: null, beat: 0, writes: 0, beatAt: now };
}

/** Does a statement. @throws SqlError */
export function answerAsPostgres(
  tables: PostgresTables,
  statement: string,
  values: readonly Value[],
  now: number,
): readonly DatabaseResultRow[] {
  if (statement.startsWith('CREATE')) {
    tables.isMade ||= statement.includes('.texts ');
    return [];
  }
  const name = nameOf.get(statement);
  if (!name) throw new SqlError('42601', `syntax error in ${statement}`);
  if (name === 'readTime') return [{ now: String(now) }];
  if (!tables.isMade) throw new SqlError('42P01', 'relation "states" does not exist');
  return name === 'list' || name === 'read'
    ? readTexts(tables, name, values)
    : name === 'replace' || name === 'append' || name === 'remove'
      ? write(tables, name, values, now)
      : changeLock(tables, name, values, now);
}

function readTexts(
  { texts }: PostgresTables,
  name: 'list' | 'read',
  [state, file]: readonly Value[],
): readonly DatabaseResultRow[] {
  const files = texts.get(String(state));
  if (name === 'list') return [...(files?.keys() ?? [])].map((one) => ({ name: one }));
  const parts = files?.get(String(file)) ?? new Map<number, string>();
  return [...parts].sort(([left], [right]) => left - right).map(([, text]) => ({ text }));
}

function changeLock(
  { states }: PostgresTables,
  name: Exclude<Name, 'readTime' | 'list' | 'read' | 'replace' | 'append' | 'remove'>,
  [state, id = null, second = null, ...found]: readonly Value[],
  now: number,
): readonly DatabaseResultRow[] {
  const row = states.get(String(state));
  if (name === 'makeLock' && !row) states.set(String(state), makeRow(0, now));
  if (name === 'makeLock' || !row) return [];
  switch (name) {
    case 'readLock':
      return [
        {
          ...{ lock_id: row.lock_id, lock_info: row.lock_info, epoch: String(row.epoch) },
          ...{ beat: String(row.beat), writes: String(row.writes), beat_ms: String(row.beatAt) },
        },
      ];
    case 'takeLock': {
      const [epoch, beat, holder] = found;
      if (row.epoch !== Number(epoch) || row.beat !== Number(beat)) return [];
      if (row.lock_id !== holder) return [];
      Object.assign(row, { lock_id: id, lock_info: second, beatAt: now });
      row.epoch += 1;
      row.beat += 1;
      return [{ epoch: String(row.epoch) }];
    }
    case 'renewLock':
    case 'releaseLock': {
      const [confirmed] = found;
      if (row.lock_id !== id || row.epoch !== Number(second)) return [];
      if (row.writes < Number(confirmed)) return [];
      row.beat += 1;
      if (name === 'releaseLock') row.lock_id = null;
      else row.beatAt = now;
      return [{ name: String(state) }];
    }
    case 'emptyLock':
      if (row.lock_id !== id) return [];
      row.lock_id = null;
      row.beat += 1;
      return [];
  }
}

function write(
  { states, texts }: PostgresTables,
  name: 'replace' | 'append' | 'remove',
  [state, id, epoch, number, confirmed, file, text]: readonly Value[],
  now: number,
): readonly DatabaseResultRow[] {
  const row = states.get(String(state));
  const isHeld = row?.lock_id === id && row?.epoch === Number(epoch);
  const isDue = row && row.writes >= Number(confirmed) && row.writes < Number(number);
  if (!isHeld || !isDue) return [{ held: '0' }];
  Object.assign(row, { writes: Number(number), beatAt: now });
  row.beat += 1;
  const files = texts.get(String(state)) ?? new Map<string, Map<number, string>>();
  texts.set(String(state), files);
  const parts = files.get(String(file)) ?? new Map<number, string>();
  if (name === 'append') parts.set(Number(number), String(text));
  if (name === 'append') files.set(String(file), parts);
  if (name === 'replace') files.set(String(file), new Map([[0, String(text)]]));
  if (name === 'remove') files.delete(String(file));
  return [{ held: '1' }];
}

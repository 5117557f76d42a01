// States in PostgreSQL for runs that reach them by Terraform's http protocol through Hostwright's server: read, written and
// locked as one document. The lock lasts until it is released, since that protocol knows no heartbeats. Everything else is as
// for runs with a connection to the database: one lock, one epoch, one order of writes.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../model/runtime.ts';
import {
  stateFileNames,
  parseHistorySerial,
  isStateFileName,
  type StateFileName,
} from '../../files/files.ts';
import { decodeLockInfo, type LockInfo } from '../../lock/lock-info.ts';
import { parseLockHolder } from '../http/lock-holder-info.ts';
import { decodeStateDocument, encodeStateDocument } from '../http/state-document.ts';
import { PostgresDatabase, type ConnectionPool, type DatabaseResultRow } from './database.ts';
import { PostgresLock } from './postgres-lock.ts';
import { readLockRow, type PostgresState } from './postgres-state.ts';
import { buildStateTableStatements } from './statements.ts';
import { nameStateTables, type StateTableNames } from './tables.ts';

/** Database and schema with the states that a gateway serves. */
export interface StateGatewayOptions {
  readonly openPool: () => Promise<ConnectionPool>;
  readonly schema: string;
  /** Name of the database for messages. */
  readonly place: string;
  readonly clock: Clock;
}

/** Result of a request: done, or refused because another run has the lock; `holder` is its lock info. */
export type StateGatewayOutcome =
  { readonly kind: 'done' } | { readonly kind: 'refused'; readonly holder: LockInfo | undefined };

/** Gateway of the team server to the states of one database schema. Operations reject with a BackendError. */
export interface StateGateway {
  /** Reads the document of a state; undefined where there is none. */
  read(name: string): Promise<string | undefined>;
  /** Puts a document in place of the one before, under the lock with this id. */
  write(name: string, text: string, lockId: string): Promise<StateGatewayOutcome>;
  lock(name: string, wanted: LockInfo): Promise<StateGatewayOutcome>;
  /** Releases a lock that this gateway has taken, and no other lock. */
  unlock(name: string, id: string): Promise<StateGatewayOutcome>;
  close(): Promise<void>;
}

/** Info of a lock that was taken through the server's gateway. */
interface GatewayInfo extends LockInfo {
  readonly Gateway: true;
}

/** Serial of a state that was never written: always one more than the number of its writes. */
const firstSerial = 1;

interface GatewayState extends PostgresState {
  readonly statements: PostgresState['statements'] & ReturnType<typeof describeGatewayStatements>;
}

/** Opens the gateway to the states of a schema; nothing is sent yet. */
export function openStateGateway({
  openPool,
  schema,
  place,
  clock,
}: StateGatewayOptions): StateGateway {
  const database = new PostgresDatabase({ openPool, place, clock });
  const tables = nameStateTables(schema);
  const statements = { ...buildStateTableStatements(tables), ...describeGatewayStatements(tables) };
  const stateOf = (name: string): GatewayState => ({
    database,
    tables,
    statements,
    name,
    place: `${place}, state ${name}`,
  });
  return {
    read: (name) => readState(stateOf(name)),
    write: (name, text, lockId) => writeState(stateOf(name), text, lockId),
    lock: (name, wanted) => lockState(stateOf(name), wanted),
    unlock: (name, id) => unlockState(stateOf(name), id),
    close: () => database.close(),
  };
}

async function readState(state: GatewayState): Promise<string | undefined> {
  const { database, statements, name } = state;
  const [row] = await database.look(statements.readWhole, [name]);
  const all = Object.entries(JSON.parse(row?.files ?? '{}') as Readonly<Record<string, string>>);
  const files = new Map(all.filter((one): one is [StateFileName, string] => isShared(one[0])));
  if (!row) return undefined;
  const epoch = Number(row.epoch) - (row.lock_id === null ? 0 : 1);
  const unknown = { ID: 'unknown', Operation: 'unknown', Info: '', Who: 'unknown', Version: '' };
  return encodeStateDocument({
    serial: Number(row.writes) + firstSerial,
    lineage: nameLineage(name),
    // A run that has just taken the lock counts on from this serial, and gets the epoch of the lock.
    epoch: Math.max(1, epoch),
    writer: parseLockHolder(row.lock_info ?? undefined) ?? {
      ...unknown,
      Created: '',
      Path: '',
      Pid: 0,
      Host: 'unknown',
      Realm: 'unknown',
    },
    files,
  });
}

async function writeState(
  state: GatewayState,
  text: string,
  lockId: string,
): Promise<StateGatewayOutcome> {
  const { serial, files } = decodeStateDocument(text, 'The body');
  const shared = [...files].filter(([name]) => isShared(name));
  const { database, statements, name } = state;
  const number = serial - firstSerial;
  const values = [name, lockId, number, JSON.stringify(Object.fromEntries(shared))];
  const [written] = await database.ask(statements.writeWhole, values);
  if (written?.held === '1') return { kind: 'done' };
  const row = await readLockRow(state);
  // The write had arrived before, and only its answer was lost.
  if (row?.lock_id === lockId && isOfGateway(row) && Number(row.writes) === number)
    return { kind: 'done' };
  return refuse(row);
}

async function lockState(state: PostgresState, wanted: LockInfo): Promise<StateGatewayOutcome> {
  const info: GatewayInfo = { ...wanted, Kept: true, Gateway: true };
  const taking = await new PostgresLock(state).take(info, () => false);
  return taking.kind === 'taken' ? { kind: 'done' } : refuse(await readLockRow(state));
}

async function unlockState(state: PostgresState, id: string): Promise<StateGatewayOutcome> {
  const row = await readLockRow(state);
  if (row?.lock_id !== id || !isOfGateway(row)) return refuse(row);
  await new PostgresLock(state).clear(id);
  return { kind: 'done' };
}

/**
 * The refusal that names the holder of a row. A lock of the gateway is stored as kept, since it has no heartbeats; no person
 * keeps it, so it is shown as a run's, and the asking run judges the holder's process.
 */
function refuse(row: DatabaseResultRow | undefined): StateGatewayOutcome {
  if (typeof row?.lock_id !== 'string') return { kind: 'refused', holder: undefined };
  const info = decodeLockInfo(row.lock_info ?? '');
  const shown = info && isOfGateway(row) ? { ...info, Kept: false } : info;
  return { kind: 'refused', holder: parseLockHolder(JSON.stringify(shown)) };
}

function isOfGateway(row: DatabaseResultRow): boolean {
  const info = decodeLockInfo(row.lock_info ?? '') as Partial<GatewayInfo> | undefined;
  return info?.Gateway === true;
}

/** Tells whether a text is part of the document. Former states stay in the database: they would only make each write larger. */
function isShared(name: string): name is StateFileName {
  return isStateFileName(name) && !isKeptBack(name);
}

function isKeptBack(name: string): boolean {
  const { backup, history } = stateFileNames;
  return name === backup || name === history || parseHistorySerial(name) !== undefined;
}

/** Lineage in a document, which must never change. A state in the database is known by its name. */
function nameLineage(name: string): string {
  const digits = createHash('sha256').update(`hostwright state ${name}`).digest('hex');
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

// The statements of a gateway: each reads or writes a whole state at once. Each may be made twice, and may arrive late.

/** The statements for the tables of a schema; `$1` is the name of the state. */
function describeGatewayStatements({ states, texts }: StateTableNames) {
  return {
    /** The whole state at one moment: the row of its lock, and all texts as one object of JSON. */
    readWhole: `SELECT lock_id, lock_info, epoch::text, writes::text, (
        SELECT json_object_agg(name, text)::text FROM (SELECT name, string_agg(text, '' ORDER BY part) AS text
          FROM ${texts} WHERE state = $1 GROUP BY name) whole) AS files
      FROM ${states} WHERE name = $1`,
    /**
     * Statement with the lock as `$2`, the number of the write as `$3`, and all texts as one object of JSON as `$4`.
     * Former states stay. The id of a lock is no secret: a lock that the gateway did not take gives no right to write.
     */
    writeWhole: `WITH held AS (UPDATE ${states} SET beat = beat + 1, beat_at = clock_timestamp(), writes = $3::bigint
        WHERE name = $1 AND lock_id = $2 AND lock_info::json ->> 'Gateway' = 'true' AND writes < $3::bigint RETURNING name),
      given AS (SELECT key AS name, value AS text FROM json_each_text($4::json)),
      gone AS (DELETE FROM ${texts} USING held WHERE ${texts}.state = held.name
        AND ${texts}.name <> ALL (ARRAY['state.json.backup', 'history.json']) AND ${texts}.name NOT LIKE 'history/%'
        AND (part > 0 OR ${texts}.name NOT IN (SELECT name FROM given))),
      written AS (INSERT INTO ${texts} AS old (state, name, part, text)
        SELECT held.name, given.name, 0, given.text FROM held CROSS JOIN given
        ON CONFLICT (state, name, part) DO UPDATE SET text = excluded.text WHERE old.text IS DISTINCT FROM excluded.text)
      SELECT count(*)::text AS held FROM held`,
  } as const;
}

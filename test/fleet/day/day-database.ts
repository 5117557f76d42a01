// PostgreSQL with the time of the day: what asks it for the time gets that of the clock. Each worker is a user of its own, so
// that all of its connections can be cut at once.
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { migrateServerTables } from '../../../src/server/database/migrations/migrate.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';
import { DayClock } from './day-clock.ts';

const startMs = Date.UTC(2026, 2, 28);

/** Functions of PostgreSQL by other ones of the same name. A search path that has them first makes all the difference. */
const takeTime = `
  CREATE SCHEMA fleet;
  CREATE TABLE fleet.moment (at timestamptz NOT NULL);
  INSERT INTO fleet.moment VALUES (to_timestamp(${startMs / 1_000}));
  CREATE FUNCTION fleet.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM fleet.moment';
  CREATE FUNCTION fleet.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM fleet.moment';
  ALTER DATABASE postgres SET search_path = fleet, pg_catalog, public;`;

/** PostgreSQL, and its clock. */
export interface DayDatabase {
  readonly postgres: PostgresServer;
  readonly clock: DayClock;
  /** For whoever watches. */
  readonly database: ServerDatabase;
  /** Connections of a worker, by a user of its own. */
  connect(user: string): Promise<ServerDatabase>;
  /** Ends all connections of a worker in the middle of whatever they do. */
  cut(user: string): Promise<void>;
  /** PostgreSQL ends in the middle of whatever it does, and begins again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it. */
export async function openDayDatabase(): Promise<DayDatabase> {
  // Nothing of it is read again once the day is over.
  const postgres = await startPostgres(['synchronous_commit=off', 'max_connections=300']);
  const first = await openServerDatabase(postgres.url);
  await first.ask(takeTime).finally(() => first.close());
  const plain = await openServerDatabase(postgres.url);
  await migrateServerTables(plain);
  const clock = new DayClock(startMs, async (nowMs) => {
    await plain.ask('UPDATE fleet.moment SET at = to_timestamp($1)', [nowMs / 1_000]);
  });
  return {
    ...{ postgres, clock, database: holdTime(plain, clock) },
    connect: (user) =>
      clock.hold(async () => {
        await plain.ask(`CREATE ROLE ${user} LOGIN SUPERUSER PASSWORD 'secret'`);
        const url = new URL(postgres.url);
        url.username = user;
        return holdTime(await openServerDatabase(url.href), clock);
      }),
    cut: (user) =>
      clock.hold(async () => {
        await plain.ask(`ALTER ROLE ${user} NOLOGIN`);
        await plain.ask(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
          [user],
        );
      }),
    restart: () =>
      clock.hold(async () => {
        await postgres.stop();
        await postgres.start();
      }),
    async close() {
      await plain.close();
      await postgres.close();
    },
  };
}

/** A statement takes no time of the day. */
const holdTime = (database: ServerDatabase, clock: DayClock): ServerDatabase => ({
  place: database.place,
  ask: (statement, values) => clock.hold(() => database.ask(statement, values)),
  transact: (work) => clock.hold(() => database.transact(work)),
  connect: () => clock.hold(() => database.connect()),
  ping: (withinMs) => clock.hold(() => database.ping(withinMs)),
  close: () => database.close(),
});

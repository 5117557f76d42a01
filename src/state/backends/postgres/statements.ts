// Every statement about the tables, by name. Each may be made twice, and may arrive late: each change names the values that
// it expects.
import type { StateTableNames } from './tables.ts';

const moment = '(extract(epoch FROM beat_at) * 1000)::text AS beat_ms';

/** SQL statements for one state; `$1` is its name in each but `readTime`, which takes no values. */
export type StateTableStatements = ReturnType<typeof buildStateTableStatements>;

/** Writes the SQL statements for the tables of a schema. */
export function buildStateTableStatements({ states, texts }: StateTableNames) {
  // Condition of every change: the lock is held, all writes confirmed to this holder are stored, and none of its later ones is.
  const held = `held AS (UPDATE ${states} SET beat = beat + 1, beat_at = clock_timestamp(), writes = $4::bigint
    WHERE name = $1 AND lock_id = $2 AND epoch = $3 AND writes >= $5::bigint AND writes < $4::bigint RETURNING name)`;
  const write = (change: string) =>
    `WITH ${held}, ${change} SELECT count(*)::text AS held FROM held`;
  return {
    readTime: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS now',
    /** The lock, its present or last holder, and the number of the last write. */
    readLock: `SELECT lock_id, lock_info, epoch::text, beat::text, writes::text, ${moment}
      FROM ${states} WHERE name = $1`,
    makeLock: `INSERT INTO ${states} (name) VALUES ($1) ON CONFLICT DO NOTHING`,
    /**
     * Statement with the new lock as `$2` and `$3`, and the epoch, the beat and the lock that were found as `$4`, `$5`
     * and `$6`.
     */
    takeLock: `UPDATE ${states}
      SET lock_id = $2, lock_info = $3, epoch = epoch + 1, beat = beat + 1, beat_at = clock_timestamp()
      WHERE name = $1 AND epoch = $4 AND beat = $5 AND lock_id IS NOT DISTINCT FROM $6
      RETURNING epoch::text`,
    /** Statement with the lock as `$2`, its epoch as `$3`, and the number of the last confirmed write as `$4`. */
    renewLock: `UPDATE ${states} SET beat = beat + 1, beat_at = clock_timestamp()
      WHERE name = $1 AND lock_id = $2 AND epoch = $3 AND writes >= $4::bigint RETURNING name`,
    /** Takes the same values as `renewLock`. */
    releaseLock: `UPDATE ${states} SET lock_id = NULL, beat = beat + 1
      WHERE name = $1 AND lock_id = $2 AND epoch = $3 AND writes >= $4::bigint RETURNING name`,
    emptyLock: `UPDATE ${states} SET lock_id = NULL, beat = beat + 1 WHERE name = $1 AND lock_id = $2`,
    list: `SELECT DISTINCT name FROM ${texts} WHERE state = $1`,
    /** Takes the name of the text as `$2`. */
    read: `SELECT text FROM ${texts} WHERE state = $1 AND name = $2 ORDER BY part`,
    // `$2` and `$3` are the lock and its epoch, `$4` the number of the write, `$5` that of the last one that was confirmed, `$6`
    // the name of the text, `$7` the text.
    replace: write(
      `rest AS (DELETE FROM ${texts} USING held
        WHERE ${texts}.state = held.name AND ${texts}.name = $6 AND part > 0),
      written AS (INSERT INTO ${texts} (state, name, part, text) SELECT held.name, $6, 0, $7 FROM held
        ON CONFLICT (state, name, part) DO UPDATE SET text = excluded.text)`,
    ),
    append: write(
      `written AS (INSERT INTO ${texts} (state, name, part, text) SELECT held.name, $6, $4::bigint, $7 FROM held)`,
    ),
    remove: write(
      `written AS (DELETE FROM ${texts} USING held WHERE ${texts}.state = held.name AND ${texts}.name = $6)`,
    ),
  } as const;
}

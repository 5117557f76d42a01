// The statements of a gateway: each reads or writes a whole state at once. Each may be made twice, and may arrive late.
import type { Tables } from './tables.ts';

/** The statements for the tables of a schema; `$1` is the name of the state. */
export function describeGatewayStatements({ states, texts }: Tables) {
  return {
    /** The whole state at one moment: the row of its lock, and all texts as one object of JSON. */
    readWhole: `SELECT lock_id, lock_info, epoch::text, writes::text, (
        SELECT json_object_agg(name, text)::text FROM (SELECT name, string_agg(text, '' ORDER BY part) AS text
          FROM ${texts} WHERE state = $1 GROUP BY name) whole) AS files
      FROM ${states} WHERE name = $1`,
    /**
     * `$2` is the lock, `$3` the number of the write, `$4` all texts as one object of JSON. Former states stay. The id of a
     * lock is no secret: a lock that the gateway did not take gives no right to write.
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

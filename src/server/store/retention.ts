// Deletion of old rows: drift checks that found nothing new, the details of old runs, and encrypted texts without an owner.
// It goes in batches, each of them a short transaction that waits for nobody.
import {
  serverDatabaseSchemaName,
  transactExclusively,
  type ServerDatabase,
} from '../database/database.ts';
import { advisoryLockKeys } from '../database/lock-keys.ts';
import type { ServerSettingStore } from './settings.ts';

/** Position in a walk through rows that are ordered by time. */
interface RetentionCursor {
  readonly at: string;
  /** Key that orders rows of the same time. */
  readonly key: string;
}

/** Start of a walk through runs: before the oldest. */
const firstRun: RetentionCursor = { at: '-infinity', key: '0' };

/** Start of the next batch of a walk, and whether it is due now. */
interface Place {
  readonly next: RetentionCursor;
  readonly isMore: boolean;
}

interface OldRun extends Record<string, unknown> {
  readonly id: string;
  readonly at: string;
  readonly key: string;
  readonly is_kept: boolean;
}

const driftBatch = 1_000;
/** Number of runs whose details are deleted at a time, as one log may have hundreds of parts. */
const detailsBatch = 100;
const textBatch = 2_000;
/** Settings that have the places of the walks: one goes on where it was left, past what is kept. */
const places = { texts: 'texts-swept', drift: 'drift-swept', details: 'details-swept' };
/** Setting that says when the details of all old runs were looked at last. */
const sweptAtSetting = 'details-swept-at';
const noText: RetentionCursor = { at: '-infinity', key: '00000000-0000-0000-0000-000000000000' };

/** Columns that refer to encrypted texts: what none of them names can be deleted. */
export const encryptedTextReferences: readonly (readonly [table: string, column: string])[] = [
  ['workspaces', 'variables'],
  ['variable_sets', 'variables'],
  ['runs', 'plan_file'],
  ['run_log', 'lines'],
  ['run_steps', 'notes'],
  ['run_reports', 'page'],
  ['run_reports', 'differences'],
  ['run_reports', 'approved'],
  ['connections', 'secrets'],
  ['run_comments', 'body'],
  ['workspace_outputs', 'outputs'],
  ['message_targets', 'secrets'],
  ['sessions', 'id_token'],
];

/** Deletes old data from the server's database. */
export class RetentionStore {
  readonly #database: ServerDatabase;
  readonly #settings: ServerSettingStore;

  constructor(database: ServerDatabase, settings: ServerSettingStore) {
    this.#database = database;
    this.#settings = settings;
  }

  /**
   * Deletes drift checks that ended `keptHours` ago or earlier. Those are kept by which drift began, changed or ended, and of
   * each workspace the last run and the last check with a result, from which its status follows.
   * @returns whether more are left
   */
  deleteDriftChecks(keptHours: number): Promise<boolean> {
    return this.#walk(places.drift, firstRun, async (after) => {
      const found = await this.#database.ask<OldRun>(oldDrift, [after.at, after.key, keptHours]);
      const ids = [found.filter(({ is_kept: isKept }) => !isKept).map(({ id }) => id)];
      for (const table of ['run_log', 'run_steps', 'run_reports', 'run_comments'])
        await this.#database.ask(
          `DELETE FROM ${serverDatabaseSchemaName}.${table} WHERE run = ANY ($1)`,
          ids,
        );
      await this.#database.ask(
        `DELETE FROM ${serverDatabaseSchemaName}.runs WHERE id = ANY ($1)`,
        ids,
      );
      return continueFrom(found, driftBatch);
    });
  }

  /**
   * Deletes the logs, saved plans, pages and comments of runs that ended `keptDays` ago or earlier; the runs stay. Of each
   * workspace, the last run, the last plan, and the run that its status follows from are spared.
   * @returns whether more are left
   */
  deleteDetails(keptDays: number): Promise<boolean> {
    return this.#walk(places.details, firstRun, async (after) => {
      const found = await this.#database.ask<OldRun>(oldDetails, [after.at, after.key, keptDays]);
      const ids = found.filter(({ is_kept: isKept }) => !isKept).map(({ id }) => id);
      for (const table of ['run_log', 'run_steps', 'run_comments'])
        await this.#database.ask(
          `DELETE FROM ${serverDatabaseSchemaName}.${table} WHERE run = ANY ($1)`,
          [ids],
        );
      // The counts of changes are kept, as part of the history.
      await this.#database.ask(
        `UPDATE ${serverDatabaseSchemaName}.run_reports SET page = NULL, differences = NULL, approved = NULL WHERE run = ANY ($1)`,
        [ids],
      );
      await this.#database.ask(
        `UPDATE ${serverDatabaseSchemaName}.runs SET plan_file = NULL, details_deleted_at = clock_timestamp(), details_kept_days = $2
         WHERE id = ANY ($1)`,
        [ids, keptDays],
      );
      const place = continueFrom(found, detailsBatch);
      if (!place.isMore) await this.#settings.write(sweptAtSetting, new Date().toISOString());
      return place;
    });
  }

  /**
   * Deletes encrypted texts that nothing refers to a day after they were added, as when a server was killed in between. A text
   * with an owner goes with its owner, so each is looked at once.
   * @returns whether more are left
   */
  deleteLostTexts(): Promise<boolean> {
    return this.#walk(places.texts, noText, async (after) => {
      const found = await this.#database.ask<
        RetentionCursor & { id: string } & Record<string, unknown>
      >(
        `SELECT id, added_at::text AS at, id::text AS key FROM ${serverDatabaseSchemaName}.blobs
         WHERE (added_at, id) > ($1::timestamptz, $2::uuid)
           AND added_at < (SELECT clock_timestamp() - interval '1 day') ORDER BY added_at, id LIMIT ${textBatch}`,
        [after.at, after.key],
      );
      await this.#database.ask(lostTexts, [found.map(({ id }) => id)]);
      return { next: found.at(-1) ?? after, isMore: found.length === textBatch };
    });
  }

  /** When the details of all old runs were looked at last; undefined before that. */
  readSweptAt(): Promise<string | undefined> {
    return this.#settings.read(sweptAtSetting);
  }

  /** Does the next batch of a walk. @returns whether more are left; false where another process is at it */
  async #walk(
    setting: string,
    start: RetentionCursor,
    batch: (after: RetentionCursor) => Promise<Place>,
  ): Promise<boolean> {
    const isMore = await transactExclusively(
      this.#database,
      advisoryLockKeys.retention,
      async () => {
        const kept = await this.#settings.read(setting);
        const place = await batch(
          kept === undefined ? start : (JSON.parse(kept) as RetentionCursor),
        );
        const { at, key } = place.next;
        await this.#settings.write(setting, JSON.stringify({ at, key }));
        return place.isMore;
      },
    );
    return isMore === true;
  }
}

/** A walk that has come to its end begins again: what was kept may be kept no longer. */
function continueFrom(found: readonly OldRun[], batch: number): Place {
  const last = found.length === batch ? found.at(-1) : undefined;
  return { next: last ?? firstRun, isMore: last !== undefined };
}

const isLastOfWorkspace = `EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workspaces w
  WHERE w.id = r.workspace AND (w.last_run = r.id OR w.settled_run = r.id))`;

/** The moment is a query of its own, so that it is asked for once, and an index finds what is older. */
const oldDrift = `SELECT id, ended_at::text AS at, number::text AS key,
    ${isLastOfWorkspace}
    OR EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.drift_episodes e WHERE e.run = r.id)
    OR EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.drift_episodes e WHERE e.ended_by = r.id)
    OR NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs newer WHERE newer.workspace = r.workspace AND newer.number > r.number
      AND newer.operation = 'drift' AND newer.status IN ('succeeded', 'failed')) AS is_kept
  FROM ${serverDatabaseSchemaName}.runs r
  WHERE operation = 'drift' AND (ended_at, number) > ($1::timestamptz, $2::bigint)
    AND ended_at < (SELECT clock_timestamp() - $3 * interval '1 hour')
  ORDER BY ended_at, number LIMIT ${driftBatch}`;

/** A plan whose apply is under way keeps its file, and so does a run whose comment is not written yet. */
const oldDetails = `SELECT id, ended_at::text AS at, number::text AS key,
    ${isLastOfWorkspace}
    OR (operation = 'plan' AND status = 'succeeded' AND pull_number IS NULL AND plan_file IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs newer WHERE newer.workspace = r.workspace AND newer.number > r.number
        AND newer.operation = 'plan' AND newer.status = 'succeeded' AND newer.pull_number IS NULL))
    OR EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs a WHERE a.plan_run = r.id AND a.status IN ('queued', 'running'))
    OR EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.pull_reports p WHERE p.run = r.id AND p.delivered < p.revision) AS is_kept
  FROM ${serverDatabaseSchemaName}.runs r
  WHERE details_deleted_at IS NULL AND (ended_at, number) > ($1::timestamptz, $2::bigint)
    AND ended_at < (SELECT clock_timestamp() - $3 * interval '1 day')
  ORDER BY ended_at, number LIMIT ${detailsBatch}`;

const lostTexts = `DELETE FROM ${serverDatabaseSchemaName}.blobs b WHERE id = ANY ($1)
  ${encryptedTextReferences
    .map(
      ([table, column]) =>
        `AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.${table} o WHERE o.${column} = b.id)`,
    )
    .join('\n  ')}
  AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.settings s WHERE s.value = b.id::text)`;

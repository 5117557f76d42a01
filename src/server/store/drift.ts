// Drift in the database: which workspaces are due for a check, and since when an account differs from its state.
import type { QueuedRun } from '../engine/durable-engine.ts';
import type { RunAttemptOutcome, PlannedChange, StoredRun } from './run.ts';
import {
  serverDatabaseSchemaName,
  transactExclusively,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import { advisoryLockKeys } from '../database/lock-keys.ts';

/** Present drift of a workspace: the differences of its account to its state. */
export interface PresentDriftSummary {
  /** Time when the drift was first found. */
  readonly beganAt: Date;
  /** Time when the drift was found in its present form. */
  readonly changedAt: Date;
  /** Id of the drift check that found the drift in its present form. */
  readonly run: string;
  /** Number of resources that have drifted. */
  readonly count: number;
  /** The first few changes of the drift. */
  readonly changes: readonly PlannedChange[];
}

/** Drift that is to be undone by a plan. */
export interface DriftRepair {
  readonly episode: string;
  readonly workspaceId: string;
  readonly fingerprint: string;
  /** The commit that the workspace was planned or applied at last. */
  readonly commit: string;
}

/** A finished plan that would undo drift. */
export interface PlannedDriftRepair {
  readonly episode: string;
  readonly fingerprint: string;
  readonly plan: string;
  /** Set where it is the newest check of its workspace, and has changes. */
  readonly isOpen: boolean;
}

/** Days within which the same drift is repaired once: two parties that undo each other's work must not go on for ever. */
const repairedDays = 7;

/** The origin of the plan that is to undo drift, in SQL, where `e` is its episode. */
const repairOrigin = `'drift-plan:' || e.id || ':' || e.fingerprint`;

/**
 * Drift of all workspaces in the database, stored as episodes: each lasts from the check that found drift to the one that found
 * none.
 */
export class DriftEpisodeStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Adds drift checks of due workspaces, as long as each worker has fewer than `perWorker` runs of any kind queued or under way.
   * A workspace stays due while it has a run under way that is not held, or while its account is paused. One that was never
   * applied, or is destroyed, is skipped until its next time.
   */
  async takeDue(perWorker: number): Promise<readonly QueuedRun[]> {
    const rows = await transactExclusively(this.#database, advisoryLockKeys.drift, () =>
      this.#database.ask<{ id: string; workspace: string }>(takeDue, [perWorker]),
    );
    return (rows ?? []).map(({ id, workspace: workspaceId }) => ({ id, workspaceId }));
  }

  /**
   * Records what an ended run means for drift: a check found some or none, and a successful apply or destroy leaves none. A run
   * that did not succeed means nothing.
   */
  async settle(
    { id, workspaceId, operation, pull }: StoredRun,
    { status, changes = [], driftFingerprint }: RunAttemptOutcome,
  ): Promise<void> {
    if (status !== 'succeeded' || operation === 'plan' || pull) return;
    if (driftFingerprint === undefined) {
      await this.#database.ask(
        `UPDATE ${serverDatabaseSchemaName}.drift_episodes SET ended_at = clock_timestamp(), ended_by = $2
         WHERE workspace = $1 AND ended_at IS NULL`,
        [workspaceId, id],
      );
      return;
    }
    const wanted = `(SELECT CASE WHEN w.apply_drift AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.drift_repairs r
      WHERE r.workspace = w.id AND r.fingerprint = $3 AND r.at > clock_timestamp() - interval '${repairedDays} days')
      THEN 'wanted' END FROM ${serverDatabaseSchemaName}.workspaces w WHERE w.id = $1)`;
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.drift_episodes AS known (workspace, run, fingerprint, changes, repair)
       VALUES ($1, $2, $3, $4, ${wanted}) ON CONFLICT (workspace) WHERE ended_at IS NULL DO UPDATE
         SET run = $2, fingerprint = $3, changes = $4, changed_at = clock_timestamp(), repair = ${wanted}
         WHERE known.fingerprint <> $3`,
      [workspaceId, id, driftFingerprint, JSON.stringify(changes)],
    );
  }

  /**
   * Lists drift that is to be planned, in workspaces where no other run waits and no plan waits for a person, since a new plan
   * would supersede it. With `episode`, only the drift of that episode.
   */
  async listWanted(episode?: string): Promise<readonly DriftRepair[]> {
    const rows = await this.#database.ask<{
      id: string;
      workspace: string;
      fingerprint: string;
      commit: string;
    }>(
      `SELECT e.id, e.workspace, e.fingerprint, settled.commit FROM ${serverDatabaseSchemaName}.drift_episodes e
       JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = e.workspace JOIN ${serverDatabaseSchemaName}.runs settled ON settled.id = w.settled_run
       WHERE e.ended_at IS NULL AND e.repair = 'wanted' AND w.apply_drift AND w.status = 'drifted'
         AND settled.status = 'succeeded' AND settled.operation <> 'destroy'
         AND (settled.operation <> 'plan' OR NOT settled.has_changes) AND ($1::bigint IS NULL OR e.id = $1) AND NOT w.paused
       ORDER BY e.id LIMIT 50`,
      [episode ?? null],
    );
    return rows.map(({ id, workspace: workspaceId, fingerprint, commit }) => ({
      episode: id,
      workspaceId,
      fingerprint,
      commit,
    }));
  }

  /** Records that a plan to undo the drift was queued, by this process or another. */
  async notePlanned({ episode, workspaceId, fingerprint }: DriftRepair): Promise<void> {
    await this.#database.ask(
      `WITH planned AS (UPDATE ${serverDatabaseSchemaName}.drift_episodes SET repair = 'planned'
         WHERE id = $1 AND fingerprint = $3 AND repair = 'wanted' RETURNING id)
       INSERT INTO ${serverDatabaseSchemaName}.drift_repairs (workspace, fingerprint) SELECT $2, $3 FROM planned
       ON CONFLICT (workspace, fingerprint) DO UPDATE SET at = clock_timestamp()`,
      [episode, workspaceId, fingerprint],
    );
  }

  /** Lists plans to undo drift that have ended. */
  async listPlanned(): Promise<readonly PlannedDriftRepair[]> {
    const rows = await this.#database.ask<{
      id: string;
      fingerprint: string;
      plan: string;
      is_open: boolean;
    }>(
      `SELECT e.id, e.fingerprint, run.id AS plan, 
         coalesce(run.id = w.settled_run AND run.has_changes, false) AS is_open
       FROM ${serverDatabaseSchemaName}.drift_episodes e JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = e.workspace
       JOIN ${serverDatabaseSchemaName}.runs run ON run.origin = ${repairOrigin}
       WHERE e.ended_at IS NULL AND e.repair = 'planned' AND w.status <> 'running' AND NOT w.paused
         AND run.status NOT IN ('queued', 'running') ORDER BY e.id LIMIT 50`,
    );
    return rows.map(({ id: episode, is_open: isOpen, fingerprint, plan }) => ({
      episode,
      fingerprint,
      plan,
      isOpen,
    }));
  }

  /** Notes that the repair is decided. False where another process came first. */
  async decide({ episode, fingerprint }: PlannedDriftRepair): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.drift_episodes SET repair = 'decided'
       WHERE id = $1 AND fingerprint = $2 AND repair = 'planned' RETURNING id`,
      [episode, fingerprint],
    );
    return rows.length > 0;
  }

  /** The drift of a workspace now; undefined where none is known. */
  async find(workspaceId: string): Promise<PresentDriftSummary | undefined> {
    const rows = await this.#database.ask<DriftSummaryRow>(
      `SELECT ${driftSummaryColumns} FROM ${serverDatabaseSchemaName}.drift_episodes drift WHERE workspace = $1 AND ended_at IS NULL`,
      [workspaceId],
    );
    return rows.map(readDriftSummary)[0];
  }
}

/** One statement that finds the free room, the workspaces that are due, and adds their runs. */
const takeDue = `
  WITH room AS (
    SELECT greatest(0, $1 * greatest(1, (SELECT count(*) FROM ${serverDatabaseSchemaName}.workers WHERE ended_at IS NULL))
      - (SELECT count(*) FROM ${serverDatabaseSchemaName}.runs WHERE status = 'running'
        OR status = 'queued' AND NOT is_held AND (waits_until IS NULL OR waits_until <= clock_timestamp()))) AS free
  ), due AS (
    SELECT w.id, w.drift_due_at, w.drift_every_minutes, last.commit, last.is_destroyed FROM ${serverDatabaseSchemaName}.workspaces w
    LEFT JOIN LATERAL (
      SELECT commit, operation = 'destroy' AND status = 'succeeded' AS is_destroyed FROM ${serverDatabaseSchemaName}.runs
      WHERE workspace = w.id AND operation IN ('apply', 'destroy') AND started_at IS NOT NULL
      ORDER BY number DESC LIMIT 1) last ON true
    WHERE w.drift_due_at <= clock_timestamp() AND NOT w.paused
      -- It would wait for the end of the hold, and keep a worker from what it could do for others.
      AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.accounts
        WHERE accounts.id = w.account AND held_until > clock_timestamp())
      AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs WHERE workspace = w.id AND status IN ('queued', 'running') AND NOT is_held)
    ORDER BY w.drift_due_at LIMIT (SELECT free FROM room) FOR UPDATE OF w SKIP LOCKED
  ), moved AS (
    UPDATE ${serverDatabaseSchemaName}.workspaces w
      SET drift_due_at = ${serverDatabaseSchemaName}.next_drift(w.id, due.drift_every_minutes, clock_timestamp())
      FROM due WHERE w.id = due.id
  )
  INSERT INTO ${serverDatabaseSchemaName}.runs (id, workspace, commit, operation, reason, origin)
    SELECT gen_random_uuid(), id, commit, 'drift', 'drift schedule', 'drift:' || id || ':' || extract(epoch FROM drift_due_at)
    FROM due WHERE NOT is_destroyed ORDER BY drift_due_at
    ON CONFLICT (origin) DO NOTHING RETURNING id, workspace`;

const shownChanges = 10;

/** Columns that `readDriftSummary` reads of `drift`, an episode that has not ended. */
export const driftSummaryColumns = `drift.began_at AS drift_began_at, drift.changed_at AS drift_changed_at, drift.run AS drift_run,
  jsonb_array_length(drift.changes) AS drift_count,
  jsonb_path_query_array(drift.changes, '$[0 to ${shownChanges - 1}]') AS drift_changes`;

/** Columns of a workspace's present drift; all of them null where it has none. */
export interface DriftSummaryRow extends DatabaseRow {
  readonly drift_began_at: Date;
  readonly drift_changed_at: Date;
  readonly drift_run: string | null;
  readonly drift_count: number;
  readonly drift_changes: readonly PlannedChange[];
}

/** Reads the drift in a row; undefined where it has none. */
export function readDriftSummary(row: DriftSummaryRow): PresentDriftSummary | undefined {
  if (row.drift_run === null) return undefined;
  return {
    beganAt: row.drift_began_at,
    changedAt: row.drift_changed_at,
    run: row.drift_run,
    count: row.drift_count,
    changes: row.drift_changes,
  };
}

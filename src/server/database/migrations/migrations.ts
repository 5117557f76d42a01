import { accountNamesMigration } from './account-names-migration.ts';
import { accountsMigration } from './accounts-migration.ts';
import { schema } from '../database.ts';
import { approvedMigration } from './approved-migration.ts';
import { auditKeysMigration } from './audit-keys-migration.ts';
import { bodyDigestsMigration } from './body-digests-migration.ts';
import { dependenciesMigration } from './dependencies-migration.ts';
import { driftMigration } from './drift-migration.ts';
import { failedAttemptsMigration } from './failed-attempts-migration.ts';
import { headsMigration } from './heads-migration.ts';
import { hostsMigration } from './hosts-migration.ts';
import { mergedMigration } from './merged-migration.ts';
import { messagesMigration } from './messages-migration.ts';
import { ownershipMigration } from './ownership-migration.ts';
import { peopleMigrations } from './people-migrations.ts';
import { pollingMigration } from './polling-migration.ts';
import { probesMigration } from './probes-migration.ts';
import { progressMigration } from './progress-migration.ts';
import { retentionMigration } from './retention-migration.ts';
import { secretsMigration } from './secrets-migration.ts';
import { totalsMigration } from './totals-migration.ts';
import { waitingMigration } from './waiting-migration.ts';

/** Migrations of the tables, one step a version: a step that was published never changes. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE ${schema}.settings (name text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE ${schema}.blobs (
    id uuid PRIMARY KEY,
    key_id text NOT NULL,
    body bytea NOT NULL
  );
  CREATE INDEX blobs_key ON ${schema}.blobs (key_id);
  CREATE TABLE ${schema}.workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    repository text NOT NULL,
    branch text NOT NULL,
    directory text NOT NULL,
    poll boolean NOT NULL,
    seen_commit text,
    variables uuid NOT NULL REFERENCES ${schema}.blobs (id),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE ${schema}.workers (
    id uuid PRIMARY KEY,
    lock_key bigint NOT NULL UNIQUE,
    host text NOT NULL,
    version text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
  );
  CREATE TABLE ${schema}.runs (
    id uuid PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    workspace uuid NOT NULL REFERENCES ${schema}.workspaces (id),
    operation text NOT NULL,
    commit text NOT NULL,
    plan_run uuid REFERENCES ${schema}.runs (id),
    status text NOT NULL DEFAULT 'queued',
    reason text NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    worker uuid REFERENCES ${schema}.workers (id),
    child jsonb,
    cancels integer NOT NULL DEFAULT 0,
    has_changes boolean,
    plan_file uuid REFERENCES ${schema}.blobs (id),
    changes jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    ended_at timestamptz
  );
  CREATE INDEX runs_open ON ${schema}.runs (status) WHERE status IN ('queued', 'running');
  CREATE INDEX runs_workspace ON ${schema}.runs (workspace, number);
  CREATE TABLE ${schema}.run_log (
    run uuid NOT NULL REFERENCES ${schema}.runs (id),
    part bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lines uuid NOT NULL REFERENCES ${schema}.blobs (id),
    PRIMARY KEY (run, part)
  );
  `,
  `
  CREATE TABLE ${schema}.sessions (
    hash bytea PRIMARY KEY,
    person text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE ${schema}.sign_in_links (
    hash bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );
  CREATE TABLE ${schema}.run_reports (
    run uuid PRIMARY KEY REFERENCES ${schema}.runs (id),
    page uuid NOT NULL REFERENCES ${schema}.blobs (id),
    summary jsonb NOT NULL,
    quotas jsonb NOT NULL,
    compared_with uuid REFERENCES ${schema}.runs (id),
    differences uuid REFERENCES ${schema}.blobs (id)
  );
  CREATE TABLE ${schema}.accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    service text NOT NULL,
    mark text NOT NULL,
    quotas jsonb NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (service, mark)
  );
  ALTER TABLE ${schema}.workspaces
    ADD account bigint REFERENCES ${schema}.accounts (id),
    ADD status text NOT NULL DEFAULT 'neverPlanned',
    ADD last_run uuid,
    ADD settled_run uuid;
  CREATE INDEX workspaces_status ON ${schema}.workspaces (status, name);
  CREATE INDEX workspaces_account ON ${schema}.workspaces (account);
  CREATE INDEX runs_at_work ON ${schema}.runs (workspace) WHERE status IN ('queued', 'running');
  CREATE INDEX runs_settled ON ${schema}.runs (workspace, number) WHERE operation <> 'drift'
    AND (status IN ('succeeded', 'failed') OR (status = 'cancelled' AND operation <> 'plan' AND started_at IS NOT NULL));
  CREATE INDEX runs_drift ON ${schema}.runs (workspace, number) WHERE operation = 'drift' AND status IN ('succeeded', 'failed');

  -- What a workspace comes to, by its runs: kept with it, so that ten thousand are listed and counted by an index. A trigger
  -- keeps it, so that workers of an older version do so, too.
  CREATE FUNCTION ${schema}.refresh_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    settled record;
    drift record;
    newest uuid;
    is_at_work boolean;
  BEGIN
    -- Two runs that end at once come one after the other, and the second sees the first.
    PERFORM 1 FROM ${schema}.workspaces WHERE id = NEW.workspace FOR NO KEY UPDATE;
    SELECT id INTO newest FROM ${schema}.runs WHERE workspace = NEW.workspace ORDER BY number DESC LIMIT 1;
    SELECT EXISTS (SELECT 1 FROM ${schema}.runs WHERE workspace = NEW.workspace AND status IN ('queued', 'running'))
      INTO is_at_work;
    SELECT id, number, operation, status, has_changes INTO settled FROM ${schema}.runs
      WHERE workspace = NEW.workspace AND operation <> 'drift'
        AND (status IN ('succeeded', 'failed') OR (status = 'cancelled' AND operation <> 'plan' AND started_at IS NOT NULL))
      ORDER BY number DESC LIMIT 1;
    SELECT status, has_changes INTO drift FROM ${schema}.runs
      WHERE workspace = NEW.workspace AND operation = 'drift' AND status IN ('succeeded', 'failed')
        AND number > coalesce(settled.number, 0)
      ORDER BY number DESC LIMIT 1;
    UPDATE ${schema}.workspaces SET
      last_run = newest,
      settled_run = settled.id,
      status = CASE
        WHEN is_at_work THEN 'running'
        WHEN drift.status = 'failed' THEN 'failed'
        WHEN drift.has_changes THEN 'drifted'
        WHEN settled.id IS NULL THEN 'neverPlanned'
        WHEN settled.status <> 'succeeded' THEN 'failed'
        WHEN settled.operation = 'plan' AND settled.has_changes THEN 'waiting'
        WHEN settled.operation = 'destroy' THEN 'destroyed'
        ELSE 'inSync'
      END
      WHERE id = NEW.workspace;
    RETURN NULL;
  END $$;
  CREATE TRIGGER runs_workspace_status AFTER INSERT OR UPDATE OF status ON ${schema}.runs
    FOR EACH ROW EXECUTE FUNCTION ${schema}.refresh_workspace();
  UPDATE ${schema}.runs SET status = status
    WHERE number IN (SELECT max(number) FROM ${schema}.runs GROUP BY workspace);
  `,
  hostsMigration,
  ...peopleMigrations,
  dependenciesMigration,
  totalsMigration,
  driftMigration,
  accountsMigration,
  messagesMigration,
  retentionMigration,
  progressMigration,
  accountNamesMigration,
  waitingMigration,
  failedAttemptsMigration,
  secretsMigration,
  auditKeysMigration,
  bodyDigestsMigration,
  approvedMigration,
  mergedMigration,
  ownershipMigration,
  headsMigration,
  pollingMigration,
  `ALTER TABLE ${schema}.workspaces ADD reads text[] NOT NULL DEFAULT '{}';
  ALTER TABLE ${schema}.members ADD host_ids text[] NOT NULL DEFAULT '{}';`,
  probesMigration,
];

import { accountNamesMigration, accountsMigration } from './accounts-migration.ts';
import { serverDatabaseSchemaName } from '../database.ts';
import {
  approvedPlanPartsMigration,
  runProgressMigration,
  runWaitingMigration,
  transferredApprovalsMigration,
} from './run-migrations.ts';
import {
  auditKeysMigration,
  peopleMigrations,
  failedAttemptsMigration,
} from './people-migrations.ts';
import {
  webhookBodyDigestsMigration,
  gitHostsMigration,
  hostReviewsMigration,
  repositoryPollingMigration,
} from './hosts-migration.ts';
import {
  workspaceDependenciesMigration,
  probeRangesMigration,
  variableSetsMigration,
  secretVariablesMigration,
  applyWindowsMigration,
  policyFilesMigration,
} from './workspace-migrations.ts';
import { driftMigration } from './drift-migration.ts';
import { pullHeadsMigration } from './heads-migration.ts';
import { mergeReportsMigration } from './merged-migration.ts';
import { messagesMigration } from './messages-migration.ts';
import { workspaceLifecycleMigration } from './ownership-migration.ts';
import { planPreviewsMigration } from './previews-migration.ts';
import { oidcProviderMigration } from './provider-migration.ts';
import { retentionIndexesMigration } from './retention-migration.ts';
import { runTotalsMigration } from './totals-migration.ts';

/** Migrations of the server's tables in their order, one for each table version. A released one never changes. */
export const serverTableMigrations: readonly string[] = [
  `
  CREATE TABLE ${serverDatabaseSchemaName}.settings (name text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE ${serverDatabaseSchemaName}.blobs (
    id uuid PRIMARY KEY,
    key_id text NOT NULL,
    body bytea NOT NULL
  );
  CREATE INDEX blobs_key ON ${serverDatabaseSchemaName}.blobs (key_id);
  CREATE TABLE ${serverDatabaseSchemaName}.workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    repository text NOT NULL,
    branch text NOT NULL,
    directory text NOT NULL,
    poll boolean NOT NULL,
    seen_commit text,
    variables uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE ${serverDatabaseSchemaName}.workers (
    id uuid PRIMARY KEY,
    lock_key bigint NOT NULL UNIQUE,
    host text NOT NULL,
    version text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
  );
  CREATE TABLE ${serverDatabaseSchemaName}.runs (
    id uuid PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    workspace uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.workspaces (id),
    operation text NOT NULL,
    commit text NOT NULL,
    plan_run uuid REFERENCES ${serverDatabaseSchemaName}.runs (id),
    status text NOT NULL DEFAULT 'queued',
    reason text NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    worker uuid REFERENCES ${serverDatabaseSchemaName}.workers (id),
    child jsonb,
    cancels integer NOT NULL DEFAULT 0,
    has_changes boolean,
    plan_file uuid REFERENCES ${serverDatabaseSchemaName}.blobs (id),
    changes jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    ended_at timestamptz
  );
  CREATE INDEX runs_open ON ${serverDatabaseSchemaName}.runs (status) WHERE status IN ('queued', 'running');
  CREATE INDEX runs_workspace ON ${serverDatabaseSchemaName}.runs (workspace, number);
  CREATE TABLE ${serverDatabaseSchemaName}.run_log (
    run uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.runs (id),
    part bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lines uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id),
    PRIMARY KEY (run, part)
  );
  `,
  `
  CREATE TABLE ${serverDatabaseSchemaName}.sessions (
    hash bytea PRIMARY KEY,
    person text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE ${serverDatabaseSchemaName}.sign_in_links (
    hash bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );
  CREATE TABLE ${serverDatabaseSchemaName}.run_reports (
    run uuid PRIMARY KEY REFERENCES ${serverDatabaseSchemaName}.runs (id),
    page uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id),
    summary jsonb NOT NULL,
    quotas jsonb NOT NULL,
    compared_with uuid REFERENCES ${serverDatabaseSchemaName}.runs (id),
    differences uuid REFERENCES ${serverDatabaseSchemaName}.blobs (id)
  );
  CREATE TABLE ${serverDatabaseSchemaName}.accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    service text NOT NULL,
    mark text NOT NULL,
    quotas jsonb NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (service, mark)
  );
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces
    ADD account bigint REFERENCES ${serverDatabaseSchemaName}.accounts (id),
    ADD status text NOT NULL DEFAULT 'neverPlanned',
    ADD last_run uuid,
    ADD settled_run uuid;
  CREATE INDEX workspaces_status ON ${serverDatabaseSchemaName}.workspaces (status, name);
  CREATE INDEX workspaces_account ON ${serverDatabaseSchemaName}.workspaces (account);
  CREATE INDEX runs_at_work ON ${serverDatabaseSchemaName}.runs (workspace) WHERE status IN ('queued', 'running');
  CREATE INDEX runs_settled ON ${serverDatabaseSchemaName}.runs (workspace, number) WHERE operation <> 'drift'
    AND (status IN ('succeeded', 'failed') OR (status = 'cancelled' AND operation <> 'plan' AND started_at IS NOT NULL));
  CREATE INDEX runs_drift ON ${serverDatabaseSchemaName}.runs (workspace, number) WHERE operation = 'drift' AND status IN ('succeeded', 'failed');

  -- What a workspace comes to, by its runs: kept with it, so that ten thousand are listed and counted by an index. A trigger
  -- keeps it, so that workers of an older version do so, too.
  CREATE FUNCTION ${serverDatabaseSchemaName}.refresh_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    settled record;
    drift record;
    newest uuid;
    is_at_work boolean;
  BEGIN
    -- Two runs that end at once come one after the other, and the second sees the first.
    PERFORM 1 FROM ${serverDatabaseSchemaName}.workspaces WHERE id = NEW.workspace FOR NO KEY UPDATE;
    SELECT id INTO newest FROM ${serverDatabaseSchemaName}.runs WHERE workspace = NEW.workspace ORDER BY number DESC LIMIT 1;
    SELECT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs WHERE workspace = NEW.workspace AND status IN ('queued', 'running'))
      INTO is_at_work;
    SELECT id, number, operation, status, has_changes INTO settled FROM ${serverDatabaseSchemaName}.runs
      WHERE workspace = NEW.workspace AND operation <> 'drift'
        AND (status IN ('succeeded', 'failed') OR (status = 'cancelled' AND operation <> 'plan' AND started_at IS NOT NULL))
      ORDER BY number DESC LIMIT 1;
    SELECT status, has_changes INTO drift FROM ${serverDatabaseSchemaName}.runs
      WHERE workspace = NEW.workspace AND operation = 'drift' AND status IN ('succeeded', 'failed')
        AND number > coalesce(settled.number, 0)
      ORDER BY number DESC LIMIT 1;
    UPDATE ${serverDatabaseSchemaName}.workspaces SET
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
  CREATE TRIGGER runs_workspace_status AFTER INSERT OR UPDATE OF status ON ${serverDatabaseSchemaName}.runs
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.refresh_workspace();
  UPDATE ${serverDatabaseSchemaName}.runs SET status = status
    WHERE number IN (SELECT max(number) FROM ${serverDatabaseSchemaName}.runs GROUP BY workspace);
  `,
  gitHostsMigration,
  ...peopleMigrations,
  workspaceDependenciesMigration,
  runTotalsMigration,
  driftMigration,
  accountsMigration,
  messagesMigration,
  retentionIndexesMigration,
  runProgressMigration,
  accountNamesMigration,
  runWaitingMigration,
  failedAttemptsMigration,
  secretVariablesMigration,
  auditKeysMigration,
  webhookBodyDigestsMigration,
  approvedPlanPartsMigration,
  mergeReportsMigration,
  workspaceLifecycleMigration,
  pullHeadsMigration,
  repositoryPollingMigration,
  `ALTER TABLE ${serverDatabaseSchemaName}.workspaces ADD reads text[] NOT NULL DEFAULT '{}';
  ALTER TABLE ${serverDatabaseSchemaName}.members ADD host_ids text[] NOT NULL DEFAULT '{}';`,
  probeRangesMigration,
  oidcProviderMigration,
  applyWindowsMigration,
  transferredApprovalsMigration,
  policyFilesMigration,
  variableSetsMigration,
  hostReviewsMigration,
  // A list of reviews that was read before a newer one was kept is not to take its place. Nobody knows the authors where they
  // are NULL.
  `ALTER TABLE ${serverDatabaseSchemaName}.merged_pulls ADD reviews_revision integer NOT NULL DEFAULT 0, ADD authors text[];`,
  planPreviewsMigration,
];

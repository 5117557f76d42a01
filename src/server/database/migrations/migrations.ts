import { accountNamesMigration, accountsMigration } from './accounts-migration.ts';
import { serverSchemaName } from '../database.ts';
import {
  approvedPlanPartsMigration,
  runProgressMigration,
  runWaitingMigration,
  carriedApprovalsMigration,
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
  probesMigration,
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
import { providerMigration } from './provider-migration.ts';
import { retentionIndexesMigration } from './retention-migration.ts';
import { runTotalsMigration } from './totals-migration.ts';

/** Migrations of the tables, one step a version: a step that was published never changes. */
export const serverTableMigrations: readonly string[] = [
  `
  CREATE TABLE ${serverSchemaName}.settings (name text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE ${serverSchemaName}.blobs (
    id uuid PRIMARY KEY,
    key_id text NOT NULL,
    body bytea NOT NULL
  );
  CREATE INDEX blobs_key ON ${serverSchemaName}.blobs (key_id);
  CREATE TABLE ${serverSchemaName}.workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    repository text NOT NULL,
    branch text NOT NULL,
    directory text NOT NULL,
    poll boolean NOT NULL,
    seen_commit text,
    variables uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE ${serverSchemaName}.workers (
    id uuid PRIMARY KEY,
    lock_key bigint NOT NULL UNIQUE,
    host text NOT NULL,
    version text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
  );
  CREATE TABLE ${serverSchemaName}.runs (
    id uuid PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    workspace uuid NOT NULL REFERENCES ${serverSchemaName}.workspaces (id),
    operation text NOT NULL,
    commit text NOT NULL,
    plan_run uuid REFERENCES ${serverSchemaName}.runs (id),
    status text NOT NULL DEFAULT 'queued',
    reason text NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    worker uuid REFERENCES ${serverSchemaName}.workers (id),
    child jsonb,
    cancels integer NOT NULL DEFAULT 0,
    has_changes boolean,
    plan_file uuid REFERENCES ${serverSchemaName}.blobs (id),
    changes jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    ended_at timestamptz
  );
  CREATE INDEX runs_open ON ${serverSchemaName}.runs (status) WHERE status IN ('queued', 'running');
  CREATE INDEX runs_workspace ON ${serverSchemaName}.runs (workspace, number);
  CREATE TABLE ${serverSchemaName}.run_log (
    run uuid NOT NULL REFERENCES ${serverSchemaName}.runs (id),
    part bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lines uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id),
    PRIMARY KEY (run, part)
  );
  `,
  `
  CREATE TABLE ${serverSchemaName}.sessions (
    hash bytea PRIMARY KEY,
    person text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE ${serverSchemaName}.sign_in_links (
    hash bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );
  CREATE TABLE ${serverSchemaName}.run_reports (
    run uuid PRIMARY KEY REFERENCES ${serverSchemaName}.runs (id),
    page uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id),
    summary jsonb NOT NULL,
    quotas jsonb NOT NULL,
    compared_with uuid REFERENCES ${serverSchemaName}.runs (id),
    differences uuid REFERENCES ${serverSchemaName}.blobs (id)
  );
  CREATE TABLE ${serverSchemaName}.accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    service text NOT NULL,
    mark text NOT NULL,
    quotas jsonb NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (service, mark)
  );
  ALTER TABLE ${serverSchemaName}.workspaces
    ADD account bigint REFERENCES ${serverSchemaName}.accounts (id),
    ADD status text NOT NULL DEFAULT 'neverPlanned',
    ADD last_run uuid,
    ADD settled_run uuid;
  CREATE INDEX workspaces_status ON ${serverSchemaName}.workspaces (status, name);
  CREATE INDEX workspaces_account ON ${serverSchemaName}.workspaces (account);
  CREATE INDEX runs_at_work ON ${serverSchemaName}.runs (workspace) WHERE status IN ('queued', 'running');
  CREATE INDEX runs_settled ON ${serverSchemaName}.runs (workspace, number) WHERE operation <> 'drift'
    AND (status IN ('succeeded', 'failed') OR (status = 'cancelled' AND operation <> 'plan' AND started_at IS NOT NULL));
  CREATE INDEX runs_drift ON ${serverSchemaName}.runs (workspace, number) WHERE operation = 'drift' AND status IN ('succeeded', 'failed');

  -- What a workspace comes to, by its runs: kept with it, so that ten thousand are listed and counted by an index. A trigger
  -- keeps it, so that workers of an older version do so, too.
  CREATE FUNCTION ${serverSchemaName}.refresh_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    settled record;
    drift record;
    newest uuid;
    is_at_work boolean;
  BEGIN
    -- Two runs that end at once come one after the other, and the second sees the first.
    PERFORM 1 FROM ${serverSchemaName}.workspaces WHERE id = NEW.workspace FOR NO KEY UPDATE;
    SELECT id INTO newest FROM ${serverSchemaName}.runs WHERE workspace = NEW.workspace ORDER BY number DESC LIMIT 1;
    SELECT EXISTS (SELECT 1 FROM ${serverSchemaName}.runs WHERE workspace = NEW.workspace AND status IN ('queued', 'running'))
      INTO is_at_work;
    SELECT id, number, operation, status, has_changes INTO settled FROM ${serverSchemaName}.runs
      WHERE workspace = NEW.workspace AND operation <> 'drift'
        AND (status IN ('succeeded', 'failed') OR (status = 'cancelled' AND operation <> 'plan' AND started_at IS NOT NULL))
      ORDER BY number DESC LIMIT 1;
    SELECT status, has_changes INTO drift FROM ${serverSchemaName}.runs
      WHERE workspace = NEW.workspace AND operation = 'drift' AND status IN ('succeeded', 'failed')
        AND number > coalesce(settled.number, 0)
      ORDER BY number DESC LIMIT 1;
    UPDATE ${serverSchemaName}.workspaces SET
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
  CREATE TRIGGER runs_workspace_status AFTER INSERT OR UPDATE OF status ON ${serverSchemaName}.runs
    FOR EACH ROW EXECUTE FUNCTION ${serverSchemaName}.refresh_workspace();
  UPDATE ${serverSchemaName}.runs SET status = status
    WHERE number IN (SELECT max(number) FROM ${serverSchemaName}.runs GROUP BY workspace);
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
  `ALTER TABLE ${serverSchemaName}.workspaces ADD reads text[] NOT NULL DEFAULT '{}';
  ALTER TABLE ${serverSchemaName}.members ADD host_ids text[] NOT NULL DEFAULT '{}';`,
  probesMigration,
  providerMigration,
  applyWindowsMigration,
  carriedApprovalsMigration,
  policyFilesMigration,
  variableSetsMigration,
  hostReviewsMigration,
  // A list of reviews that was read before a newer one was kept is not to take its place. Nobody knows the authors where they
  // are NULL.
  `ALTER TABLE ${serverSchemaName}.merged_pulls ADD reviews_revision integer NOT NULL DEFAULT 0, ADD authors text[];`,
  planPreviewsMigration,
];

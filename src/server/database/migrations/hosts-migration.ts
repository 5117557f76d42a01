import { serverDatabaseSchemaName } from '../database.ts';

/**
 * Migration for git hosts: connections, webhooks received from the hosts, and reports that are written to their pull requests.
 */
export const gitHostsMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.connections (
    name text PRIMARY KEY,
    kind text NOT NULL,
    address text NOT NULL,
    app_id text,
    installation_id text,
    secrets uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces
    ADD connection text REFERENCES ${serverDatabaseSchemaName}.connections (name),
    ADD apply_on_merge boolean NOT NULL DEFAULT false;
  CREATE INDEX workspaces_connection ON ${serverDatabaseSchemaName}.workspaces (connection) WHERE connection IS NOT NULL;

  ALTER TABLE ${serverDatabaseSchemaName}.runs
    ADD pull_number integer,
    ADD pull_head text,
    ADD origin text UNIQUE;
  CREATE INDEX runs_pull ON ${serverDatabaseSchemaName}.runs (workspace, pull_number, number) WHERE pull_number IS NOT NULL;

  CREATE TABLE ${serverDatabaseSchemaName}.deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    connection text NOT NULL REFERENCES ${serverDatabaseSchemaName}.connections (name) ON DELETE CASCADE,
    delivery text NOT NULL,
    answer jsonb NOT NULL,
    event jsonb,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz,
    ended_at timestamptz,
    UNIQUE (connection, delivery)
  );
  CREATE INDEX deliveries_open ON ${serverDatabaseSchemaName}.deliveries (due_at) WHERE ended_at IS NULL;

  CREATE TABLE ${serverDatabaseSchemaName}.pull_reports (
    workspace uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.workspaces (id),
    pull_number integer NOT NULL,
    run uuid REFERENCES ${serverDatabaseSchemaName}.runs (id),
    fork_head text,
    comment_id text,
    revision bigint NOT NULL DEFAULT 1,
    delivered bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz,
    PRIMARY KEY (workspace, pull_number)
  );
  CREATE INDEX pull_reports_open ON ${serverDatabaseSchemaName}.pull_reports (due_at) WHERE delivered < revision;

  CREATE TABLE ${serverDatabaseSchemaName}.run_comments (
    run uuid PRIMARY KEY REFERENCES ${serverDatabaseSchemaName}.runs (id),
    body uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id)
  );
  CREATE TABLE ${serverDatabaseSchemaName}.merged_pulls (
    workspace uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.workspaces (id),
    pull_number integer NOT NULL,
    commit text NOT NULL,
    head text NOT NULL,
    merged_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    decided_at timestamptz,
    PRIMARY KEY (workspace, pull_number)
  );
  CREATE INDEX merged_pulls_open ON ${serverDatabaseSchemaName}.merged_pulls (workspace, commit) WHERE decided_at IS NULL;

  -- What is written to a pull request is due with the run itself, in one transaction: nobody can be killed in between.
  CREATE FUNCTION ${serverDatabaseSchemaName}.report_pull() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${serverDatabaseSchemaName}.pull_reports AS report (workspace, pull_number, run) VALUES (NEW.workspace, NEW.pull_number, NEW.id)
      ON CONFLICT (workspace, pull_number) DO UPDATE
        SET run = NEW.id, fork_head = NULL, revision = report.revision + 1, attempts = 0, due_at = clock_timestamp()
        WHERE (report.run IS NULL AND (report.fork_head IS NULL OR report.fork_head = NEW.pull_head)) OR NEW.number >= (SELECT number FROM ${serverDatabaseSchemaName}.runs WHERE id = report.run);
    RETURN NULL;
  END $$;
  CREATE TRIGGER runs_report_pull AFTER INSERT OR UPDATE OF status ON ${serverDatabaseSchemaName}.runs
    FOR EACH ROW WHEN (NEW.pull_number IS NOT NULL AND NEW.status <> 'running') EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_pull();

  -- As before, but for runs of pull requests: they say nothing about the workspace itself.
  CREATE OR REPLACE FUNCTION ${serverDatabaseSchemaName}.refresh_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    settled record;
    drift record;
    newest uuid;
    is_at_work boolean;
  BEGIN
    IF NEW.pull_number IS NOT NULL THEN
      RETURN NULL;
    END IF;
    PERFORM 1 FROM ${serverDatabaseSchemaName}.workspaces WHERE id = NEW.workspace FOR NO KEY UPDATE;
    SELECT id INTO newest FROM ${serverDatabaseSchemaName}.runs
      WHERE workspace = NEW.workspace AND pull_number IS NULL ORDER BY number DESC LIMIT 1;
    SELECT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs
        WHERE workspace = NEW.workspace AND status IN ('queued', 'running') AND pull_number IS NULL)
      INTO is_at_work;
    SELECT id, number, operation, status, has_changes INTO settled FROM ${serverDatabaseSchemaName}.runs
      WHERE workspace = NEW.workspace AND operation <> 'drift' AND pull_number IS NULL
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
  `;

/** Migration that stores digests of webhook bodies, to recognise one that is sent again. */
export const webhookBodyDigestsMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.deliveries ADD body_digest text;
  CREATE UNIQUE INDEX deliveries_body ON ${serverDatabaseSchemaName}.deliveries (connection, body_digest);
  `;

/**
 * Migration for reviews at git hosts that count as approvals of plans: who has approved the pull request of a merge, and which
 * decisions follow. A withdrawn review makes the report of the pull request due again, as a new one does.
 */
export const hostReviewsMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces ADD approval_host_reviews boolean NOT NULL DEFAULT false;
  ALTER TABLE ${serverDatabaseSchemaName}.merged_pulls ADD reviews jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE ${serverDatabaseSchemaName}.approvals ADD review jsonb, DROP CONSTRAINT approvals_fell_check,
    ADD CONSTRAINT approvals_fell_check CHECK (fell IN ('commit', 'unknownCommit', 'opened', 'differs'));
  CREATE FUNCTION ${serverDatabaseSchemaName}.report_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${serverDatabaseSchemaName}.report_merged(workspace, commit) FROM ${serverDatabaseSchemaName}.runs WHERE id = OLD.plan_run;
    RETURN NULL;
  END $$;
  CREATE TRIGGER approvals_report_withdrawal AFTER DELETE ON ${serverDatabaseSchemaName}.approvals
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_withdrawal();
  `;

/** Migration that stores when each host of polled repositories is asked again, by whichever process comes first. */
export const repositoryPollingMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.poll_clocks (
    host text PRIMARY KEY,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL
  );
  `;

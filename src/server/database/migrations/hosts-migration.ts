import { serverSchemaName } from '../database.ts';

/** The tables of git hosts: connections, what they sent, and what is written to their pull requests. */
export const gitHostsMigration = `
  CREATE TABLE ${serverSchemaName}.connections (
    name text PRIMARY KEY,
    kind text NOT NULL,
    address text NOT NULL,
    app_id text,
    installation_id text,
    secrets uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  ALTER TABLE ${serverSchemaName}.workspaces
    ADD connection text REFERENCES ${serverSchemaName}.connections (name),
    ADD apply_on_merge boolean NOT NULL DEFAULT false;
  CREATE INDEX workspaces_connection ON ${serverSchemaName}.workspaces (connection) WHERE connection IS NOT NULL;

  ALTER TABLE ${serverSchemaName}.runs
    ADD pull_number integer,
    ADD pull_head text,
    ADD origin text UNIQUE;
  CREATE INDEX runs_pull ON ${serverSchemaName}.runs (workspace, pull_number, number) WHERE pull_number IS NOT NULL;

  CREATE TABLE ${serverSchemaName}.deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    connection text NOT NULL REFERENCES ${serverSchemaName}.connections (name) ON DELETE CASCADE,
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
  CREATE INDEX deliveries_open ON ${serverSchemaName}.deliveries (due_at) WHERE ended_at IS NULL;

  CREATE TABLE ${serverSchemaName}.pull_reports (
    workspace uuid NOT NULL REFERENCES ${serverSchemaName}.workspaces (id),
    pull_number integer NOT NULL,
    run uuid REFERENCES ${serverSchemaName}.runs (id),
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
  CREATE INDEX pull_reports_open ON ${serverSchemaName}.pull_reports (due_at) WHERE delivered < revision;

  CREATE TABLE ${serverSchemaName}.run_comments (
    run uuid PRIMARY KEY REFERENCES ${serverSchemaName}.runs (id),
    body uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id)
  );
  CREATE TABLE ${serverSchemaName}.merged_pulls (
    workspace uuid NOT NULL REFERENCES ${serverSchemaName}.workspaces (id),
    pull_number integer NOT NULL,
    commit text NOT NULL,
    head text NOT NULL,
    merged_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    decided_at timestamptz,
    PRIMARY KEY (workspace, pull_number)
  );
  CREATE INDEX merged_pulls_open ON ${serverSchemaName}.merged_pulls (workspace, commit) WHERE decided_at IS NULL;

  -- What is written to a pull request is due with the run itself, in one transaction: nobody can be killed in between.
  CREATE FUNCTION ${serverSchemaName}.report_pull() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${serverSchemaName}.pull_reports AS report (workspace, pull_number, run) VALUES (NEW.workspace, NEW.pull_number, NEW.id)
      ON CONFLICT (workspace, pull_number) DO UPDATE
        SET run = NEW.id, fork_head = NULL, revision = report.revision + 1, attempts = 0, due_at = clock_timestamp()
        WHERE (report.run IS NULL AND (report.fork_head IS NULL OR report.fork_head = NEW.pull_head)) OR NEW.number >= (SELECT number FROM ${serverSchemaName}.runs WHERE id = report.run);
    RETURN NULL;
  END $$;
  CREATE TRIGGER runs_report_pull AFTER INSERT OR UPDATE OF status ON ${serverSchemaName}.runs
    FOR EACH ROW WHEN (NEW.pull_number IS NOT NULL AND NEW.status <> 'running') EXECUTE FUNCTION ${serverSchemaName}.report_pull();

  -- As before, but for runs of pull requests: they say nothing about the workspace itself.
  CREATE OR REPLACE FUNCTION ${serverSchemaName}.refresh_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    settled record;
    drift record;
    newest uuid;
    is_at_work boolean;
  BEGIN
    IF NEW.pull_number IS NOT NULL THEN
      RETURN NULL;
    END IF;
    PERFORM 1 FROM ${serverSchemaName}.workspaces WHERE id = NEW.workspace FOR NO KEY UPDATE;
    SELECT id INTO newest FROM ${serverSchemaName}.runs
      WHERE workspace = NEW.workspace AND pull_number IS NULL ORDER BY number DESC LIMIT 1;
    SELECT EXISTS (SELECT 1 FROM ${serverSchemaName}.runs
        WHERE workspace = NEW.workspace AND status IN ('queued', 'running') AND pull_number IS NULL)
      INTO is_at_work;
    SELECT id, number, operation, status, has_changes INTO settled FROM ${serverSchemaName}.runs
      WHERE workspace = NEW.workspace AND operation <> 'drift' AND pull_number IS NULL
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
  `;

/** Migration that stores digests of webhook bodies, to recognise one that is sent again. */
export const webhookBodyDigestsMigration = `
  ALTER TABLE ${serverSchemaName}.deliveries ADD body_digest text;
  CREATE UNIQUE INDEX deliveries_body ON ${serverSchemaName}.deliveries (connection, body_digest);
  `;

/**
 * Reviews of git hosts that count as approvals: who has approved the pull request of a merge, and which decisions come from that.
 * One that is withdrawn changes what the pull request says, as a new one does.
 */
export const hostReviewsMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD approval_host_reviews boolean NOT NULL DEFAULT false;
  ALTER TABLE ${serverSchemaName}.merged_pulls ADD reviews jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE ${serverSchemaName}.approvals ADD review jsonb, DROP CONSTRAINT approvals_fell_check,
    ADD CONSTRAINT approvals_fell_check CHECK (fell IN ('commit', 'unknownCommit', 'opened', 'differs'));
  CREATE FUNCTION ${serverSchemaName}.report_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${serverSchemaName}.report_merged(workspace, commit) FROM ${serverSchemaName}.runs WHERE id = OLD.plan_run;
    RETURN NULL;
  END $$;
  CREATE TRIGGER approvals_report_withdrawal AFTER DELETE ON ${serverSchemaName}.approvals
    FOR EACH ROW EXECUTE FUNCTION ${serverSchemaName}.report_withdrawal();
  `;

/** Migration that stores when each host of polled repositories is asked again, by whichever process comes first. */
export const repositoryPollingMigration = `
  CREATE TABLE ${serverSchemaName}.poll_clocks (
    host text PRIMARY KEY,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL
  );
  `;

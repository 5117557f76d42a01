import { serverDatabaseSchemaName } from '../database.ts';

/**
 * Migration for the newest commits of pull requests and merge groups, each with a commit status that sums up its runs. The report
 * of a workspace that a pull request no longer touches says so.
 */
export const pullHeadsMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.heads (
    connection text NOT NULL REFERENCES ${serverDatabaseSchemaName}.connections (name) ON DELETE CASCADE,
    repository text NOT NULL,
    commit text NOT NULL,
    workspaces uuid[] NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    revision bigint NOT NULL DEFAULT 1,
    delivered bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz,
    PRIMARY KEY (connection, repository, commit)
  );
  CREATE INDEX heads_open ON ${serverDatabaseSchemaName}.heads (due_at) WHERE delivered < revision;
  CREATE INDEX heads_commit ON ${serverDatabaseSchemaName}.heads (commit);
  CREATE INDEX heads_noted ON ${serverDatabaseSchemaName}.heads (noted_at);
  ALTER TABLE ${serverDatabaseSchemaName}.pull_reports ADD dropped_head text;
  CREATE OR REPLACE FUNCTION ${serverDatabaseSchemaName}.report_pull() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${serverDatabaseSchemaName}.pull_reports AS report (workspace, pull_number, run) VALUES (NEW.workspace, NEW.pull_number, NEW.id)
      ON CONFLICT (workspace, pull_number) DO UPDATE
        SET run = NEW.id, fork_head = NULL, revision = report.revision + 1, attempts = 0, due_at = clock_timestamp(),
          dropped_head = CASE WHEN NEW.status = 'queued' THEN NULL ELSE report.dropped_head END
        WHERE (report.run IS NULL AND (report.fork_head IS NULL OR report.fork_head = NEW.pull_head)) OR NEW.number >= (SELECT number FROM ${serverDatabaseSchemaName}.runs WHERE id = report.run);
    UPDATE ${serverDatabaseSchemaName}.heads SET revision = revision + 1, attempts = 0, due_at = clock_timestamp()
      WHERE commit = NEW.pull_head AND NEW.workspace = ANY (workspaces);
    RETURN NULL;
  END $$;
  `;

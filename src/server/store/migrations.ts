import { schema } from './database.ts';

/** What makes the tables, one step a version: a step that was published never changes. */
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
    line bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    stream text NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (run, line)
  );
  `,
];

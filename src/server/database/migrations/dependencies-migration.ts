import { schema } from '../database.ts';

/** Workspaces that come after others, their outputs, and the plans that are due for it. */
export const dependenciesMigration = `
  ALTER TABLE ${schema}.workspaces ADD after text[] NOT NULL DEFAULT '{}';
  CREATE INDEX workspaces_after ON ${schema}.workspaces USING gin (after);
  CREATE TABLE ${schema}.workspace_outputs (
    workspace uuid PRIMARY KEY REFERENCES ${schema}.workspaces (id),
    run_number bigint NOT NULL,
    outputs uuid NOT NULL REFERENCES ${schema}.blobs (id)
  );
  CREATE TABLE ${schema}.due_dependents (
    workspace uuid PRIMARY KEY REFERENCES ${schema}.workspaces (id),
    run uuid NOT NULL REFERENCES ${schema}.runs (id),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz
  );
  `;

import { serverSchemaName } from '../database.ts';

/** Workspaces that come after others, their outputs, and the plans that are due for it. */
export const workspaceDependenciesMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD after text[] NOT NULL DEFAULT '{}';
  CREATE INDEX workspaces_after ON ${serverSchemaName}.workspaces USING gin (after);
  CREATE TABLE ${serverSchemaName}.workspace_outputs (
    workspace uuid PRIMARY KEY REFERENCES ${serverSchemaName}.workspaces (id),
    run_number bigint NOT NULL,
    outputs uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id)
  );
  CREATE TABLE ${serverSchemaName}.due_dependents (
    workspace uuid PRIMARY KEY REFERENCES ${serverSchemaName}.workspaces (id),
    run uuid NOT NULL REFERENCES ${serverSchemaName}.runs (id),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz
  );
  `;

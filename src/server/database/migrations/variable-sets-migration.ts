import { serverSchemaName } from '../database.ts';

/** Migration for sets of variables. A workspace lists the names of its own in order, and a set that one lists is not removed. */
export const variableSetsMigration = `
  CREATE TABLE ${serverSchemaName}.variable_sets (
    name text PRIMARY KEY,
    variables uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id),
    secret_variables text[] NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX variable_sets_variables ON ${serverSchemaName}.variable_sets (variables);
  ALTER TABLE ${serverSchemaName}.workspaces ADD variable_sets text[] NOT NULL DEFAULT '{}';
  `;

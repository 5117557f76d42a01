import { serverSchemaName } from '../database.ts';

/** Policies that the server keeps, for all workspaces or for some. A workspace that is deleted leaves its id behind, so that its policies never become those of all. */
export const policyFilesMigration = `
  CREATE TABLE ${serverSchemaName}.policy_files (
    name text PRIMARY KEY,
    content text NOT NULL,
    workspaces uuid[],
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  `;

import { schema } from '../database.ts';

/** Which variables of a workspace are secrets. */
export const secretsMigration = `
  ALTER TABLE ${schema}.workspaces ADD secret_variables text[] NOT NULL DEFAULT '{}';
  `;

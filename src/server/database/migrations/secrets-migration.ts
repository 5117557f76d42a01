import { schema } from '../database.ts';

/** Migration that stores which variables of a workspace are secret. */
export const secretsMigration = `
  ALTER TABLE ${schema}.workspaces ADD secret_variables text[] NOT NULL DEFAULT '{}';
  `;

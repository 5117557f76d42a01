import { serverSchemaName } from '../database.ts';

/** Migration that stores which variables of a workspace are secret. */
export const secretVariablesMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD secret_variables text[] NOT NULL DEFAULT '{}';
  `;

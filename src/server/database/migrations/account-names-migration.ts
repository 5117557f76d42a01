import { serverSchemaName } from '../database.ts';

/** Migration that names accounts, for workspaces with tokens of their own. */
export const accountNamesMigration = `
  ALTER TABLE ${serverSchemaName}.accounts ADD name text;
  ALTER TABLE ${serverSchemaName}.workspaces ADD account_name text;
  `;

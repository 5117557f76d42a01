import { schema } from '../database.ts';

/** Migration that names accounts, for workspaces with tokens of their own. */
export const accountNamesMigration = `
  ALTER TABLE ${schema}.accounts ADD name text;
  ALTER TABLE ${schema}.workspaces ADD account_name text;
  `;

import { schema } from '../database.ts';

/** Names of accounts, for workspaces with tokens of their own. */
export const accountNamesMigration = `
  ALTER TABLE ${schema}.accounts ADD name text;
  ALTER TABLE ${schema}.workspaces ADD account_name text;
  `;

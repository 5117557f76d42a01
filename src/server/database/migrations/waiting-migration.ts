import { serverSchemaName } from '../database.ts';

/** Until when a queued run waits for its account, which has room for no more requests. */
export const runWaitingMigration = `
  ALTER TABLE ${serverSchemaName}.runs ADD waits_until timestamptz;
  `;

import { serverSchemaName } from '../database.ts';

/** Migration that stores the end of a queued run's wait for its account, which has room for no more requests. */
export const runWaitingMigration = `
  ALTER TABLE ${serverSchemaName}.runs ADD waits_until timestamptz;
  `;

import { schema } from '../database.ts';

/** Until when a queued run waits for its account, which has room for no more requests. */
export const waitingMigration = `
  ALTER TABLE ${schema}.runs ADD waits_until timestamptz;
  `;

import { schema } from '../database.ts';

/** By which the same webhook is known under another id. */
export const bodyDigestsMigration = `
  ALTER TABLE ${schema}.deliveries ADD body_digest text;
  CREATE UNIQUE INDEX deliveries_body ON ${schema}.deliveries (connection, body_digest);
  `;

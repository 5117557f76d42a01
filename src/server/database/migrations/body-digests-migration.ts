import { schema } from '../database.ts';

/** Migration that stores digests of webhook bodies, to recognise one that is sent again. */
export const bodyDigestsMigration = `
  ALTER TABLE ${schema}.deliveries ADD body_digest text;
  CREATE UNIQUE INDEX deliveries_body ON ${schema}.deliveries (connection, body_digest);
  `;

import { serverSchemaName } from '../database.ts';

/** Migration that stores digests of webhook bodies, to recognise one that is sent again. */
export const webhookBodyDigestsMigration = `
  ALTER TABLE ${serverSchemaName}.deliveries ADD body_digest text;
  CREATE UNIQUE INDEX deliveries_body ON ${serverSchemaName}.deliveries (connection, body_digest);
  `;

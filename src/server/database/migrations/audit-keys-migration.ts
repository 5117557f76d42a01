import { serverSchemaName } from '../database.ts';

/** The key that each entry of the audit log is written with; those from before have none. */
export const auditKeysMigration = `
  ALTER TABLE ${serverSchemaName}.audit ADD key_id text NOT NULL DEFAULT '';
  CREATE TABLE ${serverSchemaName}.audit_keys (
    number integer PRIMARY KEY,
    key_id text NOT NULL,
    body bytea NOT NULL
  );
  `;

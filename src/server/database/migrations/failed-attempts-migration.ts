import { serverSchemaName } from '../database.ts';

/** Migration that stores failed sign-ins for as long as they count. */
export const failedAttemptsMigration = `
  CREATE TABLE ${serverSchemaName}.failed_attempts (
    kind text NOT NULL,
    address text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX failed_attempts_address ON ${serverSchemaName}.failed_attempts (kind, address, at);
  CREATE INDEX failed_attempts_at ON ${serverSchemaName}.failed_attempts (at);
  `;

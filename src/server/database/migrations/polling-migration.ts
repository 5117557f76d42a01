import { serverSchemaName } from '../database.ts';

/** Migration that stores when each host of polled repositories is asked again, by whichever process comes first. */
export const repositoryPollingMigration = `
  CREATE TABLE ${serverSchemaName}.poll_clocks (
    host text PRIMARY KEY,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL
  );
  `;

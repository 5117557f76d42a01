import { serverSchemaName } from '../database.ts';

/** Migration that stores the ranges of addresses that probes of a workspace may reach. */
export const probesMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD allow_probes text[] NOT NULL DEFAULT '{}';
  `;

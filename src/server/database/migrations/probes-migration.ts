import { serverSchemaName } from '../database.ts';

/** Ranges of addresses that probes of a workspace may reach. */
export const probesMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD allow_probes text[] NOT NULL DEFAULT '{}';
  `;

import { serverSchemaName } from '../database.ts';

/**
 * Windows and freezes of workspaces, and how long the apply of a plan is expected to take. A run that is held waits for a window,
 * the end of a freeze, an unlocking or a release: others of its workspace do not wait for it.
 */
export const applyWindowsMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces
    ADD windows jsonb NOT NULL DEFAULT '[]',
    ADD freezes jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE ${serverSchemaName}.run_reports ADD expected_ms double precision;
  ALTER TABLE ${serverSchemaName}.runs ADD is_held boolean NOT NULL DEFAULT false;
  `;

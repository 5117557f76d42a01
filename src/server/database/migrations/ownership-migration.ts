import { serverDatabaseSchemaName } from '../database.ts';

/** References whose rows go with their workspace or run: each has its column and the table that it refers to. */
const references = [
  ['runs', 'workspace', 'workspaces'],
  ['runs', 'plan_run', 'runs'],
  ['run_log', 'run', 'runs'],
  ['run_steps', 'run', 'runs'],
  ['run_reports', 'run', 'runs'],
  ['run_reports', 'compared_with', 'runs'],
  ['run_comments', 'run', 'runs'],
  ['approvals', 'plan_run', 'runs'],
  ['pull_reports', 'workspace', 'workspaces'],
  ['pull_reports', 'run', 'runs'],
  ['merged_pulls', 'workspace', 'workspaces'],
  ['workspace_outputs', 'workspace', 'workspaces'],
  ['due_dependents', 'workspace', 'workspaces'],
  ['due_dependents', 'run', 'runs'],
  ['drift_episodes', 'run', 'runs'],
  ['drift_episodes', 'ended_by', 'runs'],
] as const;

const cascades = references
  .map(
    ([table, column, of]) => `
  ALTER TABLE ${serverDatabaseSchemaName}.${table} DROP CONSTRAINT ${table}_${column}_fkey,
    ADD CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (${column}) REFERENCES ${serverDatabaseSchemaName}.${of} (id) ON DELETE CASCADE;`,
  )
  .join('');

/**
 * Workspaces that are deleted, renamed, paused and locked. A state has a name of its own: it stays when the workspace is renamed,
 * and no later workspace gets the state of one that was deleted.
 */
export const workspaceLifecycleMigration = `${cascades}
  CREATE TRIGGER workspace_outputs_forget_outputs AFTER DELETE ON ${serverDatabaseSchemaName}.workspace_outputs
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.forget_text('outputs');

  CREATE TABLE ${serverDatabaseSchemaName}.state_names (name text PRIMARY KEY);
  INSERT INTO ${serverDatabaseSchemaName}.state_names SELECT name FROM ${serverDatabaseSchemaName}.workspaces;
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces
    ADD state_name text,
    ADD paused boolean NOT NULL DEFAULT false,
    ADD lock jsonb;
  UPDATE ${serverDatabaseSchemaName}.workspaces SET state_name = name;
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces ALTER state_name SET NOT NULL;
  CREATE FUNCTION ${serverDatabaseSchemaName}.name_state() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    place integer := 1;
  BEGIN
    NEW.state_name := NEW.name;
    LOOP
      INSERT INTO ${serverDatabaseSchemaName}.state_names VALUES (NEW.state_name) ON CONFLICT DO NOTHING;
      EXIT WHEN FOUND;
      place := place + 1;
      NEW.state_name := NEW.name || '.' || place;
    END LOOP;
    RETURN NEW;
  END $$;
  CREATE TRIGGER workspaces_name_state BEFORE INSERT ON ${serverDatabaseSchemaName}.workspaces
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.name_state();
  `;

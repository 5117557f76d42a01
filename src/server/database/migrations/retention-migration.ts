import { serverDatabaseSchemaName } from '../database.ts';

/** Columns whose row owns the text that they refer to: the text is deleted with the row, or when another takes its place. */
const owners = [
  ['run_log', 'lines'],
  ['run_comments', 'body'],
  ['run_reports', 'page'],
  ['run_reports', 'differences'],
  ['runs', 'plan_file'],
] as const;

const triggers = owners
  .map(
    ([table, column]) => `
  CREATE TRIGGER ${table}_forget_${column} AFTER DELETE ON ${serverDatabaseSchemaName}.${table}
    FOR EACH ROW WHEN (OLD.${column} IS NOT NULL) EXECUTE FUNCTION ${serverDatabaseSchemaName}.forget_text('${column}');
  CREATE TRIGGER ${table}_replace_${column} AFTER UPDATE OF ${column} ON ${serverDatabaseSchemaName}.${table}
    FOR EACH ROW WHEN (OLD.${column} IS NOT NULL AND OLD.${column} IS DISTINCT FROM NEW.${column})
    EXECUTE FUNCTION ${serverDatabaseSchemaName}.forget_text('${column}');`,
  )
  .join('');

/**
 * Indexes for deleting old rows. Every column that refers to a run or a text that is deleted has one: PostgreSQL looks there
 * before it deletes a row.
 */
export const retentionIndexesMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.runs
    ADD details_deleted_at timestamptz,
    ADD details_kept_days integer;
  ALTER TABLE ${serverDatabaseSchemaName}.run_reports ALTER page DROP NOT NULL;
  ALTER TABLE ${serverDatabaseSchemaName}.blobs ADD added_at timestamptz NOT NULL DEFAULT now();
  CREATE INDEX blobs_added ON ${serverDatabaseSchemaName}.blobs (added_at, id);

  CREATE INDEX runs_old_drift ON ${serverDatabaseSchemaName}.runs (ended_at, number) WHERE operation = 'drift' AND ended_at IS NOT NULL;
  CREATE INDEX runs_old_details ON ${serverDatabaseSchemaName}.runs (ended_at, number)
    WHERE details_deleted_at IS NULL AND ended_at IS NOT NULL;
  CREATE INDEX runs_plan_file ON ${serverDatabaseSchemaName}.runs (plan_file) WHERE plan_file IS NOT NULL;
  CREATE INDEX run_log_lines ON ${serverDatabaseSchemaName}.run_log (lines);
  CREATE INDEX run_comments_body ON ${serverDatabaseSchemaName}.run_comments (body);
  CREATE INDEX run_reports_page ON ${serverDatabaseSchemaName}.run_reports (page) WHERE page IS NOT NULL;
  CREATE INDEX run_reports_differences ON ${serverDatabaseSchemaName}.run_reports (differences) WHERE differences IS NOT NULL;
  CREATE INDEX run_reports_compared_with ON ${serverDatabaseSchemaName}.run_reports (compared_with) WHERE compared_with IS NOT NULL;
  CREATE INDEX workspaces_variables ON ${serverDatabaseSchemaName}.workspaces (variables);
  CREATE INDEX workspace_outputs_outputs ON ${serverDatabaseSchemaName}.workspace_outputs (outputs);
  CREATE INDEX connections_secrets ON ${serverDatabaseSchemaName}.connections (secrets);
  CREATE INDEX message_targets_secrets ON ${serverDatabaseSchemaName}.message_targets (secrets);
  CREATE INDEX drift_episodes_run ON ${serverDatabaseSchemaName}.drift_episodes (run);
  CREATE INDEX drift_episodes_ended_by ON ${serverDatabaseSchemaName}.drift_episodes (ended_by) WHERE ended_by IS NOT NULL;
  CREATE INDEX pull_reports_run ON ${serverDatabaseSchemaName}.pull_reports (run) WHERE run IS NOT NULL;
  CREATE INDEX due_dependents_run ON ${serverDatabaseSchemaName}.due_dependents (run);

  CREATE FUNCTION ${serverDatabaseSchemaName}.forget_text() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ${serverDatabaseSchemaName}.blobs WHERE id = (to_jsonb(OLD) ->> TG_ARGV[0])::uuid;
    RETURN NULL;
  END $$;${triggers}
  `;

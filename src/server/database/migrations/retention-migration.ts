import { serverSchemaName } from '../database.ts';

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
  CREATE TRIGGER ${table}_forget_${column} AFTER DELETE ON ${serverSchemaName}.${table}
    FOR EACH ROW WHEN (OLD.${column} IS NOT NULL) EXECUTE FUNCTION ${serverSchemaName}.forget_text('${column}');
  CREATE TRIGGER ${table}_replace_${column} AFTER UPDATE OF ${column} ON ${serverSchemaName}.${table}
    FOR EACH ROW WHEN (OLD.${column} IS NOT NULL AND OLD.${column} IS DISTINCT FROM NEW.${column})
    EXECUTE FUNCTION ${serverSchemaName}.forget_text('${column}');`,
  )
  .join('');

/**
 * Indexes for deleting old rows. Every column that refers to a run or a text that is deleted has one: PostgreSQL looks there
 * before it deletes a row.
 */
export const retentionIndexesMigration = `
  ALTER TABLE ${serverSchemaName}.runs
    ADD details_deleted_at timestamptz,
    ADD details_kept_days integer;
  ALTER TABLE ${serverSchemaName}.run_reports ALTER page DROP NOT NULL;
  ALTER TABLE ${serverSchemaName}.blobs ADD added_at timestamptz NOT NULL DEFAULT now();
  CREATE INDEX blobs_added ON ${serverSchemaName}.blobs (added_at, id);

  CREATE INDEX runs_old_drift ON ${serverSchemaName}.runs (ended_at, number) WHERE operation = 'drift' AND ended_at IS NOT NULL;
  CREATE INDEX runs_old_details ON ${serverSchemaName}.runs (ended_at, number)
    WHERE details_deleted_at IS NULL AND ended_at IS NOT NULL;
  CREATE INDEX runs_plan_file ON ${serverSchemaName}.runs (plan_file) WHERE plan_file IS NOT NULL;
  CREATE INDEX run_log_lines ON ${serverSchemaName}.run_log (lines);
  CREATE INDEX run_comments_body ON ${serverSchemaName}.run_comments (body);
  CREATE INDEX run_reports_page ON ${serverSchemaName}.run_reports (page) WHERE page IS NOT NULL;
  CREATE INDEX run_reports_differences ON ${serverSchemaName}.run_reports (differences) WHERE differences IS NOT NULL;
  CREATE INDEX run_reports_compared_with ON ${serverSchemaName}.run_reports (compared_with) WHERE compared_with IS NOT NULL;
  CREATE INDEX workspaces_variables ON ${serverSchemaName}.workspaces (variables);
  CREATE INDEX workspace_outputs_outputs ON ${serverSchemaName}.workspace_outputs (outputs);
  CREATE INDEX connections_secrets ON ${serverSchemaName}.connections (secrets);
  CREATE INDEX message_targets_secrets ON ${serverSchemaName}.message_targets (secrets);
  CREATE INDEX drift_episodes_run ON ${serverSchemaName}.drift_episodes (run);
  CREATE INDEX drift_episodes_ended_by ON ${serverSchemaName}.drift_episodes (ended_by) WHERE ended_by IS NOT NULL;
  CREATE INDEX pull_reports_run ON ${serverSchemaName}.pull_reports (run) WHERE run IS NOT NULL;
  CREATE INDEX due_dependents_run ON ${serverSchemaName}.due_dependents (run);

  CREATE FUNCTION ${serverSchemaName}.forget_text() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ${serverSchemaName}.blobs WHERE id = (to_jsonb(OLD) ->> TG_ARGV[0])::uuid;
    RETURN NULL;
  END $$;${triggers}
  `;

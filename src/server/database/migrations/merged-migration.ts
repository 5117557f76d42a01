import { serverDatabaseSchemaName } from '../database.ts';

/**
 * Migration for what the server reports to a pull request after its merge: the plan, the reason why it waits, who asked for the
 * apply, and its result.
 */
export const mergeReportsMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.merged_pulls ADD asked jsonb, ADD asked_at timestamptz, ADD held_back text;
  CREATE FUNCTION ${serverDatabaseSchemaName}.report_merged(about uuid, merge text) RETURNS void LANGUAGE sql AS $$
    UPDATE ${serverDatabaseSchemaName}.pull_reports report SET revision = report.revision + 1, attempts = 0, due_at = clock_timestamp()
      FROM ${serverDatabaseSchemaName}.merged_pulls merged WHERE merged.workspace = about AND merged.commit = merge
        AND report.workspace = about AND report.pull_number = merged.pull_number
  $$;
  CREATE FUNCTION ${serverDatabaseSchemaName}.report_merge() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${serverDatabaseSchemaName}.report_merged(NEW.workspace, NEW.commit);
    RETURN NULL;
  END $$;
  CREATE TRIGGER runs_report_merged AFTER INSERT OR UPDATE OF status ON ${serverDatabaseSchemaName}.runs FOR EACH ROW
    WHEN (NEW.pull_number IS NULL AND NEW.operation IN ('plan', 'apply') AND NEW.status <> 'running')
    EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_merge();
  CREATE TRIGGER merged_pulls_report AFTER INSERT OR UPDATE OF held_back ON ${serverDatabaseSchemaName}.merged_pulls
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_merge();

  -- A plan that is going to be applied by itself waits for nobody, unless approvals are missing. Where that comes to nothing,
  -- whoever decides it says so.
  CREATE OR REPLACE FUNCTION ${serverDatabaseSchemaName}.report_run() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kind text := CASE
      WHEN NEW.status = 'failed' THEN 'run.failed'
      WHEN NEW.operation IN ('apply', 'destroy') THEN 'run.applied'
      WHEN NEW.operation = 'plan' AND NEW.has_changes AND EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workspaces w
        WHERE w.id = NEW.workspace AND (approvals_needed > 0 OR coalesce(NEW.origin, '') NOT LIKE 'drift-plan:%'
          AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.merged_pulls m WHERE m.workspace = w.id AND m.commit = NEW.commit
            AND m.decided_at IS NULL AND (w.apply_on_merge OR m.asked IS NOT NULL)))) THEN 'plan.waiting'
    END;
  BEGIN
    IF kind IS NOT NULL THEN
      PERFORM ${serverDatabaseSchemaName}.add_messages(kind, NEW.workspace, NEW.id, '{}');
    END IF;
    RETURN NULL;
  END $$;
  `;

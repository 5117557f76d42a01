import { serverDatabaseSchemaName } from '../database.ts';

/**
 * Migration for previews of plans: a pull request's plan that has to wait for an apply is shown in advance. A preview ends in the
 * same transaction as the waiting or as that apply, and is part of the report about its plan.
 */
export const planPreviewsMigration = `
  -- First what locks the table for all others: a lock that is widened later may never come.
  DROP TRIGGER runs_report_pull ON ${serverDatabaseSchemaName}.runs;
  CREATE TRIGGER runs_report_pull AFTER INSERT OR UPDATE OF status ON ${serverDatabaseSchemaName}.runs FOR EACH ROW
    WHEN (NEW.pull_number IS NOT NULL AND NEW.status <> 'running' AND NEW.operation <> 'preview')
    EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_pull();

  -- Open previews of a plan or of a whole workspace end, and reports of its plans that have not ended are written anew.
  CREATE FUNCTION ${serverDatabaseSchemaName}.end_previews() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    -- An id is that of a plan or that of a workspace, and never both.
    about uuid := (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
  BEGIN
    -- Without its origin, another one may be made. One that somebody has cancelled keeps it.
    UPDATE ${serverDatabaseSchemaName}.runs SET cancels = cancels + 1, origin = CASE cancels WHEN 0 THEN NULL ELSE origin END,
        status = CASE status WHEN 'queued' THEN 'cancelled' ELSE status END,
        ended_at = CASE status WHEN 'queued' THEN clock_timestamp() END
      WHERE (plan_run = about OR workspace = about) AND operation = 'preview' AND status IN ('queued', 'running');
    UPDATE ${serverDatabaseSchemaName}.pull_reports report SET revision = revision + 1, attempts = 0, due_at = clock_timestamp()
      FROM ${serverDatabaseSchemaName}.runs plan
      WHERE (report.run = about OR report.workspace = about) AND plan.id = report.run AND plan.status IN ('queued', 'running')
        AND EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs preview JOIN ${serverDatabaseSchemaName}.run_comments said ON said.run = preview.id
          WHERE preview.workspace = report.workspace AND preview.pull_number = report.pull_number
            AND preview.operation = 'preview' AND preview.status IN ('succeeded', 'failed'));
    RETURN NULL;
  END $$;
  -- By its name it comes before those that lock what is written to a pull request, and the totals.
  CREATE TRIGGER runs_end_previews AFTER UPDATE OF status ON ${serverDatabaseSchemaName}.runs FOR EACH ROW
    WHEN (NEW.operation = 'plan' AND NEW.pull_number IS NOT NULL AND OLD.status = 'queued' AND NEW.status <> 'queued')
    EXECUTE FUNCTION ${serverDatabaseSchemaName}.end_previews('id');
  CREATE TRIGGER workspaces_end_previews AFTER UPDATE OF paused ON ${serverDatabaseSchemaName}.workspaces FOR EACH ROW
    WHEN (NEW.paused AND NOT OLD.paused) EXECUTE FUNCTION ${serverDatabaseSchemaName}.end_previews('id');
  -- By its name it comes after the one that locks the workspace: a workspace that is paused is locked before its previews, too.
  CREATE TRIGGER runs_workspace_then_previews AFTER UPDATE OF status ON ${serverDatabaseSchemaName}.runs FOR EACH ROW
    WHEN (NEW.operation IN ('apply', 'destroy') AND OLD.status = 'running' AND NEW.status <> 'running')
    EXECUTE FUNCTION ${serverDatabaseSchemaName}.end_previews('workspace');
  CREATE TRIGGER runs_report_preview AFTER UPDATE OF status ON ${serverDatabaseSchemaName}.runs FOR EACH ROW
    WHEN (NEW.operation = 'preview' AND NEW.status IN ('succeeded', 'failed') AND NEW.cancels = 0)
    EXECUTE FUNCTION ${serverDatabaseSchemaName}.end_previews('plan_run');
  `;

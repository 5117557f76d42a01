import { serverSchemaName } from '../database.ts';

/**
 * Previews of plans of pull requests that wait for an apply. A preview ends with the waiting of its plan, in one transaction, and
 * is written with it: it is no run of its own to the pull request.
 */
export const planPreviewsMigration = `
  CREATE FUNCTION ${serverSchemaName}.end_previews() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- An id is that of a plan or that of a workspace, and never both.
    UPDATE ${serverSchemaName}.runs SET cancels = cancels + 1,
        status = CASE status WHEN 'queued' THEN 'cancelled' ELSE status END,
        ended_at = CASE status WHEN 'queued' THEN clock_timestamp() END
      WHERE (plan_run = NEW.id OR workspace = NEW.id) AND operation = 'preview' AND status IN ('queued', 'running');
    RETURN NULL;
  END $$;
  -- By its name it comes before those that lock what is written to a pull request, and the totals.
  CREATE TRIGGER runs_end_previews AFTER UPDATE OF status ON ${serverSchemaName}.runs FOR EACH ROW
    WHEN (NEW.operation = 'plan' AND NEW.pull_number IS NOT NULL AND OLD.status = 'queued' AND NEW.status <> 'queued')
    EXECUTE FUNCTION ${serverSchemaName}.end_previews();
  CREATE TRIGGER workspaces_end_previews AFTER UPDATE OF paused ON ${serverSchemaName}.workspaces FOR EACH ROW
    WHEN (NEW.paused AND NOT OLD.paused) EXECUTE FUNCTION ${serverSchemaName}.end_previews();

  DROP TRIGGER runs_report_pull ON ${serverSchemaName}.runs;
  CREATE TRIGGER runs_report_pull AFTER INSERT OR UPDATE OF status ON ${serverSchemaName}.runs FOR EACH ROW
    WHEN (NEW.pull_number IS NOT NULL AND NEW.status <> 'running' AND NEW.operation <> 'preview')
    EXECUTE FUNCTION ${serverSchemaName}.report_pull();
  CREATE FUNCTION ${serverSchemaName}.report_preview() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE ${serverSchemaName}.pull_reports SET revision = revision + 1, attempts = 0, due_at = clock_timestamp()
      WHERE run = NEW.plan_run;
    RETURN NULL;
  END $$;
  CREATE TRIGGER runs_report_preview AFTER UPDATE OF status ON ${serverSchemaName}.runs FOR EACH ROW
    WHEN (NEW.operation = 'preview' AND NEW.status = 'succeeded') EXECUTE FUNCTION ${serverSchemaName}.report_preview();
  `;

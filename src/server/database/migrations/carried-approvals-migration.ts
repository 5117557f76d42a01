import { serverSchemaName } from '../database.ts';

/**
 * Decisions about a plan that hold for a newer one, which is equal to it. A decision at a plan changes what the pull request of
 * its merge says. A plan may need more of them than its workspace asks for, by its policies.
 */
export const carriedApprovalsMigration = `
  ALTER TABLE ${serverSchemaName}.approvals
    ADD carried_from uuid REFERENCES ${serverSchemaName}.runs (id) ON DELETE CASCADE,
    ADD fell text CHECK (fell IN ('commit', 'unknownCommit'));
  CREATE INDEX approvals_carried_from ON ${serverSchemaName}.approvals (carried_from) WHERE carried_from IS NOT NULL;
  ALTER TABLE ${serverSchemaName}.run_reports ADD is_equal boolean NOT NULL DEFAULT false,
    ADD approvals_needed integer NOT NULL DEFAULT 0, ADD approval_policies text[] NOT NULL DEFAULT '{}';
  CREATE FUNCTION ${serverSchemaName}.report_decision() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${serverSchemaName}.report_merged(workspace, commit) FROM ${serverSchemaName}.runs WHERE id = NEW.plan_run;
    RETURN NULL;
  END $$;
  CREATE TRIGGER approvals_report AFTER INSERT OR UPDATE ON ${serverSchemaName}.approvals
    FOR EACH ROW EXECUTE FUNCTION ${serverSchemaName}.report_decision();
  `;

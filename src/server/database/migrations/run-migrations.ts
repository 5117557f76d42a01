// Migrations of the runs: their progress, their waits, and the approvals of their plans.
import { serverDatabaseSchemaName } from '../database.ts';

/** Progress of runs, and the times of their steps. The text of a step goes with its row. */
export const runProgressMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.runs ADD progress jsonb;
  CREATE TABLE ${serverDatabaseSchemaName}.run_steps (
    part bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.runs (id),
    attempt integer NOT NULL,
    notes uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id)
  );
  CREATE INDEX run_steps_run ON ${serverDatabaseSchemaName}.run_steps (run, part);
  CREATE INDEX run_steps_notes ON ${serverDatabaseSchemaName}.run_steps (notes);
  CREATE TRIGGER run_steps_forget_notes AFTER DELETE ON ${serverDatabaseSchemaName}.run_steps
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.forget_text('notes');
  `;

/** Migration that stores the end of a queued run's wait for its account, which has room for no more requests. */
export const runWaitingMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.runs ADD waits_until timestamptz;
  `;

const forget = `EXECUTE FUNCTION ${serverDatabaseSchemaName}.forget_text('approved')`;

/** Migration for the parts of a plan that a person approves, with their digests: an encrypted text, since it quotes findings. */
export const approvedPlanPartsMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.run_reports ADD approved uuid REFERENCES ${serverDatabaseSchemaName}.blobs (id);
  CREATE INDEX run_reports_approved ON ${serverDatabaseSchemaName}.run_reports (approved) WHERE approved IS NOT NULL;
  CREATE TRIGGER run_reports_forget_approved AFTER DELETE ON ${serverDatabaseSchemaName}.run_reports
    FOR EACH ROW WHEN (OLD.approved IS NOT NULL) ${forget};
  CREATE TRIGGER run_reports_replace_approved AFTER UPDATE OF approved ON ${serverDatabaseSchemaName}.run_reports
    FOR EACH ROW WHEN (OLD.approved IS NOT NULL AND OLD.approved IS DISTINCT FROM NEW.approved) ${forget};
  `;

/**
 * Migration for approvals that hold for a newer plan which is equal to the approved one. A decision about a plan makes the report
 * of its merge due again. Policies may ask for more approvals than the workspace does.
 */
export const transferredApprovalsMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.approvals
    ADD carried_from uuid REFERENCES ${serverDatabaseSchemaName}.runs (id) ON DELETE CASCADE,
    ADD fell text CHECK (fell IN ('commit', 'unknownCommit'));
  CREATE INDEX approvals_carried_from ON ${serverDatabaseSchemaName}.approvals (carried_from) WHERE carried_from IS NOT NULL;
  ALTER TABLE ${serverDatabaseSchemaName}.run_reports ADD is_equal boolean NOT NULL DEFAULT false,
    ADD approvals_needed integer NOT NULL DEFAULT 0, ADD approval_policies text[] NOT NULL DEFAULT '{}';
  CREATE FUNCTION ${serverDatabaseSchemaName}.report_decision() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${serverDatabaseSchemaName}.report_merged(workspace, commit) FROM ${serverDatabaseSchemaName}.runs WHERE id = NEW.plan_run;
    RETURN NULL;
  END $$;
  CREATE TRIGGER approvals_report AFTER INSERT OR UPDATE ON ${serverDatabaseSchemaName}.approvals
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_decision();
  `;

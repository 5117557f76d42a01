// Migrations of the runs: their progress, their waits, and the approvals of their plans.
import { serverSchemaName } from '../database.ts';

/** Progress of runs, and the times of their steps. The text of a step goes with its row. */
export const runProgressMigration = `
  ALTER TABLE ${serverSchemaName}.runs ADD progress jsonb;
  CREATE TABLE ${serverSchemaName}.run_steps (
    part bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run uuid NOT NULL REFERENCES ${serverSchemaName}.runs (id),
    attempt integer NOT NULL,
    notes uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id)
  );
  CREATE INDEX run_steps_run ON ${serverSchemaName}.run_steps (run, part);
  CREATE INDEX run_steps_notes ON ${serverSchemaName}.run_steps (notes);
  CREATE TRIGGER run_steps_forget_notes AFTER DELETE ON ${serverSchemaName}.run_steps
    FOR EACH ROW EXECUTE FUNCTION ${serverSchemaName}.forget_text('notes');
  `;

/** Migration that stores the end of a queued run's wait for its account, which has room for no more requests. */
export const runWaitingMigration = `
  ALTER TABLE ${serverSchemaName}.runs ADD waits_until timestamptz;
  `;

const forget = `EXECUTE FUNCTION ${serverSchemaName}.forget_text('approved')`;

/** The approved parts of a plan with their digests: an encrypted text, since it quotes the findings. */
export const approvedPlanPartsMigration = `
  ALTER TABLE ${serverSchemaName}.run_reports ADD approved uuid REFERENCES ${serverSchemaName}.blobs (id);
  CREATE INDEX run_reports_approved ON ${serverSchemaName}.run_reports (approved) WHERE approved IS NOT NULL;
  CREATE TRIGGER run_reports_forget_approved AFTER DELETE ON ${serverSchemaName}.run_reports
    FOR EACH ROW WHEN (OLD.approved IS NOT NULL) ${forget};
  CREATE TRIGGER run_reports_replace_approved AFTER UPDATE OF approved ON ${serverSchemaName}.run_reports
    FOR EACH ROW WHEN (OLD.approved IS NOT NULL AND OLD.approved IS DISTINCT FROM NEW.approved) ${forget};
  `;

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

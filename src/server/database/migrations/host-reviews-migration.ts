import { serverSchemaName } from '../database.ts';

/**
 * Reviews of git hosts that count as approvals: who has approved the pull request of a merge, and which decisions come from that.
 * One that is withdrawn changes what the pull request says, as a new one does.
 */
export const hostReviewsMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD approval_host_reviews boolean NOT NULL DEFAULT false;
  ALTER TABLE ${serverSchemaName}.merged_pulls ADD reviews jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE ${serverSchemaName}.approvals ADD review jsonb, DROP CONSTRAINT approvals_fell_check,
    ADD CONSTRAINT approvals_fell_check CHECK (fell IN ('commit', 'unknownCommit', 'opened', 'differs'));
  CREATE FUNCTION ${serverSchemaName}.report_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${serverSchemaName}.report_merged(workspace, commit) FROM ${serverSchemaName}.runs WHERE id = OLD.plan_run;
    RETURN NULL;
  END $$;
  CREATE TRIGGER approvals_report_withdrawal AFTER DELETE ON ${serverSchemaName}.approvals
    FOR EACH ROW EXECUTE FUNCTION ${serverSchemaName}.report_withdrawal();
  `;

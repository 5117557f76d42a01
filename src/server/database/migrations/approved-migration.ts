import { serverSchemaName } from '../database.ts';

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

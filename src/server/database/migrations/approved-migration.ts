import { schema } from '../database.ts';

const forget = `EXECUTE FUNCTION ${schema}.forget_text('approved')`;

/** The approved parts of a plan with their digests: an encrypted text, since it quotes the findings. */
export const approvedMigration = `
  ALTER TABLE ${schema}.run_reports ADD approved uuid REFERENCES ${schema}.blobs (id);
  CREATE INDEX run_reports_approved ON ${schema}.run_reports (approved) WHERE approved IS NOT NULL;
  CREATE TRIGGER run_reports_forget_approved AFTER DELETE ON ${schema}.run_reports
    FOR EACH ROW WHEN (OLD.approved IS NOT NULL) ${forget};
  CREATE TRIGGER run_reports_replace_approved AFTER UPDATE OF approved ON ${schema}.run_reports
    FOR EACH ROW WHEN (OLD.approved IS NOT NULL AND OLD.approved IS DISTINCT FROM NEW.approved) ${forget};
  `;

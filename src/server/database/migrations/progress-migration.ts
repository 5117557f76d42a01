import { schema } from '../database.ts';

/** Progress of runs, and the times of their steps. The text of a step goes with its row. */
export const progressMigration = `
  ALTER TABLE ${schema}.runs ADD progress jsonb;
  CREATE TABLE ${schema}.run_steps (
    part bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run uuid NOT NULL REFERENCES ${schema}.runs (id),
    attempt integer NOT NULL,
    notes uuid NOT NULL REFERENCES ${schema}.blobs (id)
  );
  CREATE INDEX run_steps_run ON ${schema}.run_steps (run, part);
  CREATE INDEX run_steps_notes ON ${schema}.run_steps (notes);
  CREATE TRIGGER run_steps_forget_notes AFTER DELETE ON ${schema}.run_steps
    FOR EACH ROW EXECUTE FUNCTION ${schema}.forget_text('notes');
  `;

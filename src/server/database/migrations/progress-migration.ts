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

import { serverDatabaseSchemaName } from '../database.ts';

/** The upper bounds of the durations that are counted, in seconds. */
export const durationBoundsSeconds = [1, 2, 5, 10, 20, 60, 120, 300, 600, 1_800, 3_600] as const;

const bounds = `ARRAY[${durationBoundsSeconds.join(', ')}]::float8[]`;

/**
 * Migration for counts and durations of ended runs, summed up as each run ends, so that the metrics need not count all runs.
 * Durations are counted by upper bound, with one more count for longer ones.
 */
export const runTotalsMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.run_totals (
    operation text NOT NULL,
    status text NOT NULL,
    count bigint NOT NULL DEFAULT 0,
    waited_s double precision NOT NULL DEFAULT 0,
    waited_counts bigint[] NOT NULL,
    took_s double precision NOT NULL DEFAULT 0,
    took_counts bigint[] NOT NULL,
    PRIMARY KEY (operation, status)
  );
  CREATE FUNCTION ${serverDatabaseSchemaName}.total_run() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    began timestamptz := coalesce(NEW.started_at, NEW.ended_at);
    waited double precision := greatest(0, extract(epoch FROM began - NEW.created_at));
    took double precision := greatest(0, extract(epoch FROM NEW.ended_at - began));
    waited_at integer := width_bucket(waited, ${bounds}) + 1;
    took_at integer := width_bucket(took, ${bounds}) + 1;
    none bigint[] := array_fill(0::bigint, ARRAY[${durationBoundsSeconds.length + 1}]);
  BEGIN
    INSERT INTO ${serverDatabaseSchemaName}.run_totals (operation, status, waited_counts, took_counts)
      VALUES (NEW.operation, NEW.status, none, none) ON CONFLICT DO NOTHING;
    UPDATE ${serverDatabaseSchemaName}.run_totals SET count = count + 1, waited_s = waited_s + waited, took_s = took_s + took,
        waited_counts[waited_at] = waited_counts[waited_at] + 1, took_counts[took_at] = took_counts[took_at] + 1
      WHERE operation = NEW.operation AND status = NEW.status;
    RETURN NULL;
  END $$;
  -- By its name it comes after the one that locks the workspace: two transactions take their locks in one order.
  CREATE TRIGGER runs_workspace_totals AFTER UPDATE OF status ON ${serverDatabaseSchemaName}.runs
    FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL) EXECUTE FUNCTION ${serverDatabaseSchemaName}.total_run();
  `;

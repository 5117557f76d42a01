import { serverDatabaseSchemaName } from '../database.ts';

/** Migration for drift: when each workspace is checked for it, and since when it has drifted. */
export const driftMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces
    ADD drift_every_minutes integer CHECK (drift_every_minutes > 0),
    ADD drift_due_at timestamptz,
    ADD apply_drift boolean NOT NULL DEFAULT false;
  CREATE INDEX workspaces_drift_due ON ${serverDatabaseSchemaName}.workspaces (drift_due_at) WHERE drift_due_at IS NOT NULL;
  CREATE INDEX runs_applied ON ${serverDatabaseSchemaName}.runs (workspace, number)
    WHERE operation IN ('apply', 'destroy') AND started_at IS NOT NULL;

  -- Each workspace has a moment of its own within the interval, by a hash of its id: thousands of them spread evenly.
  CREATE FUNCTION ${serverDatabaseSchemaName}.next_drift(workspace uuid, every_minutes integer, after timestamptz) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
    SELECT to_timestamp((floor((extract(epoch FROM after) - phase) / seconds) + 1) * seconds + phase)
      FROM (SELECT every_minutes * 60 AS seconds,
        ('x' || left(md5(workspace::text), 8))::bit(32)::bigint % (every_minutes * 60) AS phase) slot
  $$;
  CREATE FUNCTION ${serverDatabaseSchemaName}.schedule_drift() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' OR NEW.drift_every_minutes IS DISTINCT FROM OLD.drift_every_minutes THEN
      NEW.drift_due_at := ${serverDatabaseSchemaName}.next_drift(NEW.id, NEW.drift_every_minutes, clock_timestamp());
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER workspaces_schedule_drift BEFORE INSERT OR UPDATE OF drift_every_minutes ON ${serverDatabaseSchemaName}.workspaces
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.schedule_drift();

  CREATE TABLE ${serverDatabaseSchemaName}.drift_episodes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.workspaces (id) ON DELETE CASCADE,
    began_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    fingerprint text NOT NULL,
    changes jsonb NOT NULL,
    run uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.runs (id),
    ended_by uuid REFERENCES ${serverDatabaseSchemaName}.runs (id),
    repair text CHECK (repair IN ('wanted', 'planned', 'decided'))
  );
  CREATE TABLE ${serverDatabaseSchemaName}.drift_repairs (
    workspace uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.workspaces (id) ON DELETE CASCADE,
    fingerprint text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace, fingerprint)
  );
  CREATE UNIQUE INDEX drift_episodes_open ON ${serverDatabaseSchemaName}.drift_episodes (workspace) WHERE ended_at IS NULL;
  CREATE INDEX drift_episodes_workspace ON ${serverDatabaseSchemaName}.drift_episodes (workspace, id);
  CREATE INDEX drift_episodes_repair ON ${serverDatabaseSchemaName}.drift_episodes (id)
    WHERE ended_at IS NULL AND repair IN ('wanted', 'planned');
  `;

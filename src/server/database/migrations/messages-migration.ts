import { serverDatabaseSchemaName } from '../database.ts';

/** Migration for the messages about runs that the server sends: their targets, and each message until it was delivered. */
export const messagesMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.message_targets (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('webhook', 'slack', 'email')),
    site text NOT NULL,
    events text[] NOT NULL,
    workspaces uuid[],
    secrets uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE ${serverDatabaseSchemaName}.messages (
    id uuid PRIMARY KEY,
    target uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.message_targets (id) ON DELETE CASCADE,
    event text NOT NULL,
    detail jsonb NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz,
    sent_at timestamptz,
    dead_at timestamptz,
    fault text
  );
  CREATE INDEX messages_open ON ${serverDatabaseSchemaName}.messages (due_at) WHERE sent_at IS NULL AND dead_at IS NULL;
  CREATE INDEX messages_target ON ${serverDatabaseSchemaName}.messages (target) WHERE sent_at IS NULL AND dead_at IS NULL;
  CREATE INDEX messages_sent ON ${serverDatabaseSchemaName}.messages (sent_at) WHERE sent_at IS NOT NULL;
  CREATE INDEX messages_dead ON ${serverDatabaseSchemaName}.messages (dead_at) WHERE dead_at IS NOT NULL;

  -- A message is written with what it reports, in one transaction. It has no text of a configuration, a plan or a variable.
  CREATE FUNCTION ${serverDatabaseSchemaName}.add_messages(reported text, about uuid, by_run uuid, more jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO ${serverDatabaseSchemaName}.messages (id, target, event, detail)
    SELECT gen_random_uuid(), t.id, reported, jsonb_strip_nulls(jsonb_build_object(
      'workspace', w.name,
      'run', jsonb_build_object('id', r.id, 'number', r.number, 'operation', r.operation, 'status', r.status, 'commit', r.commit),
      'counts', (SELECT summary FROM ${serverDatabaseSchemaName}.run_reports
        WHERE run = CASE r.operation WHEN 'plan' THEN r.id WHEN 'apply' THEN r.plan_run END))) || more
    FROM ${serverDatabaseSchemaName}.message_targets t
    JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = about JOIN ${serverDatabaseSchemaName}.runs r ON r.id = by_run
    WHERE reported = ANY (t.events) AND (t.workspaces IS NULL OR about = ANY (t.workspaces))
  $$;
  CREATE FUNCTION ${serverDatabaseSchemaName}.report_run() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kind text := CASE
      WHEN NEW.status = 'failed' THEN 'run.failed'
      WHEN NEW.operation IN ('apply', 'destroy') THEN 'run.applied'
      WHEN NEW.operation = 'plan' AND NEW.has_changes AND EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workspaces
        WHERE id = NEW.workspace AND approvals_needed > 0) THEN 'plan.waiting'
    END;
  BEGIN
    IF kind IS NOT NULL THEN
      PERFORM ${serverDatabaseSchemaName}.add_messages(kind, NEW.workspace, NEW.id, '{}');
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER runs_report_run AFTER UPDATE OF status ON ${serverDatabaseSchemaName}.runs FOR EACH ROW
    WHEN (NEW.pull_number IS NULL AND OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('succeeded', 'failed'))
    EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_run();
  CREATE FUNCTION ${serverDatabaseSchemaName}.report_drift() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kind text := CASE
      WHEN TG_OP = 'INSERT' THEN 'drift.began'
      WHEN NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL THEN 'drift.ended'
      WHEN NEW.fingerprint <> OLD.fingerprint THEN 'drift.changed'
    END;
  BEGIN
    IF kind IS NOT NULL THEN
      PERFORM ${serverDatabaseSchemaName}.add_messages(kind, NEW.workspace, coalesce(NEW.ended_by, NEW.run), jsonb_build_object(
        'drift', jsonb_build_object('beganAt', NEW.began_at,
          'count', CASE WHEN kind = 'drift.ended' THEN 0 ELSE jsonb_array_length(NEW.changes) END)));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER drift_episodes_report AFTER INSERT OR UPDATE ON ${serverDatabaseSchemaName}.drift_episodes
    FOR EACH ROW EXECUTE FUNCTION ${serverDatabaseSchemaName}.report_drift();
  `;

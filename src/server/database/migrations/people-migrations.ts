import { serverDatabaseSchemaName } from '../database.ts';

/** Tables of people and API tokens with their roles. */
const members = `
  CREATE TABLE ${serverDatabaseSchemaName}.members (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('person', 'token')),
    name text NOT NULL,
    issuer text,
    subject text,
    email text,
    token_hash bytea UNIQUE,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (issuer, subject),
    CHECK (CASE kind WHEN 'person' THEN issuer IS NOT NULL AND subject IS NOT NULL
      ELSE token_hash IS NOT NULL AND expires_at IS NOT NULL END)
  );
  CREATE UNIQUE INDEX members_token_name ON ${serverDatabaseSchemaName}.members (name) WHERE kind = 'token';
  CREATE TABLE ${serverDatabaseSchemaName}.grants (
    member uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.members (id) ON DELETE CASCADE,
    workspace uuid REFERENCES ${serverDatabaseSchemaName}.workspaces (id) ON DELETE CASCADE,
    role text NOT NULL,
    CHECK (role <> 'admin' OR workspace IS NULL)
  );
  CREATE INDEX grants_member ON ${serverDatabaseSchemaName}.grants (member, workspace);
  CREATE INDEX grants_workspace ON ${serverDatabaseSchemaName}.grants (workspace);
  CREATE INDEX runs_number ON ${serverDatabaseSchemaName}.runs (number);
  ALTER TABLE ${serverDatabaseSchemaName}.sessions ADD member uuid REFERENCES ${serverDatabaseSchemaName}.members (id) ON DELETE CASCADE;
  `;

/** Table of the audit log, to which entries can only be added. */
const audit = `
  CREATE TABLE ${serverDatabaseSchemaName}.audit (
    seq bigint PRIMARY KEY,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    actor_kind text NOT NULL,
    actor_name text NOT NULL,
    address text NOT NULL,
    act text NOT NULL,
    target text NOT NULL,
    result text NOT NULL,
    detail text NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL
  );
  CREATE FUNCTION ${serverDatabaseSchemaName}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The audit log is append-only.';
  END $$;
  CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${serverDatabaseSchemaName}.audit
    FOR EACH STATEMENT EXECUTE FUNCTION ${serverDatabaseSchemaName}.refuse_change();
  `;

/** Decisions about saved plans, and the rule of each workspace. */
const approvals = `
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces
    ADD approvals_needed integer NOT NULL DEFAULT 0,
    ADD approval_by_author boolean NOT NULL DEFAULT false,
    ADD apply_when_approved boolean NOT NULL DEFAULT false;
  ALTER TABLE ${serverDatabaseSchemaName}.runs ADD requested_by text;
  CREATE INDEX runs_plan ON ${serverDatabaseSchemaName}.runs (plan_run) WHERE plan_run IS NOT NULL;
  CREATE TABLE ${serverDatabaseSchemaName}.approvals (
    plan_run uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.runs (id),
    member text NOT NULL,
    name text NOT NULL,
    decision text NOT NULL CHECK (decision IN ('yes', 'no')),
    comment text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (plan_run, member)
  );
  `;

/** Migrations for people and their rights, one for each version of the schema. */
export const peopleMigrations: readonly string[] = [members, audit, approvals];

/** Migration for the keys that sign audit entries; older entries are unsigned. */
export const auditKeysMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.audit ADD key_id text NOT NULL DEFAULT '';
  CREATE TABLE ${serverDatabaseSchemaName}.audit_keys (
    number integer PRIMARY KEY,
    key_id text NOT NULL,
    body bytea NOT NULL
  );
  `;

/** Migration that stores failed sign-ins for as long as they count. */
export const failedAttemptsMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.failed_attempts (
    kind text NOT NULL,
    address text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX failed_attempts_address ON ${serverDatabaseSchemaName}.failed_attempts (kind, address, at);
  CREATE INDEX failed_attempts_at ON ${serverDatabaseSchemaName}.failed_attempts (at);
  `;

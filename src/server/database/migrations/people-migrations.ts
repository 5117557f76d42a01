import { serverSchemaName } from '../database.ts';

/** Tables of people and API tokens with their roles. */
const members = `
  CREATE TABLE ${serverSchemaName}.members (
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
  CREATE UNIQUE INDEX members_token_name ON ${serverSchemaName}.members (name) WHERE kind = 'token';
  CREATE TABLE ${serverSchemaName}.grants (
    member uuid NOT NULL REFERENCES ${serverSchemaName}.members (id) ON DELETE CASCADE,
    workspace uuid REFERENCES ${serverSchemaName}.workspaces (id) ON DELETE CASCADE,
    role text NOT NULL,
    CHECK (role <> 'admin' OR workspace IS NULL)
  );
  CREATE INDEX grants_member ON ${serverSchemaName}.grants (member, workspace);
  CREATE INDEX grants_workspace ON ${serverSchemaName}.grants (workspace);
  CREATE INDEX runs_number ON ${serverSchemaName}.runs (number);
  ALTER TABLE ${serverSchemaName}.sessions ADD member uuid REFERENCES ${serverSchemaName}.members (id) ON DELETE CASCADE;
  `;

/** Table of the audit log, to which entries can only be added. */
const audit = `
  CREATE TABLE ${serverSchemaName}.audit (
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
  CREATE FUNCTION ${serverSchemaName}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The audit log is append-only.';
  END $$;
  CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${serverSchemaName}.audit
    FOR EACH STATEMENT EXECUTE FUNCTION ${serverSchemaName}.refuse_change();
  `;

/** Decisions about saved plans, and the rule of each workspace. */
const approvals = `
  ALTER TABLE ${serverSchemaName}.workspaces
    ADD approvals_needed integer NOT NULL DEFAULT 0,
    ADD approval_by_author boolean NOT NULL DEFAULT false,
    ADD apply_when_approved boolean NOT NULL DEFAULT false;
  ALTER TABLE ${serverSchemaName}.runs ADD requested_by text;
  CREATE INDEX runs_plan ON ${serverSchemaName}.runs (plan_run) WHERE plan_run IS NOT NULL;
  CREATE TABLE ${serverSchemaName}.approvals (
    plan_run uuid NOT NULL REFERENCES ${serverSchemaName}.runs (id),
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

/** The key that each entry of the audit log is written with; those from before have none. */
export const auditKeysMigration = `
  ALTER TABLE ${serverSchemaName}.audit ADD key_id text NOT NULL DEFAULT '';
  CREATE TABLE ${serverSchemaName}.audit_keys (
    number integer PRIMARY KEY,
    key_id text NOT NULL,
    body bytea NOT NULL
  );
  `;

/** Migration that stores failed sign-ins for as long as they count. */
export const failedAttemptsMigration = `
  CREATE TABLE ${serverSchemaName}.failed_attempts (
    kind text NOT NULL,
    address text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX failed_attempts_address ON ${serverSchemaName}.failed_attempts (kind, address, at);
  CREATE INDEX failed_attempts_at ON ${serverSchemaName}.failed_attempts (at);
  `;

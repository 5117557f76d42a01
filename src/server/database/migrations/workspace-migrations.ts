// Migrations of the workspaces: their variables, probes, dependencies, apply windows and policies.
import { serverDatabaseSchemaName } from '../database.ts';

/** Migration for sets of variables. A workspace lists the names of its own in order, and a set that one lists is not removed. */
export const variableSetsMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.variable_sets (
    name text PRIMARY KEY,
    variables uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id),
    secret_variables text[] NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX variable_sets_variables ON ${serverDatabaseSchemaName}.variable_sets (variables);
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces ADD variable_sets text[] NOT NULL DEFAULT '{}';
  `;

/** Migration that stores the ranges of addresses that probes of a workspace may reach. */
export const probeRangesMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces ADD allow_probes text[] NOT NULL DEFAULT '{}';
  `;

/** Migration that stores which variables of a workspace are secret. */
export const secretVariablesMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces ADD secret_variables text[] NOT NULL DEFAULT '{}';
  `;

/**
 * Migration for dependencies between workspaces: their outputs, and the plans that are due once another workspace was applied.
 */
export const workspaceDependenciesMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces ADD after text[] NOT NULL DEFAULT '{}';
  CREATE INDEX workspaces_after ON ${serverDatabaseSchemaName}.workspaces USING gin (after);
  CREATE TABLE ${serverDatabaseSchemaName}.workspace_outputs (
    workspace uuid PRIMARY KEY REFERENCES ${serverDatabaseSchemaName}.workspaces (id),
    run_number bigint NOT NULL,
    outputs uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.blobs (id)
  );
  CREATE TABLE ${serverDatabaseSchemaName}.due_dependents (
    workspace uuid PRIMARY KEY REFERENCES ${serverDatabaseSchemaName}.workspaces (id),
    run uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.runs (id),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz
  );
  `;

/**
 * Migration for apply windows and freezes of workspaces, and for the expected duration of a plan's apply. A held run waits for a
 * window, the end of a freeze, an unlocking or a release; other runs of its workspace do not wait for it.
 */
export const applyWindowsMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces
    ADD windows jsonb NOT NULL DEFAULT '[]',
    ADD freezes jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE ${serverDatabaseSchemaName}.run_reports ADD expected_ms double precision;
  ALTER TABLE ${serverDatabaseSchemaName}.runs ADD is_held boolean NOT NULL DEFAULT false;
  `;

/**
 * Migration for the policy files that the server stores, for all workspaces or for some. The id of a deleted workspace stays in
 * its files, so that they never become policies of all workspaces.
 */
export const policyFilesMigration = `
  CREATE TABLE ${serverDatabaseSchemaName}.policy_files (
    name text PRIMARY KEY,
    content text NOT NULL,
    workspaces uuid[],
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  `;

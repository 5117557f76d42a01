// Migrations of the workspaces: their variables, probes, dependencies, apply windows and policies.
import { serverSchemaName } from '../database.ts';

/** Migration for sets of variables. A workspace lists the names of its own in order, and a set that one lists is not removed. */
export const variableSetsMigration = `
  CREATE TABLE ${serverSchemaName}.variable_sets (
    name text PRIMARY KEY,
    variables uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id),
    secret_variables text[] NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX variable_sets_variables ON ${serverSchemaName}.variable_sets (variables);
  ALTER TABLE ${serverSchemaName}.workspaces ADD variable_sets text[] NOT NULL DEFAULT '{}';
  `;

/** Migration that stores the ranges of addresses that probes of a workspace may reach. */
export const probesMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD allow_probes text[] NOT NULL DEFAULT '{}';
  `;

/** Migration that stores which variables of a workspace are secret. */
export const secretVariablesMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD secret_variables text[] NOT NULL DEFAULT '{}';
  `;

/** Workspaces that come after others, their outputs, and the plans that are due for it. */
export const workspaceDependenciesMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces ADD after text[] NOT NULL DEFAULT '{}';
  CREATE INDEX workspaces_after ON ${serverSchemaName}.workspaces USING gin (after);
  CREATE TABLE ${serverSchemaName}.workspace_outputs (
    workspace uuid PRIMARY KEY REFERENCES ${serverSchemaName}.workspaces (id),
    run_number bigint NOT NULL,
    outputs uuid NOT NULL REFERENCES ${serverSchemaName}.blobs (id)
  );
  CREATE TABLE ${serverSchemaName}.due_dependents (
    workspace uuid PRIMARY KEY REFERENCES ${serverSchemaName}.workspaces (id),
    run uuid NOT NULL REFERENCES ${serverSchemaName}.runs (id),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_by uuid,
    claimed_at timestamptz
  );
  `;

/**
 * Windows and freezes of workspaces, and how long the apply of a plan is expected to take. A run that is held waits for a window,
 * the end of a freeze, an unlocking or a release: others of its workspace do not wait for it.
 */
export const applyWindowsMigration = `
  ALTER TABLE ${serverSchemaName}.workspaces
    ADD windows jsonb NOT NULL DEFAULT '[]',
    ADD freezes jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE ${serverSchemaName}.run_reports ADD expected_ms double precision;
  ALTER TABLE ${serverSchemaName}.runs ADD is_held boolean NOT NULL DEFAULT false;
  `;

/** Policies that the server keeps, for all workspaces or for some. A workspace that is deleted leaves its id behind, so that its policies never become those of all. */
export const policyFilesMigration = `
  CREATE TABLE ${serverSchemaName}.policy_files (
    name text PRIMARY KEY,
    content text NOT NULL,
    workspaces uuid[],
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  `;

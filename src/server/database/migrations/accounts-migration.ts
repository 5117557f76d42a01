import { serverDatabaseSchemaName } from '../database.ts';

/**
 * Migration for what workspaces share in an account of a service: the budget of requests, the owner of each project, and the
 * quotas that approved plans have reserved.
 */
export const accountsMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.accounts
    ADD requests_per_second double precision,
    ADD burst integer,
    ADD tokens double precision NOT NULL DEFAULT 0,
    ADD filled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD held_until timestamptz,
    ADD requests bigint NOT NULL DEFAULT 0,
    ADD refusals bigint NOT NULL DEFAULT 0,
    ADD CHECK ((requests_per_second IS NULL) = (burst IS NULL));
  CREATE TABLE ${serverDatabaseSchemaName}.account_use (
    account bigint NOT NULL REFERENCES ${serverDatabaseSchemaName}.accounts (id) ON DELETE CASCADE,
    minute timestamptz NOT NULL,
    requests bigint NOT NULL DEFAULT 0,
    refusals bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account, minute)
  );
  CREATE TABLE ${serverDatabaseSchemaName}.account_projects (
    account bigint NOT NULL REFERENCES ${serverDatabaseSchemaName}.accounts (id) ON DELETE CASCADE,
    project text NOT NULL,
    workspace uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.workspaces (id) ON DELETE CASCADE,
    PRIMARY KEY (account, project)
  );
  CREATE TABLE ${serverDatabaseSchemaName}.quota_reservations (
    plan_run uuid NOT NULL REFERENCES ${serverDatabaseSchemaName}.runs (id) ON DELETE CASCADE,
    account bigint NOT NULL REFERENCES ${serverDatabaseSchemaName}.accounts (id) ON DELETE CASCADE,
    quota text NOT NULL,
    amount double precision NOT NULL,
    PRIMARY KEY (plan_run, quota)
  );
  CREATE INDEX quota_reservations_account ON ${serverDatabaseSchemaName}.quota_reservations (account);
  CREATE INDEX account_projects_workspace ON ${serverDatabaseSchemaName}.account_projects (workspace);
  `;

/** Migration that names accounts, for workspaces with tokens of their own. */
export const accountNamesMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.accounts ADD name text;
  ALTER TABLE ${serverDatabaseSchemaName}.workspaces ADD account_name text;
  `;

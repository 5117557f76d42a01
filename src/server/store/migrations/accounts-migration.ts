import { schema } from '../database.ts';

/** The budget of requests of each account, and how many were sent in each minute. */
export const accountsMigration = `
  ALTER TABLE ${schema}.accounts
    ADD requests_per_second double precision,
    ADD burst integer,
    ADD tokens double precision NOT NULL DEFAULT 0,
    ADD filled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD held_until timestamptz,
    ADD requests bigint NOT NULL DEFAULT 0,
    ADD refusals bigint NOT NULL DEFAULT 0,
    ADD CHECK ((requests_per_second IS NULL) = (burst IS NULL));
  CREATE TABLE ${schema}.account_use (
    account bigint NOT NULL REFERENCES ${schema}.accounts (id) ON DELETE CASCADE,
    minute timestamptz NOT NULL,
    requests bigint NOT NULL DEFAULT 0,
    refusals bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account, minute)
  );
  `;

// The hold of the server: plans and pages as ever, and nothing that changes an account, until an administrator releases it. It is
// set by hand for maintenance, and by itself in a database that is a copy: the original may be at work on the same accounts.
import { serverActor } from '../audit/audit-entry.ts';
import type { AuditLogStore } from '../audit/audit-log.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';
import type { RunOperation } from './run.ts';
import type { ServerSettingStore } from './settings.ts';

/** A hold of the server, during which it plans but neither applies nor destroys: since when, and why. */
export interface ServerHoldSummary {
  /** Time when the hold began, in RFC 3339 format. */
  readonly since: string;
  readonly reason: string;
  /** Set where the database was restored or copied from another one. */
  readonly isCopy: boolean;
}

/** The name of the setting that is there while the server is held. */
const holdSetting = 'hold';
const identitySetting = 'database-identity';

const copyReason =
  'The database is a copy, and the original may be in use. Cancel the applies that the original carries out, then release the server.';

/** Tells whether a run changes the account (apply, destroy), so that it does not begin while the server is held. */
export function isAccountChangingRun({ operation }: { readonly operation: RunOperation }): boolean {
  return operation === 'apply' || operation === 'destroy';
}

/** Hold of the whole server, during which it plans but neither applies nor destroys, in the database. */
export class ServerHoldStore {
  readonly #database: ServerDatabase;
  readonly #settings: ServerSettingStore;
  readonly #audit: AuditLogStore;

  constructor(database: ServerDatabase, settings: ServerSettingStore, audit: AuditLogStore) {
    this.#database = database;
    this.#settings = settings;
    this.#audit = audit;
  }

  /** Reads the hold; undefined where the server is not held. */
  async read(): Promise<ServerHoldSummary | undefined> {
    const value = await this.#settings.read(holdSetting);
    return value === undefined ? undefined : (JSON.parse(value) as ServerHoldSummary);
  }

  /** Holds the server. @returns false where it is held already. */
  async begin({ reason, isCopy }: Omit<ServerHoldSummary, 'since'>): Promise<boolean> {
    const mark: ServerHoldSummary = { since: new Date().toISOString(), reason, isCopy };
    return this.#settings.begin(holdSetting, JSON.stringify(mark));
  }

  /** Releases the server. @returns false where it is not held. */
  async end(): Promise<boolean> {
    return this.#settings.remove(holdSetting);
  }

  /**
   * Holds the server where its database is a copy of the one that the tables were made in, or where `isWanted`, so that two
   * servers never change the same accounts. The identity is that of PostgreSQL's cluster and of the database: a standby that
   * takes over has the same.
   * @returns the hold; undefined where there is none
   */
  async confirmPlace(isWanted = false): Promise<ServerHoldSummary | undefined> {
    return this.#database.transact(async () => {
      const [row] = await this.#database.ask<{ identity: string }>(
        `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS identity
         FROM pg_database WHERE datname = current_database()`,
      );
      const identity = row?.identity ?? '';
      const isFirst = await this.#settings.begin(identitySetting, identity);
      // Of processes that start at once, one finds the old identity.
      const isCopy = !isFirst && (await this.#settings.replace(identitySetting, identity));
      if (isCopy) await this.#holdBySelf({ reason: copyReason, isCopy });
      else if (isWanted) await this.#holdBySelf({ reason: 'Started with --hold.', isCopy });
      return this.read();
    });
  }

  async #holdBySelf(hold: Omit<ServerHoldSummary, 'since'>): Promise<void> {
    // A hold that was copied with the database is replaced, as the copy is held for being one.
    if (hold.isCopy) await this.end();
    if (!(await this.begin(hold))) return;
    const act = { act: 'server.hold', target: 'server', detail: hold, result: 'done' } as const;
    await this.#audit.append(serverActor, act);
  }
}

/** SQL condition that is true while the server is held. */
export const serverHeldCondition = `EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.settings WHERE name = '${holdSetting}')`;

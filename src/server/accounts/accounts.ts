import { createHash } from 'node:crypto';
import { buildViewableCondition } from '../people/members.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import type { Schemas } from '../contract.ts';

/** A quota of a service's account, as the last plan read it. */
export type LastKnownQuota = Schemas['Account']['quotas'][number];

/** Rate limit of the requests of all workers together to one account. */
export interface RequestBudget {
  readonly requestsPerSecond: number;
  /** Number of requests that may be sent at once, before the rate applies. */
  readonly burst: number;
}

/** Requests that the workers have sent to an account. */
export interface AccountRequestUse extends AccountIdentityKey {
  readonly service: string;
  /** Number of requests since the server has known the account. */
  readonly requests: number;
  /** Number of requests that the service refused with status 429. */
  readonly refusals: number;
  /** End of a pause that the service has asked for, in which no run may send requests to the account; undefined without one. */
  readonly heldUntil: Date | undefined;
}

/** Identity of an account at its service. */
export interface AccountIdentityKey {
  /** Tells the accounts of one service apart: the beginning of a hash of the name, or of the token where there is none. */
  readonly mark: string;
  /** Workspaces with tokens of their own for the same account give it the same name. */
  readonly name: string | undefined;
}

/**
 * An account of a service that workspaces of this server use. Workspaces with the same service address, and the same account name
 * or token, share it.
 */
export interface ServedAccount extends AccountIdentityKey {
  readonly id: string;
  readonly service: string;
  readonly quotas: readonly LastKnownQuota[];
  /** Time at which a plan last saw the quotas. */
  readonly seenAt: Date;
  readonly workspaceCount: number;
  /** Names of the account's first workspaces, 50 at most. */
  readonly workspaces: readonly string[];
  /** Limit on requests to the account; undefined for as many as the service allows. */
  readonly budget: RequestBudget | undefined;
  readonly heldUntil: Date | undefined;
  readonly lastHour: Pick<AccountRequestUse, 'requests' | 'refusals'>;
}

const mostNames = 50;

/** Accounts in the server's database, with what runs have seen of them. */
export class AccountStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Stores the quotas that a run of a workspace has read from its account. */
  async noteQuotas(workspaceId: string, quotas: readonly LastKnownQuota[]): Promise<void> {
    if (quotas.length === 0) return;
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.accounts SET quotas = $2, seen_at = clock_timestamp() FROM ${serverDatabaseSchemaName}.workspaces
       WHERE workspaces.id = $1 AND accounts.id = workspaces.account`,
      [workspaceId, JSON.stringify(quotas)],
    );
  }

  /**
   * Finds or adds the account that a run of a workspace sends requests to. Where the token was replaced or the account was named,
   * the new entry takes over the budget of the one before.
   * @returns its id
   */
  async open(
    workspaceId: string,
    { service, mark, name }: AccountIdentityKey & { readonly service: string },
  ): Promise<string> {
    const values = [service, mark];
    // Runs of many workspaces begin at once: the row of an account is locked for its leases, and not for this.
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.accounts (service, mark, name, quotas, requests_per_second, burst)
       SELECT $1, $2, $3, '[]', before.requests_per_second, before.burst
       FROM ${serverDatabaseSchemaName}.workspaces w LEFT JOIN ${serverDatabaseSchemaName}.accounts before ON before.id = w.account AND before.service = $1
       WHERE w.id = $4 ON CONFLICT DO NOTHING`,
      [...values, name ?? null, workspaceId],
    );
    const [row] = await this.#database.ask<{ id: string }>(
      `SELECT id FROM ${serverDatabaseSchemaName}.accounts WHERE service = $1 AND mark = $2`,
      values,
    );
    if (!row) throw new Error('An account that was added is gone.');
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.workspaces SET account = $2 WHERE id = $1 AND account IS DISTINCT FROM $2`,
      [workspaceId, row.id],
    );
    return row.id;
  }

  /** Sets or removes the budget of an account. False where there is no such account. */
  async setBudget(id: string, budget: RequestBudget | undefined): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.accounts SET requests_per_second = $2, burst = $3, tokens = 0,
         filled_at = clock_timestamp() WHERE id = $1 RETURNING id`,
      [id, budget?.requestsPerSecond ?? null, budget?.burst ?? null],
    );
    return rows.length > 0;
  }

  /** Finds an account by its id; undefined where there is none. */
  async find(id: string): Promise<ServedAccount | undefined> {
    const rows = await this.#database.ask<AccountRow>(selectAccounts('$1', 'account.id = $2'), [
      null,
      id,
    ]);
    return rows.map(readAccount)[0];
  }

  /** Request counts of each account, for metrics and the overview. */
  async listUse(): Promise<readonly AccountRequestUse[]> {
    const rows = await this.#database.ask<UseRow>(
      `SELECT service, mark, name, requests, refusals, ${heldUntil} FROM ${serverDatabaseSchemaName}.accounts ORDER BY service, mark`,
    );
    return rows.map((row) => ({
      service: row.service,
      mark: row.mark,
      name: row.name ?? undefined,
      requests: Number(row.requests),
      refusals: Number(row.refusals),
      heldUntil: row.held_until ?? undefined,
    }));
  }

  /** Lists the accounts that a member may view, or all, with their workspaces, sorted by address. */
  async list(viewer?: string): Promise<readonly ServedAccount[]> {
    const rows = await this.#database.ask<AccountRow>(selectAccounts('$1', 'true'), [
      viewer ?? null,
    ]);
    return rows.map(readAccount);
  }
}

/** Row with the request counts of an account and the end of its pause. */
interface UseRow extends DatabaseRow {
  readonly service: string;
  readonly mark: string;
  readonly name: string | null;
  readonly requests: string;
  readonly refusals: string;
  readonly held_until: Date | null;
}

interface AccountRow extends UseRow {
  readonly id: string;
  readonly quotas: readonly LastKnownQuota[];
  readonly seen_at: Date;
  readonly requests_per_second: number | null;
  readonly burst: number;
  readonly count: string;
  readonly names: readonly string[];
}

const heldUntil = `CASE WHEN held_until > clock_timestamp() THEN held_until END AS held_until`;

/** SQL that selects accounts with those of their workspaces that a member may view. */
function selectAccounts(viewer: string, condition: string): string {
  return `SELECT account.id, service, mark, account.name, quotas, seen_at, requests_per_second, burst, ${heldUntil},
      used.count, used.names, hour.requests, hour.refusals
    FROM ${serverDatabaseSchemaName}.accounts account
    JOIN (SELECT w.account, count(*) AS count, (array_agg(w.name ORDER BY w.name))[1:${mostNames}] AS names
          FROM ${serverDatabaseSchemaName}.workspaces w WHERE w.account IS NOT NULL AND ${buildViewableCondition(viewer, 'w.id')} GROUP BY w.account) used ON used.account = account.id
    CROSS JOIN LATERAL (SELECT coalesce(sum(use.requests), 0) AS requests, coalesce(sum(use.refusals), 0) AS refusals
          FROM ${serverDatabaseSchemaName}.account_use use WHERE use.account = account.id AND minute > clock_timestamp() - interval '1 hour') hour
    WHERE ${condition} ORDER BY service, mark LIMIT 500`;
}

/**
 * Derives the identity of an account from its name or its token. A token has too many random bits to be found by the
 * beginning of a hash.
 */
export function deriveAccountKey(name: string | undefined, token: string): AccountIdentityKey {
  const text = name === undefined ? `hostwright account ${token}` : `hostwright account of ${name}`;
  return { mark: createHash('sha256').update(text).digest('hex').slice(0, 8), name };
}

function readAccount(row: AccountRow): ServedAccount {
  const { requests_per_second: requestsPerSecond, burst } = row;
  return {
    id: row.id,
    service: row.service,
    mark: row.mark,
    name: row.name ?? undefined,
    quotas: row.quotas,
    seenAt: row.seen_at,
    workspaceCount: Number(row.count),
    workspaces: row.names,
    budget: requestsPerSecond === null ? undefined : { requestsPerSecond, burst },
    heldUntil: row.held_until ?? undefined,
    lastHour: { requests: Number(row.requests), refusals: Number(row.refusals) },
  };
}

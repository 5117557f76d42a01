import { createHash } from 'node:crypto';
import { isViewable } from '../people/members.ts';
import { schema, type Row, type ServerDatabase } from './database.ts';

/** A quota of an account, as it was seen last. */
export interface KnownQuota {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

/** An account of a service: all workspaces with the same address and token. */
export interface Account {
  readonly service: string;
  /** Tells the accounts of one service apart: the beginning of a hash of the token. */
  readonly mark: string;
  readonly quotas: readonly KnownQuota[];
  /** When the quotas were seen. */
  readonly seenAt: Date;
  readonly workspaceCount: number;
  /** The first of their names. */
  readonly workspaces: readonly string[];
}

const mostNames = 50;

/** The accounts in the database: what the runs saw of them. */
export class Accounts {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Keeps what a run of a workspace saw. Nothing is kept of an account that it did not learn anything about. */
  async note(
    workspaceId: string,
    { service, token }: { readonly service: string; readonly token: string },
    quotas: readonly KnownQuota[],
  ): Promise<void> {
    if (quotas.length === 0) return;
    await this.#database.ask(
      `WITH account AS (
         INSERT INTO ${schema}.accounts (service, mark, quotas) VALUES ($2, $3, $4)
         ON CONFLICT (service, mark) DO UPDATE SET quotas = $4, seen_at = clock_timestamp() RETURNING id)
       UPDATE ${schema}.workspaces SET account = account.id FROM account WHERE workspaces.id = $1`,
      [workspaceId, service, markToken(token), JSON.stringify(quotas)],
    );
  }

  /** In the order of their addresses, with their workspaces: those that a member may view, or all. */
  async list(viewer?: string): Promise<readonly Account[]> {
    const rows = await this.#database.ask(
      `SELECT account.*, used.count, used.names FROM ${schema}.accounts account
       JOIN (SELECT w.account, count(*) AS count, (array_agg(w.name ORDER BY w.name))[1:${mostNames}] AS names
             FROM ${schema}.workspaces w WHERE w.account IS NOT NULL AND ${isViewable('$1', 'w.id')} GROUP BY w.account) used ON used.account = account.id
       ORDER BY service, mark LIMIT 500`,
      [viewer ?? null],
    );
    return rows.map(readAccount);
  }
}

/** A token has too many random bits to be found by the beginning of a hash. */
function markToken(token: string): string {
  return createHash('sha256').update(`hostwright account ${token}`).digest('hex').slice(0, 8);
}

function readAccount(row: Row): Account {
  return {
    service: row.service as string,
    mark: row.mark as string,
    quotas: row.quotas as readonly KnownQuota[],
    seenAt: row.seen_at as Date,
    workspaceCount: Number(row.count),
    workspaces: row.names as readonly string[],
  };
}

// Quotas that approved plans need in their account, from the approval to the end of the apply: two workspaces must not both
// count on the last VM. A reservation follows from the state of its plan, so that nobody has to release it.
import type { ReservedQuota } from '../../model/account/reserved-quota.ts';
import { mayApprove } from '../people/members.ts';
import type { KnownQuota } from './accounts.ts';
import { schema, type ServerDatabase } from '../database/database.ts';

/** A quota that has no room for a plan. */
export interface QuotaOverrun extends KnownQuota {
  /** Amount that the plan needs. */
  readonly amount: number;
  readonly reserved: readonly ReservedQuota[];
}

/** Its apply is queued or runs, or it is approved and the newest plan of its workspace. */
const isHeld = `(
  EXISTS (SELECT 1 FROM ${schema}.runs apply WHERE apply.plan_run = one.plan_run AND apply.status IN ('queued', 'running'))
  OR (w.approvals_needed > 0 AND w.settled_run = one.plan_run
    AND NOT EXISTS (SELECT 1 FROM ${schema}.approvals said WHERE said.plan_run = one.plan_run AND said.decision = 'no'
      AND ${mayApprove('said.member', 'w.id')})))`;

const mostListed = 200;

/** The reservations in the database. */
export class QuotaReservations {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Reserves what a plan adds, within a transaction: all of it, or nothing.
   * @returns the quotas that have no room for it beside what others have reserved
   */
  async reserve(planRun: string, workspaceId: string): Promise<readonly QuotaOverrun[]> {
    const [row] = await this.#database.ask<{
      account: string;
      known: readonly KnownQuota[];
      planned: readonly (KnownQuota & { readonly after: number })[];
    }>(
      `SELECT account.id AS account, account.quotas AS known, report.quotas AS planned
       FROM ${schema}.workspaces w JOIN ${schema}.accounts account ON account.id = w.account
       JOIN ${schema}.run_reports report ON report.run = $1 WHERE w.id = $2`,
      [planRun, workspaceId],
    );
    if (!row) return [];
    // One after the other in each account. Its row is for those that send requests.
    await this.#database.ask(
      `SELECT pg_advisory_xact_lock(hashtext('${schema}.quotas'), $1::int)`,
      [row.account],
    );
    const needed = row.planned
      .map(({ name, used, after }) => ({ name, amount: after - used }))
      .filter(({ amount }) => amount > 0);
    const others = await this.list(workspaceId);
    const overruns = needed.flatMap(({ name, amount }) => {
      const known = row.known.find((one) => one.name === name);
      const reserved = others.filter((one) => one.name === name);
      const sum = reserved.reduce((total, one) => total + one.amount, amount);
      return known && reserved.length > 0 && known.used + sum > known.limit
        ? [{ ...known, amount, reserved }]
        : [];
    });
    if (overruns.length === 0) await this.#keep(planRun, row.account, needed);
    return overruns;
  }

  /** Reservations of other workspaces in the account of a workspace. */
  async list(
    workspaceId: string,
    account?: { readonly service: string; readonly mark: string },
  ): Promise<readonly ReservedQuota[]> {
    return this.#database.ask<ReservedQuota & Record<string, unknown>>(
      `SELECT one.quota AS name, one.amount, w.name AS workspace, run.number::int AS run
       FROM ${schema}.quota_reservations one JOIN ${schema}.runs run ON run.id = one.plan_run
       JOIN ${schema}.workspaces w ON w.id = run.workspace
       WHERE w.id <> $1 AND ${isHeld} AND one.account IN (
         SELECT own.account FROM ${schema}.workspaces own WHERE own.id = $1
         UNION SELECT id FROM ${schema}.accounts WHERE service = $2 AND mark = $3)
       ORDER BY run.number, one.quota LIMIT ${mostListed}`,
      [workspaceId, account?.service ?? null, account?.mark ?? null],
    );
  }

  async #keep(
    planRun: string,
    account: string,
    needed: readonly { readonly name: string; readonly amount: number }[],
  ): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${schema}.quota_reservations (plan_run, account, quota, amount)
       SELECT $1, $2, name, amount FROM unnest($3::text[], $4::float8[]) AS needed (name, amount)
       ON CONFLICT (plan_run, quota) DO NOTHING`,
      [planRun, account, needed.map(({ name }) => name), needed.map(({ amount }) => amount)],
    );
  }
}

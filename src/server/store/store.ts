import type { ReservedQuota } from '../../model/account/reserved-quota.ts';
import { Accounts, type KnownQuota } from '../accounts/accounts.ts';
import { ProjectOwners } from '../accounts/project-owners.ts';
import { RequestBudgets } from '../accounts/request-budgets.ts';
import { AuditKeys } from '../audit/audit-keys.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { type ServerDatabase, schema } from '../database/database.ts';
import { PollClocks } from '../hosts/poll-clocks.ts';
import { Members, mayApprove } from '../people/members.ts';
import type { ServerKeyring } from '../secrets/keyring.ts';
import { Approvals } from './approvals.ts';
import { Blobs } from './blobs.ts';
import { Connections } from './connections.ts';
import { Deliveries } from './deliveries.ts';
import { Dependencies } from './dependencies.ts';
import { DriftEpisodes } from './drift.ts';
import { FailedAttempts } from './failed-attempts.ts';
import { readFleetFigures, type FleetFigures } from './fleet-figures.ts';
import { Heads } from './heads.ts';
import { listWorkers, type LiveWorker } from './list-workers.ts';
import { Messages } from './messages.ts';
import { readOverview, type Overview, type OverviewQuery } from './overview.ts';
import { Pulls } from './pulls.ts';
import { Retention } from './retention.ts';
import { RunLog } from './run-log.ts';
import { RunReports } from './run-reports.ts';
import { RunSteps } from './run-steps.ts';
import { Runs } from './runs.ts';
import { ServerHold } from './server-hold.ts';
import { Sessions } from './sessions.ts';
import { Settings } from './settings.ts';
import { SignInLinks } from './sign-in-links.ts';
import { RunTurns } from './turns.ts';
import { Workspaces } from './workspaces.ts';

/** All data that the server keeps, by subject. */
export interface Store {
  readonly accounts: Accounts;
  readonly approvals: Approvals;
  readonly attempts: FailedAttempts;
  readonly audit: AuditLog;
  readonly auditKeys: AuditKeys;
  readonly blobs: Blobs;
  readonly budgets: RequestBudgets;
  readonly connections: Connections;
  readonly deliveries: Deliveries;
  readonly dependencies: Dependencies;
  readonly drift: DriftEpisodes;
  readonly heads: Heads;
  readonly hold: ServerHold;
  readonly log: RunLog;
  readonly members: Members;
  readonly owners: ProjectOwners;
  readonly messages: Messages;
  readonly pollClocks: PollClocks;
  readonly pulls: Pulls;
  readonly reports: RunReports;
  readonly reservations: QuotaReservations;
  readonly retention: Retention;
  readonly runs: Runs;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly steps: RunSteps;
  readonly signInLinks: SignInLinks;
  readonly turns: RunTurns;
  readonly workspaces: Workspaces;
  /** Does what `work` asks of the store in one transaction: all of it or nothing. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** Lists the workers that are alive. */
  listWorkers(): Promise<readonly LiveWorker[]>;
  /** Reads the figures of the whole server, for its metrics. */
  readFigures(): Promise<FleetFigures>;
  /** Reads a page of the overview of workspaces. */
  readOverview(query: OverviewQuery): Promise<Overview>;
}

/** Opens the server's data; nothing is asked of the database yet. */
export function openServerStore(database: ServerDatabase, keyring: ServerKeyring): Store {
  const blobs = new Blobs(database, keyring);
  const audit = new AuditLog(database, keyring);
  const settings = new Settings(database);
  return {
    accounts: new Accounts(database),
    approvals: new Approvals(database),
    attempts: new FailedAttempts(database),
    audit,
    auditKeys: new AuditKeys(database, keyring),
    blobs,
    budgets: new RequestBudgets(database),
    connections: new Connections(database, blobs),
    deliveries: new Deliveries(database),
    dependencies: new Dependencies(database, blobs),
    drift: new DriftEpisodes(database),
    heads: new Heads(database),
    hold: new ServerHold(database, settings, audit),
    owners: new ProjectOwners(database),
    pollClocks: new PollClocks(database),
    pulls: new Pulls(database, blobs),
    log: new RunLog(database, blobs),
    members: new Members(database),
    messages: new Messages(database, blobs),
    reports: new RunReports(database, blobs),
    reservations: new QuotaReservations(database),
    retention: new Retention(database, settings),
    runs: new Runs(database),
    sessions: new Sessions(database),
    settings,
    steps: new RunSteps(database, blobs),
    signInLinks: new SignInLinks(database),
    turns: new RunTurns(database),
    workspaces: new Workspaces(database, blobs),
    transact: (work) => database.transact(work),
    listWorkers: () => listWorkers(database),
    readFigures: () => readFleetFigures(database),
    readOverview: (query) => readOverview(database, query),
  };
}

// Quotas that approved plans need in their account, from the approval to the end of the apply: two workspaces must not both
// count on the last VM. A reservation follows from the state of its plan, so that nobody has to release it.


/** A quota that has no room for a plan. */
interface QuotaOverrun extends KnownQuota {
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
class QuotaReservations {
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

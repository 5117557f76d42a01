import type { ReservedQuota } from '../../model/account/reserved-quota.ts';
import { AccountStore, type LastKnownQuota } from '../accounts/accounts.ts';
import { ProjectOwnerStore } from '../accounts/project-owners.ts';
import { RequestBudgetStore } from '../accounts/request-budgets.ts';
import { AuditKeyStore } from '../audit/audit-keys.ts';
import { AuditLogStore } from '../audit/audit-log.ts';
import { type ServerDatabase, serverDatabaseSchemaName } from '../database/database.ts';
import { GitHostPollingStore } from '../hosts/poll-clocks.ts';
import { MemberStore, buildApproverCondition } from '../people/members.ts';
import { SignInLinkStore } from '../people/sign-in-links.ts';
import { PolicyFileStore } from '../policies/policy-files.ts';
import type { ServerKeyring } from '../secrets/keyring.ts';
import { VariableSetStore } from './variable-sets.ts';
import { ApprovalStore, buildNeededApprovalsSql } from './approvals.ts';
import { EncryptedBlobStore } from './blobs.ts';
import { HostConnectionStore } from './connections.ts';
import { WebhookDeliveryStore } from './deliveries.ts';
import { WorkspaceDependencyStore } from './dependencies.ts';
import { DriftEpisodeStore } from './drift.ts';
import { FailedAttemptStore } from './failed-attempts.ts';
import { readServerFigures, type ServerFigures } from './server-figures.ts';
import { SummaryStatusStore } from './heads.ts';
import { listWorkers, type LiveWorker } from './list-workers.ts';
import { MessageStore } from './messages.ts';
import { readWorkspaceOverview, type WorkspaceOverview, type OverviewQuery } from './overview.ts';
import { PlanPreviewStore } from './previews.ts';
import { PullRequestStore } from './pulls.ts';
import { RetentionStore } from './retention.ts';
import { RunLogStore } from './run-log.ts';
import { PlanReportStore } from './run-reports.ts';
import { RunStepStore } from './run-steps.ts';
import { RunStore } from './runs.ts';
import { ServerHoldStore } from './server-hold.ts';
import { BrowserSessionStore } from './sessions.ts';
import { ServerSettingStore } from './settings.ts';
import { RunTurnStore } from './turns.ts';
import { WorkspaceStore } from './workspaces.ts';

/** All data that the server keeps, by subject. */
export interface ServerStore {
  readonly accounts: AccountStore;
  readonly approvals: ApprovalStore;
  readonly attempts: FailedAttemptStore;
  readonly audit: AuditLogStore;
  readonly auditKeys: AuditKeyStore;
  readonly blobs: EncryptedBlobStore;
  readonly budgets: RequestBudgetStore;
  readonly connections: HostConnectionStore;
  readonly deliveries: WebhookDeliveryStore;
  readonly dependencies: WorkspaceDependencyStore;
  readonly drift: DriftEpisodeStore;
  readonly heads: SummaryStatusStore;
  readonly hold: ServerHoldStore;
  readonly log: RunLogStore;
  readonly members: MemberStore;
  readonly owners: ProjectOwnerStore;
  readonly messages: MessageStore;
  readonly policies: PolicyFileStore;
  readonly pollClocks: GitHostPollingStore;
  readonly previews: PlanPreviewStore;
  readonly pulls: PullRequestStore;
  readonly reports: PlanReportStore;
  readonly reservations: QuotaReservations;
  readonly retention: RetentionStore;
  readonly runs: RunStore;
  readonly sessions: BrowserSessionStore;
  readonly settings: ServerSettingStore;
  readonly steps: RunStepStore;
  readonly signInLinks: SignInLinkStore;
  readonly turns: RunTurnStore;
  readonly variableSets: VariableSetStore;
  readonly workspaces: WorkspaceStore;
  /** Does what `work` asks of the store in one transaction: all of it or nothing. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** Lists the workers that are alive. */
  listWorkers(): Promise<readonly LiveWorker[]>;
  /** Reads the figures of the whole server, for its metrics. */
  readFigures(): Promise<ServerFigures>;
  /** Reads a page of the overview of workspaces. */
  readOverview(query: OverviewQuery): Promise<WorkspaceOverview>;
}

/** Puts the stores of the server's data together for a database; nothing is asked of it yet. */
export function assembleServerStore(database: ServerDatabase, keyring: ServerKeyring): ServerStore {
  const blobs = new EncryptedBlobStore(database, keyring);
  const audit = new AuditLogStore(database, keyring);
  const settings = new ServerSettingStore(database);
  return {
    accounts: new AccountStore(database),
    approvals: new ApprovalStore(database),
    attempts: new FailedAttemptStore(database),
    audit,
    auditKeys: new AuditKeyStore(database, keyring),
    blobs,
    budgets: new RequestBudgetStore(database),
    connections: new HostConnectionStore(database, blobs),
    deliveries: new WebhookDeliveryStore(database),
    dependencies: new WorkspaceDependencyStore(database, blobs),
    drift: new DriftEpisodeStore(database),
    heads: new SummaryStatusStore(database),
    hold: new ServerHoldStore(database, settings, audit),
    owners: new ProjectOwnerStore(database),
    policies: new PolicyFileStore(database),
    pollClocks: new GitHostPollingStore(database),
    previews: new PlanPreviewStore(database),
    pulls: new PullRequestStore(database, blobs),
    log: new RunLogStore(database, blobs),
    members: new MemberStore(database),
    messages: new MessageStore(database, blobs),
    reports: new PlanReportStore(database, blobs),
    reservations: new QuotaReservations(database),
    retention: new RetentionStore(database, settings),
    runs: new RunStore(database),
    sessions: new BrowserSessionStore(database, blobs),
    settings,
    steps: new RunStepStore(database, blobs),
    signInLinks: new SignInLinkStore(database),
    turns: new RunTurnStore(database),
    variableSets: new VariableSetStore(database, blobs),
    workspaces: new WorkspaceStore(database, blobs),
    transact: (work) => database.transact(work),
    listWorkers: () => listWorkers(database),
    readFigures: () => readServerFigures(database),
    readOverview: (query) => readWorkspaceOverview(database, query),
  };
}

// Quotas that approved plans need in their account, from the approval to the end of the apply: two workspaces must not both
// count on the last VM. A reservation follows from the state of its plan, so that nobody has to release it.

/** A quota that has no room for a plan. */
interface QuotaOverrun extends LastKnownQuota {
  /** Amount that the plan needs. */
  readonly amount: number;
  readonly reserved: readonly ReservedQuota[];
}

/**
 * SQL condition for a plan that keeps its reserved quotas: its apply is queued or runs, or it is approved and the newest plan
 * of its workspace.
 */
const isHeld = `(
  EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs apply WHERE apply.plan_run = one.plan_run AND apply.status IN ('queued', 'running'))
  OR (${buildNeededApprovalsSql('w', 'one.plan_run')} > 0 AND w.settled_run = one.plan_run
    AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.approvals said WHERE said.plan_run = one.plan_run AND said.decision = 'no'
      AND ${buildApproverCondition('said.member', 'w.id')})))`;

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
      known: readonly LastKnownQuota[];
      planned: readonly (LastKnownQuota & { readonly after: number })[];
    }>(
      `SELECT account.id AS account, account.quotas AS known, report.quotas AS planned
       FROM ${serverDatabaseSchemaName}.workspaces w JOIN ${serverDatabaseSchemaName}.accounts account ON account.id = w.account
       JOIN ${serverDatabaseSchemaName}.run_reports report ON report.run = $1 WHERE w.id = $2`,
      [planRun, workspaceId],
    );
    if (!row) return [];
    // Reservations of an account are made one after the other. The account's row is locked by processes that send requests.
    await this.#database.ask(
      `SELECT pg_advisory_xact_lock(hashtext('${serverDatabaseSchemaName}.quotas'), $1::int)`,
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
       FROM ${serverDatabaseSchemaName}.quota_reservations one JOIN ${serverDatabaseSchemaName}.runs run ON run.id = one.plan_run
       JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = run.workspace
       WHERE w.id <> $1 AND ${isHeld} AND one.account IN (
         SELECT own.account FROM ${serverDatabaseSchemaName}.workspaces own WHERE own.id = $1
         UNION SELECT id FROM ${serverDatabaseSchemaName}.accounts WHERE service = $2 AND mark = $3)
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
      `INSERT INTO ${serverDatabaseSchemaName}.quota_reservations (plan_run, account, quota, amount)
       SELECT $1, $2, name, amount FROM unnest($3::text[], $4::float8[]) AS needed (name, amount)
       ON CONFLICT (plan_run, quota) DO NOTHING`,
      [planRun, account, needed.map(({ name }) => name), needed.map(({ amount }) => amount)],
    );
  }
}

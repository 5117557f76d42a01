import { FailedAttempts } from './failed-attempts.ts';
import type { ServerKeyring } from '../secrets/keyring.ts';
import { Sessions } from './sessions.ts';
import { SignInLinks } from './sign-in-links.ts';
import { ProjectOwners } from '../accounts/project-owners.ts';
import { QuotaReservations } from '../accounts/quota-reservations.ts';
import { RequestBudgets } from '../accounts/request-budgets.ts';
import { Approvals } from './approvals.ts';
import { AuditKeys } from '../audit/audit-keys.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { Dependencies } from './dependencies.ts';
import { readFleetFigures, type FleetFigures } from './fleet-figures.ts';
import { DriftEpisodes } from './drift.ts';
import { Heads } from './heads.ts';
import { Messages } from './messages.ts';
import { Members } from '../people/members.ts';
import { RunTurns } from './turns.ts';
import { RunSteps } from './run-steps.ts';
import { Retention } from './retention.ts';
import { listWorkers, type LiveWorker } from './list-workers.ts';
import { Accounts } from '../accounts/accounts.ts';
import { Blobs } from './blobs.ts';
import { Connections } from './connections.ts';
import { Deliveries } from './deliveries.ts';
import type { ServerDatabase } from '../database/database.ts';
import { PollClocks } from '../hosts/poll-clocks.ts';
import { Pulls } from './pulls.ts';
import { readOverview, type Overview, type OverviewQuery } from './overview.ts';
import { RunLog } from './run-log.ts';
import { RunReports } from './run-reports.ts';
import { Runs } from './runs.ts';
import { ServerHold } from './server-hold.ts';
import { Settings } from './settings.ts';
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

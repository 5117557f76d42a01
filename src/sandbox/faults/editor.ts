import { routes } from '../../api/contract/routes.ts';
import type { RehearsedInjectedFault } from '../../model/plan/rehearsal.ts';
import { RequestRefusal, createNotFoundRefusal } from '../contract/problems.ts';
import { allScopesToken } from '../rules/insider.ts';
import type { SandboxService } from '../service.ts';
import { type SandboxTable, sandboxTables } from '../store/rows.ts';
import type { SandboxRowMatch } from '../store/store.ts';
import type { SandboxContext } from '../store/world.ts';
import type { FaultScript, WebConsoleEdit, WebConsoleEditSubject } from './script.ts';

/** Outcome of a scripted edit in the web console; one with `waits` is tried again later. */
export interface WebConsoleEditOutcome {
  readonly edit: string;
  readonly at: number;
  /** HTTP status of the edit: 2xx when done, otherwise that of the refusal. */
  readonly status: number;
  readonly detail?: string;
  readonly waits: boolean;
}

/** A scripted edit that could not be made yet. */
interface WaitingEdit extends WebConsoleEdit {
  /** Index of the edit in the fault script. */
  readonly index: number;
}

/** Simulated user of the service's web console, with every token scope: makes the edits of a fault script when they are due. */
export class WebConsoleEditor {
  readonly #service: SandboxService;
  #edits: readonly WebConsoleEdit[] = [];
  #waiting: readonly WaitingEdit[] = [];
  /** The outcome of the last attempt at each edit, by its index in the script. */
  readonly #ends = new Map<number, WebConsoleEditOutcome>();
  #startedAt = 0;
  /** The newest moment at which anything was done: an edit never goes behind it. */
  #latest = 0;

  constructor(service: SandboxService) {
    this.#service = service;
  }

  start({ edits }: FaultScript, now: number): void {
    this.#edits = edits;
    this.#waiting = edits.map((edit, index) => ({ ...edit, index }));
    this.#ends.clear();
    this.#startedAt = now;
    this.#latest = now;
  }

  /**
   * Makes the edits that are due, each at its own time, although the sandbox only acts when a request arrives: called
   * before and after every request.
   */
  runDue(now: number, requests: number): WebConsoleEditOutcome[] {
    const due = this.#waiting
      .filter(
        ({ atMs = 0, afterRequest = 0 }) =>
          this.#startedAt + atMs <= now && afterRequest <= requests,
      )
      .sort((one, other) => (one.atMs ?? 0) - (other.atMs ?? 0));
    const outcomes = due.map((edit) => {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== edit);
      // An edit that also waits for a request is done with that request, and not at the earlier time it names.
      const dueAt = edit.afterRequest === undefined ? this.#startedAt + (edit.atMs ?? 0) : now;
      const outcome = this.perform(edit, Math.max(dueAt, this.#latest));
      this.#ends.set(edit.index, outcome);
      // A refused edit is tried again after each request, no longer at a time.
      if (outcome.waits) this.#waiting = [...this.#waiting, { ...edit, afterRequest: requests }];
      return outcome;
    });
    this.#latest = Math.max(this.#latest, now);
    return outcomes;
  }

  /** Counts the edits of the script: each was made once, or has the reason why it was not. */
  count(): readonly RehearsedInjectedFault[] {
    return this.#edits.map(({ name }, index) => {
      const end = this.#ends.get(index);
      if (end?.detail === undefined)
        return end ? { name, count: 1 } : { name, count: 0, why: 'it was not due' };
      return { name, count: 0, why: `it was refused with ${end.status}: ${end.detail}` };
    });
  }

  /** Makes one scripted edit now; a refusal is returned, not thrown. */
  perform(edit: WebConsoleEdit, now: number): WebConsoleEditOutcome {
    const { name, operationId, on, body, keepsTrying } = edit;
    const { path, success } = routes[operationId];
    try {
      const ids = findEditSubject(this.#service.world(now), on);
      const filled = path.replaceAll(/\{(\w+)\}/g, (_match, param: string) => ids[param] ?? '');
      const exchange = { operationId, path: `/v1${filled}`, params: ids, query: {} };
      this.#service.perform(exchange, allScopesToken, fillIds(body, ids), now);
      return { edit: name, at: now, status: success ?? 200, waits: false };
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error;
      const { status, message } = error;
      return { edit: name, at: now, status, detail: message, waits: keepsTrying };
    }
  }
}

/** A body with the ids of its subject in the place of `{vmId}` and the like. */
function fillIds(body: unknown, ids: Readonly<Record<string, string>>): unknown {
  if (body === undefined) return undefined;
  const text = JSON.stringify(body).replaceAll(
    /\{(\w+Id)\}/g,
    (whole, param: string) => ids[param] ?? whole,
  );
  return JSON.parse(text);
}

interface Named {
  readonly id: string;
}

/** The ids that a path takes, by parameter. Throws the 404 of the first thing that is not there. */
function findEditSubject(world: SandboxContext, on: WebConsoleEditSubject): Record<string, string> {
  const ids: Record<string, string> = {};
  const inProject = (): SandboxRowMatch =>
    ids.projectId === undefined ? {} : { projectId: ids.projectId };
  const take = (
    param: string,
    what: string,
    table: SandboxTable<Named>,
    wanted: string | undefined,
    columns: readonly string[],
    scope: SandboxRowMatch,
  ): void => {
    if (wanted === undefined) return;
    const row = columns
      .map((column) => world.store.first(table, { ...scope, [column]: wanted }))
      .find((found) => found !== undefined);
    if (row === undefined) throw createNotFoundRefusal(what, wanted);
    ids[param] = row.id;
  };
  const byName = ['id', 'name'];
  take('projectId', 'project', sandboxTables.projects, on.project, byName, {});
  take('networkId', 'network', sandboxTables.networks, on.network, byName, inProject());
  take('sshKeyId', 'SSH key', sandboxTables.sshKeys, on.sshKey, byName, inProject());
  take('vmId', 'VM', sandboxTables.vms, on.vm, byName, inProject());
  takePublicIp(world, on, ids, () =>
    take(
      'publicIpId',
      'public IP',
      sandboxTables.publicIps,
      on.publicIp,
      ['id', 'address'],
      inProject(),
    ),
  );
  takePortForward(world, on, ids);
  takeBackup(world, on, ids);
  take('tokenId', 'token', sandboxTables.tokens, on.token, byName, {});
  return ids;
}

/** The name of a VM means the address that it holds. */
function takePublicIp(
  { store }: SandboxContext,
  { publicIp }: WebConsoleEditSubject,
  ids: Record<string, string>,
  takeItself: () => void,
): void {
  const scope: SandboxRowMatch = ids.projectId === undefined ? {} : { projectId: ids.projectId };
  const holder =
    publicIp === undefined
      ? undefined
      : store.first(sandboxTables.vms, { ...scope, name: publicIp });
  const held = holder && store.first(sandboxTables.publicIps, { vmId: holder.id });
  if (held) ids.publicIpId = held.id;
  else takeItself();
}

function takePortForward(
  { store }: SandboxContext,
  on: WebConsoleEditSubject,
  ids: Record<string, string>,
): void {
  const wanted = on.portForward;
  if (wanted === undefined) return;
  const [protocol = '', port = ''] = wanted.split('/');
  const publicIpId = ids.publicIpId ?? '';
  const row =
    store.first(sandboxTables.portForwards, { id: wanted }) ??
    store.first(sandboxTables.portForwards, {
      publicIpId,
      protocol,
      publicPort: Number(port) || 0,
    });
  if (!row) throw createNotFoundRefusal('port forward', wanted);
  ids.portForwardId = row.id;
}

function takeBackup(
  { store }: SandboxContext,
  on: WebConsoleEditSubject,
  ids: Record<string, string>,
): void {
  const wanted = on.backup;
  if (wanted === undefined) return;
  const row =
    wanted === 'newest'
      ? store.select(
          sandboxTables.backups,
          'WHERE vmId = ? ORDER BY seq DESC LIMIT 1',
          ids.vmId ?? '',
        )[0]
      : store.first(sandboxTables.backups, { id: wanted });
  if (!row) throw createNotFoundRefusal('backup', wanted);
  ids.backupId = row.id;
}

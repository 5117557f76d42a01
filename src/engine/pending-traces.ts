// Traces of pending creates that no list shows: operation records, and ids that earlier lists have shown.
import type { ServiceClient } from '../api/client.ts';
import { readRecordsIfTold } from '../api/operation-records.ts';
import { listUnexplainedRecordIds } from '../kinds/recognise/unexplained-records.ts';
import { isDeleteOperation, isRecordedAsOperation } from '../kinds/operation-types.ts';
import { commandSubjects } from '../model/account/command.ts';
import type { LiveResource } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { placeOfCommand, findProjectIdOfCommand } from '../model/account/place-of-command.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { PendingCreate } from '../model/state/state.ts';

/** The ids that lead to the results of pending creates, and what was read by them. */
export class PendingCreateTraces {
  readonly #client: Pick<ServiceClient, 'listOperations' | 'get'>;
  /** Resources that were read while the results of pending creates were looked for, by id. */
  readonly #read = new Map<string, LiveResource>();
  /** Ids that operation records name but that cannot be read, by the address of the pending create. */
  readonly #unread = new Map<ResourceAddress, readonly string[]>();
  /** Ids of resources that looks have shown and that may be the create's result, by address. */
  readonly #sighted = new Map<ResourceAddress, ReadonlySet<string>>();
  /** Ids of resources that were deleted by their records: an unreadable one of these is certainly gone. */
  readonly #deleted = new Set<string>();

  constructor(client: Pick<ServiceClient, 'listOperations' | 'get'>) {
    this.#client = client;
  }

  /** Resources that were read by the ids in operation records. */
  get read(): readonly LiveResource[] {
    return [...this.#read.values()];
  }

  /** Remembers resources that may be the result of a pending create, by its address. */
  note(sighted: ReadonlyMap<ResourceAddress, readonly string[]>): void {
    for (const [address, ids] of sighted) {
      this.#sighted.set(address, new Set([...(this.#sighted.get(address) ?? []), ...ids]));
    }
  }

  /** Ids of candidates that this run or an earlier one was shown; a list that lags may not show them now. */
  sightedOf({ address, sightedIds = [] }: PendingCreate): readonly string[] {
    return [...new Set([...sightedIds, ...(this.#sighted.get(address) ?? [])])];
  }

  /** True while the create may have made a resource that cannot be read. */
  isOpen(pending: PendingCreate): boolean {
    const unread = this.#unread.get(pending.address) ?? [];
    return [...unread, ...this.sightedOf(pending)].some((id) => !this.#deleted.has(id));
  }

  /**
   * Reads the records of the projects concerned, and by their ids what they name and what was shown before. `known`: ids of what
   * needs no read. @returns the projects that record anything @throws ApiError
   */
  async follow(
    missing: readonly PendingCreate[],
    known: ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const recorded = new Map<string, readonly LiveOperation[]>();
    for (const pending of missing) {
      const projectId = isRecordedAsOperation(pending.command.kind)
        ? findProjectIdOfCommand(pending.command)
        : undefined;
      if (projectId !== undefined && !recorded.has(projectId)) {
        recorded.set(projectId, (await readRecordsIfTold(this.#client, projectId)) ?? []);
      }
      const operations = recorded.get(projectId ?? '') ?? [];
      for (const one of operations.filter(isDeleteOperation))
        this.#deleted.add(one.resourceId ?? '');
      const named = listUnexplainedRecordIds(operations, pending, (id) => known.has(id));
      const hidden = this.sightedOf(pending).filter((id) => !known.has(id));
      await this.#readEach(pending, new Set([...named, ...hidden]));
    }
    const telling = [...recorded].filter(([, operations]) => operations.length > 0);
    return new Set(telling.map(([projectId]) => projectId));
  }

  async #readEach({ command, address }: PendingCreate, ids: ReadonlySet<string>): Promise<void> {
    const { kind } = commandSubjects[command.kind];
    const unread: string[] = [];
    for (const id of ids) {
      const live = await this.#client.get(kind, placeOfCommand(command), id);
      if (live) this.#read.set(id, live);
      else unread.push(id);
    }
    this.#unread.set(address, unread);
  }
}

import type { ServiceCallOptions } from '../../api/wire/caller.ts';
import { isWithheldByService } from '../../api/errors/classify-error.ts';
import type { ServiceClient } from '../../api/client.ts';
import { isRecordedAsOperation, matchRecordWithCommand } from '../../kinds/operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import type { OperationRecordFilter } from '../../api/reader.ts';
import type { CommandName } from '../../model/account/command.ts';

/** Snapshot taken right before a request is sent, to tell records of earlier requests from its own. */
export interface OperationRecordMark {
  /** Number of record lists read by then: their records are older than the request. */
  readonly lists: number;
  /** The time at the service, a lower bound in whole seconds; undefined where the service tells none. */
  readonly serviceTime: number | undefined;
}

/** A request of Hostwright, as far as it tells its record from the records of others. */
export interface OwnRequestTraits {
  /** Undefined for a create: every record of the new resource counts. */
  readonly mark: OperationRecordMark | undefined;
  /** The time at the service in its answer, rounded down to whole seconds; undefined where no answer came or told it. */
  readonly answeredAt?: number | undefined;
}

/** An operation record that may belong to a request. */
export interface FoundOperationRecord {
  readonly operation: LiveOperation;
  /** Tells whether the record can belong to no other request. */
  readonly isCertain: boolean;
}

/** Milliseconds of one step of a `Date` header, which has whole seconds only. */
const dateResolutionMs = 1_000;
/** Clock difference tolerated between the servers that write records and those that write `Date` headers. */
const clockToleranceMs = 2_000;

/**
 * Tells, for one run, the operation record of a request of Hostwright from older ones and from others'. The id that the service
 * answers an asynchronous request with leads to no record, so a record is known by being newer than the request, by its
 * resource and by its type.
 */
export class OperationRecordMatcher {
  readonly #client: Pick<ServiceClient, 'listOperations' | 'serviceTime' | 'clocks'>;
  readonly #beforeSending: ServiceCallOptions | undefined;
  /** Number of the list in which each operation record was seen first, by record id. */
  readonly #firstSeen = new Map<string, number>();
  /** The latest reading of records that a request waited for, by project. */
  readonly #begun = new Map<string, Promise<unknown>>();
  #lists = 0;

  /** @param beforeSending options of the reads that `mark` makes right before a request. */
  constructor(
    client: Pick<ServiceClient, 'listOperations' | 'serviceTime' | 'clocks'>,
    beforeSending?: ServiceCallOptions,
  ) {
    this.#client = client;
    this.#beforeSending = beforeSending;
  }

  /** The newest records of a project, which from now on are known. @throws ApiError */
  async listOperations(
    projectId: string,
    filter?: OperationRecordFilter,
    options?: ServiceCallOptions,
  ): Promise<readonly LiveOperation[]> {
    const operations = await this.#client.listOperations(projectId, filter, options);
    this.#lists += 1;
    for (const { id } of operations) {
      if (!this.#firstSeen.has(id)) this.#firstSeen.set(id, this.#lists);
    }
    return operations;
  }

  /**
   * To be called right before a request. It reads the records where none of the project were read before, where the
   * service tells no times, and with `isAfresh`. Where it tells times but no records, these alone mark what is older.
   * @throws ApiError
   */
  async mark(projectId: string, isAfresh = false): Promise<OperationRecordMark> {
    const first = this.#begun.get(projectId);
    if (first && !isAfresh && this.#client.serviceTime() !== undefined) {
      await first;
    } else {
      const reading = this.listOperations(projectId, undefined, this.#beforeSending).catch(
        (error: unknown) => {
          if (isWithheldByService(error) && this.#client.serviceTime() !== undefined) return;
          if (this.#begun.get(projectId) === reading) this.#begun.delete(projectId);
          throw error;
        },
      );
      this.#begun.set(projectId, reading);
      await reading;
    }
    return { lists: this.#lists, serviceTime: this.#client.serviceTime() };
  }

  /** The records that may be that of a command on a resource, among those just read, the oldest first. */
  find(
    command: CommandName,
    resourceId: string,
    operations: readonly LiveOperation[],
    sending: OwnRequestTraits,
  ): readonly FoundOperationRecord[] {
    const { mark } = sending;
    // Unpublished types could be those of any command but one that is carried out at once.
    if (!isRecordedAsOperation(command)) return [];
    const candidates = operations.filter(
      (operation) => operation.resourceId === resourceId && !(mark && this.#isOld(operation, mark)),
    );
    const matching = (['yes', 'maybe'] as const)
      .map((match) => candidates.filter((one) => matchRecordWithCommand(one, command) === match))
      .find((found) => found.length > 0);
    // Reversed, as the service lists the newest first: records of one time stay in order, the oldest first.
    const sorted = [...(matching ?? [])]
      .reverse()
      .sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
    const [oldest] = sorted;
    if (!mark && oldest && matchRecordWithCommand(oldest, command) === 'yes') {
      this.#client.clocks.noteCreateRecord(oldest);
    }
    return sorted.map((operation) => ({ operation, isCertain: isCertain(operation, sending) }));
  }

  #isOld({ id, createdAt }: LiveOperation, mark: OperationRecordMark): boolean {
    if ((this.#firstSeen.get(id) ?? Number.POSITIVE_INFINITY) <= mark.lists) return true;
    if (createdAt === null || mark.serviceTime === undefined) return false;
    return createdAt < mark.serviceTime - clockToleranceMs;
  }
}

/**
 * Nothing else runs on a resource that the service has just accepted a request for: what it recorded between the request
 * and its answer, and had not finished by then, is that request.
 */
function isCertain(
  { createdAt, completedAt }: LiveOperation,
  { mark, answeredAt }: OwnRequestTraits,
): boolean {
  if (!mark) return true;
  if (createdAt === null || mark.serviceTime === undefined || answeredAt === undefined)
    return false;
  const answeredBefore = answeredAt + dateResolutionMs;
  const isOfThatTime = createdAt >= mark.serviceTime && createdAt < answeredBefore;
  return isOfThatTime && (completedAt === null || completedAt >= answeredBefore);
}

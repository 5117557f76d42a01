import type { LiveOperation } from '../model/account/operation.ts';

/** The resources that operation records have named so far: they may be there though no list shows them. */
export class OperationRecordIds {
  /** The newest type of record, by the id of its resource. */
  readonly #types = new Map<string, string>();

  /** Adds the resources of operation records, which come newest first. */
  note(operations: readonly Pick<LiveOperation, 'resourceId' | 'type'>[]): void {
    for (const { resourceId, type } of operations.toReversed()) {
      if (resourceId !== null) this.#types.set(resourceId, type);
    }
  }

  /**
   * Those that the asker does not know, by their id and the type of their newest record. What it knows is not asked about
   * again: an apply asks before each create.
   */
  findUnknown(isKnown: (id: string, newestType: string) => boolean): readonly string[] {
    for (const [id, type] of this.#types) if (isKnown(id, type)) this.#types.delete(id);
    return [...this.#types.keys()];
  }
}

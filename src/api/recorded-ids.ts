import type { LiveOperation } from '../model/account/operation.ts';
import { isDeletion } from './wire/operation-types.ts';

/**
 * The resources that operation records have named so far: they may be there though no list shows them. What was deleted
 * cannot be mistaken for what a create makes, and is left out.
 */
export class RecordedIds {
  readonly #ids = new Set<string>();

  /** Adds the resources of operation records, which come newest first. */
  note(operations: readonly Pick<LiveOperation, 'resourceId' | 'type'>[]): void {
    for (const operation of operations.toReversed()) {
      const { resourceId } = operation;
      if (resourceId === null) continue;
      if (isDeletion(operation)) this.#ids.delete(resourceId);
      else this.#ids.add(resourceId);
    }
  }

  /** Those that the asker does not know. What it knows is not asked about again: an apply asks before each create. */
  findUnknown(isKnown: (id: string) => boolean): readonly string[] {
    for (const id of this.#ids) if (isKnown(id)) this.#ids.delete(id);
    return [...this.#ids];
  }
}

// Lists of summaries. A service may tell in a single read what its list leaves untold; then the rest is read singly. Nothing is
// asked where the list tells all, and no more than one of a kind where single reads tell no more either.
import { getLiveStatus, type LiveResource } from '../model/account/live.ts';
import { hasUntoldField, omitUntoldFields } from '../model/account/told.ts';
import type { KindName } from '../model/kind-places.ts';
import { classifyRefusal } from './errors/classify-error.ts';
import { ForeignAnswerError, ServiceError } from './errors/errors.ts';

/** The resources of one list request, whose items may lack fields that only a single read tells. */
export interface ResourceSummaryList<R extends LiveResource> {
  readonly listed: readonly R[];
  /** True for a resource that must be read whole, and not as a summary. */
  readonly needsWhole: (live: R) => boolean;
  /** Reads one of the listed resources singly; undefined where it has been deleted since. */
  readonly get: (id: string) => Promise<R | undefined>;
}

/** Completes lists with single reads. It learns from the first one of a kind which fields these tell. */
export class ResourceSummaryCompleter {
  /** Fields that a list leaves out: true where a single read has them; by kind and field. */
  readonly #isTold = new Map<string, boolean>();
  readonly #probes = new Map<KindName, Promise<boolean>>();

  /** The list, with what single reads tell of what it leaves untold. @throws what `get` throws */
  async complete<R extends LiveResource>(summaries: ResourceSummaryList<R>): Promise<readonly R[]> {
    const { listed, needsWhole, get } = summaries;
    const thin = listed.filter((live) => hasUntoldField(live) && needsWhole(live));
    if (thin.length === 0) return listed;
    const whole = new Map<string, R>();
    const read = async (live: R) => {
      const single = await get(live.id);
      if (single) whole.set(live.id, { ...live, ...omitUntoldFields({ ...single }) });
      return single;
    };
    await this.#learn(thin, read);
    const rest = thin.filter((live) => !whole.has(live.id) && this.#hasField(live, true));
    await Promise.all(rest.map(read));
    return listed.map((live) => whole.get(live.id) ?? live);
  }

  /** Reads one after the other, until it is known of each field that one of them lacks whether single reads tell it. */
  async #learn<R extends LiveResource>(
    thin: readonly R[],
    read: (live: R) => Promise<R | undefined>,
  ): Promise<void> {
    for (let isSure = true; isSure;) {
      const open = thin.filter((live) => this.#hasField(live, undefined));
      const next = open.find(isAtRest) ?? open[0];
      if (!next) return;
      const underWay = this.#probes.get(next.kind);
      if (underWay) {
        await underWay.catch(() => undefined);
        continue;
      }
      const probe = this.#probe(next, read).finally(() => this.#probes.delete(next.kind));
      this.#probes.set(next.kind, probe);
      isSure = await probe;
    }
  }

  /** Reads one. A resource that is gone or at work is no proof that a field is never told: then false. */
  async #probe<R extends LiveResource>(
    live: R,
    read: (live: R) => Promise<R | undefined>,
  ): Promise<boolean> {
    const single = await read(live).catch((error: unknown) => {
      if (isRefusedSingly(error)) return live;
      // The path for a single read may be wrong where the contract only assumes it.
      if (error instanceof ForeignAnswerError) return undefined;
      throw error;
    });
    if (!single) return false;
    const told = omitUntoldFields({ ...single });
    for (const field of listUntold(live)) {
      if (field in told) this.#isTold.set(keyOf(live, field), true);
      else if (isAtRest(live)) this.#isTold.set(keyOf(live, field), false);
    }
    return isAtRest(live);
  }

  /** True for a listed resource that lacks a field of which `#isTold` says this; undefined: nothing yet. */
  #hasField(live: LiveResource, isTold: boolean | undefined): boolean {
    return listUntold(live).some((field) => this.#isTold.get(keyOf(live, field)) === isTold);
  }
}

/** True for a refusal that concerns reads of single resources alone: the list was allowed. */
function isRefusedSingly(error: unknown): boolean {
  return (
    error instanceof ServiceError && ['forbidden', 'permanent'].includes(classifyRefusal(error))
  );
}

function listUntold(live: LiveResource): readonly string[] {
  return Object.entries(live).flatMap(([field, value]) => (value === undefined ? [field] : []));
}

function keyOf({ kind }: LiveResource, field: string): string {
  return `${kind} ${field}`;
}

/** A resource that the service works on may have a thin record for as long. */
function isAtRest(live: LiveResource): boolean {
  return ['active', 'failed', undefined].includes(getLiveStatus(live));
}

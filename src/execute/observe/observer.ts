import type { Clock } from '../../model/runtime.ts';
import { UnknownDurationWaits } from './guessing.ts';
import { ResourcePoller } from './poller.ts';
import type { ObservationReader, ResourceWatch } from './watch.ts';

/** The pause between two looks at what delays nothing known, as a share of the time waited. */
const unhurriedShare = 0.07;

/** Waits for many things with few requests: one list a tick settles every watcher of the same kind and place. */
export interface ResourceObserver {
  /** Looks until the watch has a verdict. Rejects when the service cannot be read at all. */
  await<V>(watch: ResourceWatch<V>): Promise<V>;
  /** Something was learned: every place decides anew when it looks next. */
  reconsider(): void;
}

/** An observer over one client. `random` spreads the looks of several runs. */
export function createResourceObserver(
  client: ObservationReader,
  clock: Clock,
  random: () => number,
): ResourceObserver {
  const pollers = new Map<string, ResourcePoller>();
  const guessing = new UnknownDurationWaits(clock);
  return {
    reconsider() {
      for (const poller of pollers.values()) poller.reconsider();
    },
    await: (watch) =>
      new Promise((resolve, reject) => {
        const { kind, place, since = clock.now() } = watch;
        const key = [kind, place.projectId, place.publicIpId ?? ''].join(' ');
        let poller = pollers.get(key);
        if (!poller) {
          poller = new ResourcePoller({ client, clock, random, kind, place, guessing });
          pollers.set(key, poller);
        }
        poller.add({
          since,
          mayWaitMs: watch.mayWaitMs ?? (() => (clock.now() - since) * unhurriedShare),
          payers: watch.payers,
          shortestMs: watch.shortestMs,
          deadline: watch.deadline,
          needsOperations: watch.needsOperations,
          pace: watch.pace,
          id: watch.id,
          wasSeen: watch.wasSeen,
          // Without `wasSeen`, a list decides, so one is read where the resource was not found by its id.
          needsList: watch.needsList === true || !watch.wasSeen,
          endsInTime: watch.endsInTime === true,
          look(sighting) {
            const verdict = watch.decide(sighting);
            if (verdict === undefined) return false;
            resolve(verdict);
            return true;
          },
          expire: () => resolve(watch.expire()),
          fail: reject,
        });
      }),
  };
}

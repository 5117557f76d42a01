import type { Clock } from '../../model/runtime.ts';
import { Poller } from './poller.ts';
import type { ObservedService, Watch } from './watch.ts';

/** Waits for many things with few requests: one list a tick settles every watcher of the same kind and place. */
export interface Observer {
  /** Looks until the watch has a verdict. Rejects when the service cannot be read at all. */
  await<V>(watch: Watch<V>): Promise<V>;
}

/** An observer over one client. `random` spreads the looks of several runs. */
export function createObserver(
  client: ObservedService,
  clock: Clock,
  random: () => number,
): Observer {
  const pollers = new Map<string, Poller>();
  return {
    await: (watch) =>
      new Promise((resolve, reject) => {
        const { kind, place } = watch;
        const key = [kind, place.projectId, place.publicIpId ?? ''].join(' ');
        let poller = pollers.get(key);
        if (!poller) {
          poller = new Poller(client, clock, random, kind, place);
          pollers.set(key, poller);
        }
        poller.add({
          since: watch.since ?? clock.now(),
          deadline: watch.deadline,
          needsOperations: watch.needsOperations,
          pace: watch.pace,
          id: watch.id,
          wasSeen: watch.wasSeen,
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

import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import { openHttpBackend } from '../../../src/state/backends/http/open-http-backend.ts';
import { openHttpStateDouble } from '../../support/backends/http-state-double.ts';
import { openSmallServer } from '../../support/backends/places-in-small.ts';
import { describeBackend } from './backend-contract.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';
import { describeSetBack, type SetBackPlace } from './courses/set-back.ts';
import { describeSwallowed, overSwallowing } from './courses/swallowed.ts';

const credentials = { username: 'robot', password: 'a secret' };

for (const flavour of ['terraform', 'gitlab'] as const) {
  const openPlace = async (): Promise<SetBackPlace> => {
    const double = await openHttpStateDouble({ flavour, credentials });
    const network = openLazyNetwork({}, { maxConnections: 8 });
    const { address } = double;
    const { exchange } = network;
    // Tries again at once.
    const clock = { now: Date.now, sleep: () => Promise.resolve() };
    return {
      open: () =>
        Promise.resolve(
          openHttpBackend({ address, credentials, exchange, clock, warn: () => undefined }),
        ),
      heldBy: () => double.lock?.['ID'] as string | undefined,
      copy() {
        const back = double.copy();
        return Promise.resolve(() => Promise.resolve().then(back));
      },
      close: async () => {
        network.close();
        await double.close();
      },
    };
  };
  describeBackend(`a state server of ${flavour}`, openPlace);
  describeSetBack(`a state server of ${flavour}`, openPlace, { isWhole: true });
}

for (const flavour of ['terraform', 'gitlab'] as const) {
  describeSwallowed(`a state server of ${flavour}`, async () => {
    const double = await openHttpStateDouble({ flavour, credentials });
    const network = openLazyNetwork({}, { maxConnections: 8 });
    const { address } = double;
    return {
      open: (ways) => {
        const exchange = overSwallowing(network.exchange, ways);
        const means = { exchange, clock: ways.clock, warn: () => undefined };
        return Promise.resolve(openHttpBackend({ address, credentials, ...means }));
      },
      close: async () => {
        network.close();
        await double.close();
      },
    };
  });
  describeDeletedLock(`a state server of ${flavour}`, () => openSmallServer(flavour), {
    isPutBack: false,
  });
  describeSlowMedium(`a state server of ${flavour}`, () => openSmallServer(flavour), false);
}

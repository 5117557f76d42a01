import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import { openS3Backend } from '../../../src/state/backends/s3/open-s3-backend.ts';
import { drawSome } from '../../support/budget/budget.ts';
import { openS3Double } from '../../support/backends/s3-double.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallBucket } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeMissingParts } from './courses/missing-parts.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';
import { describeSwallowed, overSwallowing } from './courses/swallowed.ts';
import { describeSetBack, type SetBackPlace } from './courses/set-back.ts';

for (const pageSize of drawSome([1_000, 2], { short: 1, ci: 2 }, 'pages of a bucket')) {
  const openPlace = async (): Promise<SetBackPlace> => {
    const double = await openS3Double({ pageSize });
    const network = openLazyNetwork({}, { maxConnections: 8 });
    const { endpoint, bucket, region, keys: credentials } = double;
    // Tries again at once.
    const clock = { now: Date.now, sleep: () => Promise.resolve() };
    const { exchange } = network;
    return {
      open: () =>
        Promise.resolve(
          openS3Backend({
            ...{ endpoint, bucket, region, credentials, exchange, clock },
            ...{ key: 'shop & co/ü+1', isPathStyle: true },
          }),
        ),
      copy() {
        const kept = [...double.objects];
        return Promise.resolve(() => {
          double.objects.clear();
          for (const [key, object] of kept) double.objects.set(key, object);
          return Promise.resolve();
        });
      },
      close: async () => {
        network.close();
        await double.close();
      },
    };
  };
  const name = `a bucket of S3 that lists ${pageSize} names at once`;
  describeBackend(name, openPlace);
  describeSetBack(name, openPlace, {
    except: {
      'before there was a state': 'the lock is gone, as where somebody has deleted its object',
      'a write': 'it is a new object and looks at no other: the next sign of life tells',
    },
  });
}

describeDeletedLock('a bucket of S3', openSmallBucket);

describeMissingParts('a bucket of S3', openSmallBucket);

describeSlowMedium('a bucket of S3', openSmallBucket, true);
describeSwallowed('a bucket of S3', async () => {
  const double = await openS3Double();
  const network = openLazyNetwork({}, { maxConnections: 8 });
  const { endpoint, bucket, region, keys: credentials } = double;
  const where = { endpoint, bucket, region, credentials, key: 'shop', isPathStyle: true };
  return {
    open: (ways) => {
      const exchange = overSwallowing(network.exchange, ways);
      return Promise.resolve(openS3Backend({ ...where, exchange, clock: ways.clock }));
    },
    close: async () => {
      network.close();
      await double.close();
    },
  };
});

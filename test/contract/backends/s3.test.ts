import { openNetwork } from '../../../src/cli/network/open-network.ts';
import { openS3Backend } from '../../../src/state/backends/s3/open-s3-backend.ts';
import { openS3Double } from '../../support/backends/s3-double.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallBucket } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeMissingParts } from './courses/missing-parts.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';

for (const pageSize of [1_000, 2]) {
  describeBackend(`a bucket of S3 that lists ${pageSize} names at once`, async () => {
    const double = await openS3Double({ pageSize });
    const network = openNetwork({}, { maxConnections: 8 });
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
      close: async () => {
        network.close();
        await double.close();
      },
    };
  });
}

describeDeletedLock('a bucket of S3', openSmallBucket);

describeMissingParts('a bucket of S3', openSmallBucket);

describeSlowMedium('a bucket of S3', openSmallBucket, true);

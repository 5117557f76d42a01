import { openHttpBackend } from '../../../src/state/backends/http/open-http-backend.ts';
import { openGitBackend } from '../../../src/state/backends/git/open-git-backend.ts';
import { openS3Backend } from '../../../src/state/backends/s3/open-s3-backend.ts';
import {
  openMemoryGit,
  openMemoryRemote,
  openMemoryRepository,
} from '../../support/backends/git-double.ts';
import { openHttpStateDouble } from '../../support/backends/http-state-double.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { openS3Double } from '../../support/backends/s3-double.ts';
import { openOverSilentNetwork, silenceGit } from '../../support/backends/silent-network.ts';
import { describeKills } from './backend-kills.ts';

describeKills('a bucket', 20, async () => {
  const double = await openS3Double();
  const { endpoint, bucket, region, keys: credentials } = double;
  const where = { endpoint, bucket, region, credentials, key: 'shop', isPathStyle: true };
  return {
    open: (plan) =>
      Promise.resolve(
        openOverSilentNetwork(plan, (exchange) =>
          openS3Backend({ ...where, exchange, clock: openQuickClock() }),
        ),
      ),
    close: () => double.close(),
  };
});

for (const flavour of ['terraform', 'gitlab', 'gitea'] as const) {
  describeKills(`a server of ${flavour}`, 9, async () => {
    const double = await openHttpStateDouble({ flavour });
    const { address } = double;
    return {
      open: (plan) =>
        Promise.resolve(
          openOverSilentNetwork(plan, (exchange) =>
            openHttpBackend({
              ...{ address, exchange, clock: openQuickClock(), warn: () => undefined },
            }),
          ),
        ),
      heldBy: () => double.lock?.['ID'] as string | undefined,
      close: () => double.close(),
    };
  });
}

describeKills('a branch in memory', 12, () => {
  const remote = openMemoryRemote();
  const where = { directory: '/', env: {}, branch: 'hostwright-state' };
  return Promise.resolve({
    open: (plan) =>
      openGitBackend({
        ...{ ...where, clock: openQuickClock() },
        repository: openMemoryRepository(silenceGit(openMemoryGit(remote), plan)),
      }),
    close: () => Promise.resolve(),
  });
});

import { listBackups, listImages, fetchVmMetrics } from '../../api/backups.ts';
import { spellCatalogEntry } from '../../kinds/catalog.ts';
import { vmKind } from '../../kinds/vm/vm.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import {
  sortBackupsNewestFirst,
  type ListedBackup,
  type MetricSeries,
} from '../../model/account/vm-work.ts';
import { withConfiguredAccount, type AccountSession } from '../session/account-session.ts';
import { findManagedResource } from '../state/find-address.ts';
import type { Reporter } from '../session/reporter.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** The backups of a VM with their ages, the newest first. */
export function readVmBackups(
  runtime: SessionRuntime,
  address: ResourceAddress,
  reporter: Notices,
): Promise<readonly ListedBackup[]> {
  return withConfiguredAccount(runtime, reporter, async (session) => {
    const { client } = session.connection;
    const [backups, images] = await Promise.all([
      listBackups(client, findPlace(session, address)),
      listImages(client),
    ]);
    const name = (id: string | null) =>
      id === null ? null : (spellCatalogEntry(images, id, undefined) ?? id);
    const now = runtime.clock.now();
    return sortBackupsNewestFirst(backups).map((one) => ({
      ...one,
      ageMs: one.createdAt === null ? null : Math.max(0, now - one.createdAt),
      sourceImage: name(one.sourceImageId),
    }));
  });
}

/** Reads the metrics of a VM. */
export function readVmMetrics(
  runtime: SessionRuntime,
  address: ResourceAddress,
  reporter: Notices,
): Promise<readonly MetricSeries[]> {
  return withConfiguredAccount(runtime, reporter, (session) =>
    fetchVmMetrics(session.connection.client, findPlace(session, address)),
  );
}

function findPlace(session: AccountSession, address: ResourceAddress) {
  const { projectId, id } = findManagedResource(session, address, vmKind.name);
  return { projectId, vmId: id };
}

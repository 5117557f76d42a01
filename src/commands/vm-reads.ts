import { listBackups, readMetrics } from '../api/backups.ts';
import type { Address } from '../model/address.ts';
import type { Runtime } from '../model/runtime.ts';
import { sortBackups, type Backup, type MetricSeries } from '../model/vm-work.ts';
import { withAccount, type AccountSession } from './account-session.ts';
import { findManaged } from './find-address.ts';
import type { Reporter } from './reporter.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** The backups of a VM, the newest first. */
export function readVmBackups(
  runtime: Runtime,
  address: Address,
  reporter: Notices,
): Promise<readonly Backup[]> {
  return withAccount(runtime, reporter, async (session) =>
    sortBackups(await listBackups(session.connection.client, findPlace(session, address))),
  );
}

/** What was measured of a VM. */
export function readVmMetrics(
  runtime: Runtime,
  address: Address,
  reporter: Notices,
): Promise<readonly MetricSeries[]> {
  return withAccount(runtime, reporter, (session) =>
    readMetrics(session.connection.client, findPlace(session, address)),
  );
}

function findPlace(session: AccountSession, address: Address) {
  const { projectId, id } = findManaged(session, address, 'vm');
  return { projectId, vmId: id };
}

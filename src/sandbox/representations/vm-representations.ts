import type {
  WireVm,
  WireVmMetrics,
  WireVmNetwork,
  WireVmStateCounts,
} from '../../api/contract/types.ts';
import { findOperationStatus } from '../rules/operations.ts';
import { representTime, parseStoredTextList } from './representations.ts';
import type { VmBootStatus, SandboxResourceStatus, SandboxVmRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** Represents VMs by four database queries, however many VMs there are. */
export function representVms(world: SandboxContext, vms: readonly SandboxVmRow[]): WireVm[] {
  const { store, now } = world;
  const among = (column: string) => `WHERE ${column} IN (SELECT value FROM json_each(?))`;
  const vmIds = JSON.stringify(vms.map((vm) => vm.id));
  const networks = new Map<string, WireVmNetwork[]>();
  const attached = `${among('vmId')} AND status = 'active' ORDER BY seq`;
  for (const { vmId, networkId, internalIp } of store.select(
    sandboxTables.attachments,
    attached,
    vmIds,
  )) {
    networks.set(vmId, [...(networks.get(vmId) ?? []), { networkId, internalIp }]);
  }
  const ips = new Map(
    store.select(sandboxTables.publicIps, among('vmId'), vmIds).map((ip) => [ip.vmId, ip.id]),
  );
  const operationIds = JSON.stringify(vms.map((vm) => vm.operationId));
  const operations = new Map(
    store.select(sandboxTables.operations, among('id'), operationIds).map((row) => [row.id, row]),
  );
  return vms.map((vm) => {
    const operation = operations.get(vm.operationId ?? '');
    return {
      id: vm.id,
      name: vm.name,
      status: vm.status,
      operation: operation?.type ?? null,
      operationStatus: operation ? findOperationStatus(operation, now, 0) : null,
      bootStatus: vm.bootStatus,
      configurationId: vm.configurationId,
      imageId: vm.imageId,
      tariffId: vm.tariffId,
      cpu: vm.cpu,
      ram: vm.ram,
      disk: vm.disk,
      networks: networks.get(vm.id) ?? [],
      publicIpId: ips.get(vm.id) ?? null,
      sshKeyIds: parseStoredTextList(vm.sshKeyIds),
      plugins: parseStoredTextList(vm.plugins),
      saleId: vm.saleId,
      createdAt: representTime(vm.createdAt),
    };
  });
}

export function representVm(world: SandboxContext, vm: SandboxVmRow): WireVm {
  const [shown] = representVms(world, [vm]);
  if (!shown) throw new Error(`The VM ${vm.id} was not shown.`);
  return shown;
}

/** Counts VMs by status; by section 4 of the specification, the service does so. */
export function representVmStateCounts(
  { store }: SandboxContext,
  projectId: string,
): WireVmStateCounts {
  const inStatus = (status: SandboxResourceStatus): number =>
    store.tally(projectId, `status ${status}`);
  const inPower = (bootStatus: VmBootStatus): number =>
    store.tally(projectId, `power ${bootStatus}`);
  return {
    status: {
      creating: inStatus('creating'),
      active: inStatus('active'),
      updating: inStatus('updating'),
      deleting: inStatus('deleting'),
      failed: inStatus('failed'),
    },
    powerState: {
      running: inPower('Running'),
      stopped: inPower('Stopped'),
      starting: inPower('Starting'),
      stopping: inPower('Stopping'),
      rebooting: inPower('Rebooting'),
    },
  };
}

const firstPoint = Date.UTC(2026, 0, 1);
const fiveMinutesMs = 300_000;

const series = (name: string, unit: string, values: readonly number[]) => ({
  name,
  unit,
  points: values.map((value, index) => ({
    at: representTime(firstPoint + index * fiveMinutesMs),
    value,
  })),
});

/** Fixed mock data, the same for every VM (specification, section 4). */
export const representVmMetrics = (): WireVmMetrics => ({
  series: [
    series('cpu', 'percent', [12, 14, 11, 35, 42, 18]),
    series('ram', 'percent', [48, 48, 49, 53, 55, 51]),
    series('networkIn', 'bytesPerSecond', [1200, 1450, 980, 8800, 9400, 2100]),
    series('networkOut', 'bytesPerSecond', [800, 950, 700, 5200, 6100, 1500]),
  ],
});

import type { CatalogEntry } from '../model/account/live.ts';
import type { Backup, MetricSeries } from '../model/account/vm-work.ts';
import type { WireBackup, WireRequest, WireVmMetrics } from './contract/types.ts';
import { decodeImage } from './wire/decode.ts';
import {
  lifecycleStatusWords,
  readContractWord,
  readWireId,
  readWireItems,
  readWireNumber,
  readWireRecord,
  readWireReference,
  readWireText,
  readWireTime,
} from '../model/wire/decode-fields.ts';
import { classifyRefusal } from './errors/classify-error.ts';
import { ServiceError } from './errors/errors.ts';
import type { ServiceClocks } from './service-clocks.ts';
import type { ServiceCaller } from './wire/caller.ts';
import { readServiceList, readServiceRecord } from './wire/reading.ts';
import { isJsonObject } from '../model/json-object.ts';

/** Ids that address a VM in the service's paths. */
export interface VmPathIds {
  readonly projectId: string;
  readonly vmId: string;
}

/** Lists the backups of a VM, in the service's own order. The service does not list backups that failed. @throws ApiError */
export function listBackups(
  client: ServiceCaller & { readonly clocks?: ServiceClocks },
  params: VmPathIds,
): Promise<Backup[]> {
  const request: WireRequest = { operation: 'listBackups', params: { ...params } };
  const decode = (wire: unknown) => {
    const backup = decodeBackup(wire);
    return client.clocks?.readResource(backup) ?? backup;
  };
  return readServiceList(client, { request, decode });
}

/**
 * Reads the backups of each of these VMs, with one request for each, by the id of the VM. A VM that does not exist any more has
 * no entry, nor has one whose backups the access token may not see: a plan only counts them, and is not refused for want of the
 * number.
 * @throws ApiError when the service cannot be read at all
 */
export async function readBackupsByVm(
  client: ServiceCaller,
  vms: readonly VmPathIds[],
): Promise<ReadonlyMap<string, readonly Backup[]>> {
  const backups = new Map<string, readonly Backup[]>();
  // A service that does not list them may have some nevertheless.
  if (client.dialect?.lacks('listBackups')) return backups;
  await Promise.all(
    vms.map(async (place) => {
      try {
        backups.set(place.vmId, await listBackups(client, place));
      } catch (error) {
        const meaning = error instanceof ServiceError ? classifyRefusal(error) : undefined;
        if (meaning !== 'notFound' && meaning !== 'forbidden') throw error;
      }
    }),
  );
  return backups;
}

/** The images that the service has, for the names of those that backups were made from. @throws ApiError */
export function listImages(client: ServiceCaller): Promise<CatalogEntry[]> {
  const request: WireRequest = { operation: 'listImages', params: {} };
  return readServiceList(client, { request, decode: decodeImage });
}

/** Reads the metrics of a VM. The service documents its answer as fixed sample data (section 4). @throws ApiError */
export function fetchVmMetrics(client: ServiceCaller, params: VmPathIds): Promise<MetricSeries[]> {
  const request: WireRequest = { operation: 'getVmMetrics', params: { ...params } };
  return readServiceRecord(client, { request, decode: decodeMetrics });
}

/** The contract shows no shape of metrics: members of an answer that are no series of points are left out. */
function decodeMetrics(wire: unknown): MetricSeries[] {
  const record = readWireRecord<WireVmMetrics>(wire, 'the metrics');
  return readWireItems(record.series).flatMap(decodeSeries);
}

function decodeBackup(wire: unknown): Backup {
  const record = readWireRecord<WireBackup>(wire, 'a backup');
  return {
    id: readWireId(record.id, 'a backup'),
    // The specification shows no status of a backup. A listed backup without one is usable.
    status: readContractWord(record.status, lifecycleStatusWords) ?? 'active',
    createdAt: readWireTime(record.createdAt),
    size: readWireNumber(record.size),
    sourceImageId: readWireReference(record.sourceImageId),
  };
}

function decodeSeries(wire: unknown): MetricSeries[] {
  if (!isJsonObject(wire)) return [];
  const points = readWireItems(wire.points).flatMap((point) => {
    const value = isJsonObject(point) ? readWireNumber(point.value) : null;
    return value === null || !isJsonObject(point) ? [] : [{ at: readWireTime(point.at), value }];
  });
  return [{ name: readWireText(wire.name) ?? '', unit: readWireText(wire.unit) ?? '', points }];
}

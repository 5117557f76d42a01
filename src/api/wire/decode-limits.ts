import type { Limits, NameLengths, Quota, QuotaName } from '../../model/account/live.ts';
import type {
  WireLimits,
  WireNameLengthLimits,
  WireResourceQuota,
  WireVmResourceLimits,
} from '../contract/types.ts';
import { isRecord, readNumber, readRecord } from '../../model/wire/decode-fields.ts';

/** The caps of the account. A quota that is missing or unreadable is left out and will not be checked. */
export function decodeLimits(wire: unknown): Limits {
  const record = readRecord<WireLimits>(wire, 'the limits');
  const vm = isRecord(record.vmResources)
    ? readRecord<WireVmResourceLimits>(record.vmResources, 'the VM limits')
    : {};
  const found: [QuotaName, Quota | null][] = [
    ['projects', decodeQuota(record.projects)],
    ['accessTokens', decodeQuota(record.accessTokens)],
    ['networks', decodeQuota(record.networks)],
    ['publicIps', decodeQuota(record.publicIps)],
    ['vmCpu', decodeQuota(vm.cpu)],
    ['vmRam', decodeQuota(vm.ram)],
    ['vmDisk', decodeQuota(vm.disk)],
  ];
  return {
    quotas: Object.fromEntries(found.filter(([, quota]) => quota !== null)),
    maxSshKeysPerProject: readNumber(record.maxSshKeysPerProject),
  };
}

/** A quota object, or a plain number that is its limit; null when there is no limit in it. */
function decodeQuota(wire: unknown): Quota | null {
  const plain = readNumber(wire);
  if (plain !== null) return { limit: plain, used: null, remaining: null };
  if (!isRecord(wire)) return null;
  const record = readRecord<WireResourceQuota>(wire, 'a quota');
  const limit = readNumber(record.limit);
  if (limit === null) return null;
  return { limit, used: readNumber(record.used), remaining: readNumber(record.remaining) };
}

/** The longest names that the service takes; null for each that it does not say. */
export function decodeNameLengths(wire: unknown): NameLengths {
  const record = readRecord<WireNameLengthLimits>(wire, 'the name lengths');
  return {
    project: readNumber(record.maxProjectNameLength),
    network: readNumber(record.maxNetworkNameLength),
    vm: readNumber(record.maxVmNameLength),
    sshKey: readNumber(record.maxSshKeyNameLength),
    sshPublicKey: readNumber(record.maxSshKeyPublicKeyLength),
    accessToken: readNumber(record.maxAccessTokenNameLength),
  };
}

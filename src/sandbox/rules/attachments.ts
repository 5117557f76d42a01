import { createConflictRefusal, createInvalidRequestRefusal } from '../contract/problems.ts';
import type { SandboxNetworkRow, SandboxResourceStatus } from '../store/rows.ts';
import { ampleNetworkPrefixLength } from './networks.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';

type Range = Pick<SandboxNetworkRow, 'id' | 'cidr'>;

// The first is the network itself, the second its gateway, the last its broadcast address.
const firstHost = 2;

/** A range of addresses: its first one as a number, and how many it has. */
function parseRange(cidr: string): { first: number; size: number } {
  const [, a = '10', b = '0', c = '0', d = '0', length = String(ampleNetworkPrefixLength)] =
    /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr) ?? [];
  const size = 2 ** (32 - Number(length));
  const address = ((Number(a) * 256 + Number(b)) * 256 + Number(c)) * 256 + Number(d);
  return { first: address - (address % size), size };
}

/** Computes the address of a host in a network. */
export function formatHostAddress({ cidr }: Range, host: number): string {
  const address = parseRange(cidr).first + host;
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** Finds the host number of an address; NaN where it is no address. */
function findHost({ cidr }: Range, address: string): number {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4) return Number.NaN;
  return parts.reduce((sum, part) => sum * 256 + part, 0) - parseRange(cidr).first;
}

const lastHostOf = ({ cidr }: Range): number => parseRange(cidr).size - 2;

/** The first host, or the one behind a host that is taken: a full network of rows is not read for one number. */
const lowestFreeSql = `
  WITH taken(host) AS (
    SELECT host FROM attachments WHERE networkId = ?
    UNION SELECT reservedHost FROM attachments WHERE networkId = ? AND reservedHost IS NOT NULL)
  SELECT min(free) AS value
  FROM (SELECT ${firstHost} AS free UNION ALL SELECT host + 1 FROM taken)
  WHERE free >= ${firstHost} AND free NOT IN taken`;

/**
 * Finds the lowest host number of a network that no attachment has or reserves. Throws the refusal (status 409) of a
 * full network.
 */
export function findLowestFreeHost(store: SandboxStore, network: Range): number {
  const host = store.number(lowestFreeSql, network.id, network.id) ?? firstHost;
  if (host > lastHostOf(network)) {
    throw createConflictRefusal(`The network ${network.id} has no free address.`);
  }
  return host;
}

/** Reads the host number of an address that a client asks for; refuses an address outside of the network. */
export function readHostNumber(network: Range, address: string): number {
  const host = findHost(network, address);
  const last = lastHostOf(network);
  if (host >= firstHost && host <= last && address === formatHostAddress(network, host))
    return host;
  const range = `from ${formatHostAddress(network, firstHost)} to ${formatHostAddress(network, last)}`;
  throw createInvalidRequestRefusal({
    internalIp: [`It must be a free address of ${network.cidr}, ${range}.`],
  });
}

/**
 * Attaches a copied VM to a network with the address that it has in the real account, or with the next free one where
 * the service does not report it.
 */
export function copyMirroredAttachment(
  store: SandboxStore,
  vmId: string,
  {
    networkId,
    internalIp,
  }: { readonly networkId: string; readonly internalIp: string | null | undefined },
  status: SandboxResourceStatus,
): void {
  const network = store.first(sandboxTables.networks, { id: networkId });
  if (!network || store.first(sandboxTables.attachments, { networkId, vmId })) return;
  const known = typeof internalIp === 'string' ? findHost(network, internalIp) : Number.NaN;
  const host = Number.isFinite(known) ? known : findLowestFreeHost(store, network);
  store.insert(sandboxTables.attachments, {
    networkId,
    vmId,
    host,
    reservedHost: null,
    status,
    internalIp: internalIp ?? formatHostAddress(network, host),
  });
}

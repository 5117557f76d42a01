import type { SandboxStore } from '../store/store.ts';

/** Prefix length of a new network where the account has no other: room for 253 VMs. */
export const defaultNetworkPrefixLength = 24;

/** Prefix length of a network whose range the service does not report: 65,533 addresses, so that none is ever full. */
export const ampleNetworkPrefixLength = 16;

const privateBits = 24;
const secondOctet = 16;

/**
 * Chooses the next unused range of 10.0.0.0/8 for a network of a project: 10.0.0.0/24, 10.1.0.0/24 … 10.255.0.0/24,
 * 10.0.1.0/24 … for a prefix of 24.
 * @param prefix from 8 to 29
 */
export function chooseNextNetworkCidr(
  store: SandboxStore,
  projectId: string,
  prefix: number,
): string {
  const index = store.next(`cidr:${projectId}`) - 1;
  const size = 2 ** (32 - prefix);
  const stride = Math.max(size, 2 ** secondOctet);
  const strides = 2 ** privateBits / stride;
  const within = Math.floor(index / strides) % (stride / size);
  const offset = (index % strides) * stride + within * size;
  return `10.${[16, 8, 0].map((shift) => Math.floor(offset / 2 ** shift) % 256).join('.')}/${prefix}`;
}

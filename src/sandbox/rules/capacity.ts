import type { SandboxWorld } from '../store/world.ts';
import type { VmConfiguration } from '../store/catalog.ts';

/** VMs of a configuration that the cluster still has room for. */
export function remainingCapacity(
  { store, rules }: SandboxWorld,
  { id, capacity }: VmConfiguration,
): number {
  const left = Math.max(0, capacity - store.tally('cluster', id));
  return Math.min(left, rules.capacityLeft[id] ?? left);
}

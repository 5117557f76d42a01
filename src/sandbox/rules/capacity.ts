import type { SandboxContext } from '../store/world.ts';
import type { SandboxVmConfiguration } from '../store/catalog.ts';

/** Counts the VMs of a configuration that the sandbox still has capacity for. */
export function countRemainingVmCapacity(
  { store, rules }: SandboxContext,
  { id, capacity }: SandboxVmConfiguration,
): number {
  const left = Math.max(0, capacity - store.tally('cluster', id));
  return Math.min(left, rules.capacityLeft[id] ?? left);
}

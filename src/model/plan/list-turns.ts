import { removeInstanceKey, type ResourceAddress } from '../address.ts';
import type { Task } from './task.ts';

/** The order in which a plan changes the instances of one module. */
export interface ModuleInstanceSequence {
  /** Address of the module, without an instance key. */
  readonly module: ResourceAddress;
  /** Keys of the instances that change, in their order. */
  readonly keys: readonly string[];
  readonly needsChecks: boolean;
  /** Longest wait between two instances, in milliseconds. */
  readonly waitMs: number;
}

/** The uses of modules in a plan whose instances change one after the other. */
export function listModuleInstanceSequences(
  tasks: readonly Task[],
): readonly ModuleInstanceSequence[] {
  const turns = new Map<ResourceAddress, ModuleInstanceSequence>();
  for (const { address, gate } of tasks) {
    if (!gate) continue;
    const module = removeInstanceKey(address);
    const waitMs = Math.max(gate.waitMs, turns.get(module)?.waitMs ?? 0);
    const keys = [...gate.after, address].map((one) => readInstanceKey(one, module));
    turns.set(module, { module, keys, needsChecks: gate.needsChecks, waitMs });
  }
  return [...turns.values()];
}

function readInstanceKey(address: ResourceAddress, module: ResourceAddress): string {
  const [key] = JSON.parse(address.slice(module.length)) as readonly [string];
  return key;
}

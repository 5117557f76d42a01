// Where the simulation reaches into the engine past its commands.
import type { ServiceClient } from '../../../src/api/client.ts';
import { recordEnd } from '../../../src/commands/resolve-create.ts';
import { DiagnosticError } from '../../../src/model/errors.ts';
import type { PlanWishes } from '../../../src/model/plan.ts';
import { openMemoryState } from '../../../src/state/memory-store.ts';
import type { World } from '../world.ts';
import type { Resolution } from './person.ts';

/** `state resolve ADDRESS --id ID | --gone`: what a person says to a create whose end no run has seen. */
export async function resolveByHand(
  world: World,
  client: ServiceClient,
  resolution: Resolution,
): Promise<void> {
  const store = await openMemoryState({ disk: world.store.readDisk() });
  try {
    await recordEnd(store, client, resolution);
    await store.compact();
    world.store = store;
  } catch (error) {
    // It is not open any more, or not there any more: the next plan says what is.
    if (!(error instanceof DiagnosticError)) throw error;
  }
}

/** `--remove-doubled`. */
export function wishToRemoveDoubled(removesDoubled: boolean): Partial<PlanWishes> {
  return { removesDoubled };
}

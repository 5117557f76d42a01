import { publicIpTariffId } from '../store/catalog.ts';
import { createSandboxId } from '../store/ids.ts';
import { sandboxTables } from '../store/rows.ts';
import { createResourceSale } from './sales.ts';
import type { SandboxStore } from '../store/store.ts';
import type { SandboxContext } from '../store/world.ts';

/** 198.18.0.0/15, which is set aside for tests: 131,072 addresses that lead nowhere. */
const addressOf = (index: number): string =>
  `198.${18 + (Math.floor(index / 65_536) % 2)}.${Math.floor(index / 256) % 256}.${index % 256}`;

/** Finds an address that no public IP has. */
export function choosePublicAddress(store: SandboxStore): string {
  for (;;) {
    const address = addressOf(store.next('address'));
    if (!store.first(sandboxTables.publicIps, { address })) return address;
  }
}

/** Reserves a public IP for a project, which becomes active later. The caller has claimed the quota for it. */
export function reservePublicIp(
  world: SandboxContext,
  projectId: string,
  vmId: string | null,
): string {
  const { store, rules, now } = world;
  const id = createSandboxId(store, rules.seed, 'publicIp');
  store.insert(sandboxTables.publicIps, {
    id,
    projectId,
    status: 'creating',
    address: choosePublicAddress(store),
    vmId,
    saleId: createResourceSale(world, 'publicIp', id, publicIpTariffId),
    createdAt: now,
  });
  return id;
}

import { publicIpTariffId } from '../store/catalog.ts';
import { nextId } from '../store/ids.ts';
import { tables } from '../store/rows.ts';
import { sell } from './sales.ts';
import type { SandboxStore } from '../store/store.ts';
import type { SandboxWorld } from '../store/world.ts';

/** 198.18.0.0/15, which is set aside for tests: 131,072 addresses that lead nowhere. */
const addressOf = (index: number): string =>
  `198.${18 + (Math.floor(index / 65_536) % 2)}.${Math.floor(index / 256) % 256}.${index % 256}`;

/** Finds an address that no public IP has. */
export function bookAddress(store: SandboxStore): string {
  for (;;) {
    const address = addressOf(store.next('address'));
    if (!store.first(tables.publicIps, { address })) return address;
  }
}

/** Books a public IP, which becomes active later. Its quota is claimed by the caller. */
export function bookPublicIp(world: SandboxWorld, projectId: string, vmId: string | null): string {
  const { store, rules, now } = world;
  const id = nextId(store, rules.seed, 'publicIp');
  store.insert(tables.publicIps, {
    id,
    projectId,
    status: 'creating',
    address: bookAddress(store),
    vmId,
    saleId: sell(world, 'publicIp', id, publicIpTariffId),
    createdAt: now,
  });
  return id;
}

import type { Catalog, CatalogConfiguration } from '../../model/account/live.ts';

/** A size of VM: cores, gigabytes, gigabytes, and how many of it the cluster hosts at most. */
export interface SandboxVmConfiguration {
  readonly id: string;
  readonly name: string;
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
  readonly capacity: number;
}

export interface SandboxImage {
  readonly id: string;
  readonly name: string;
  readonly os: string;
}

export interface SandboxTariff {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly currency: string;
  /** Period of the price: `hour`, `month` or `year`; in a copy of an account, its own word. */
  readonly period: string;
}

/** Number of VMs of each configuration that the cluster has capacity for, unless given otherwise. */
export const defaultVmCapacity = 100_000;

const configuration = (
  cpu: number,
  ram: number,
  disk: number,
  family = 'c',
  capacity = defaultVmCapacity,
): SandboxVmConfiguration => ({
  id: `cfg-${family}${cpu}r${ram}d${disk}`,
  name: `${family}${cpu}-r${ram}-d${disk}`,
  cpu,
  ram,
  disk,
  capacity,
});

export const sandboxVmConfigurations: readonly SandboxVmConfiguration[] = [
  configuration(1, 1, 20),
  configuration(1, 2, 20),
  configuration(2, 4, 40),
  configuration(2, 8, 80),
  configuration(4, 8, 80),
  configuration(4, 16, 160),
  configuration(8, 16, 160),
  configuration(8, 32, 320),
  // A configuration with little capacity, so that users can see it run out.
  configuration(8, 64, 640, 'g', 2),
];

const image = (name: string, os: string): SandboxImage => ({
  id: `img-${name.replaceAll('.', '-')}`,
  name,
  os,
});

export const sandboxImages: readonly SandboxImage[] = [
  image('ubuntu-24.04', 'Ubuntu 24.04 LTS'),
  image('ubuntu-22.04', 'Ubuntu 22.04 LTS'),
  image('debian-13', 'Debian 13'),
  image('debian-12', 'Debian 12'),
  image('rocky-9', 'Rocky Linux 9'),
  image('alma-9', 'AlmaLinux 9'),
  image('fedora-42', 'Fedora 42'),
];

const tariff = (name: string, price: number, period: SandboxTariff['period']): SandboxTariff => ({
  id: `trf-${name}`,
  name,
  price,
  currency: 'EUR',
  period,
});

export const sandboxTariffs: readonly SandboxTariff[] = [
  tariff('hourly', 0.01, 'hour'),
  tariff('monthly', 5, 'month'),
  tariff('yearly', 50, 'year'),
];

/** Images, configurations and tariffs that an account can choose from. */
export interface SandboxCatalog {
  readonly configurations: readonly SandboxVmConfiguration[];
  readonly images: readonly SandboxImage[];
  readonly tariffs: readonly SandboxTariff[];
}

/** The catalog that the sandbox has unless it copies an account. */
export const defaultSandboxCatalog: SandboxCatalog = {
  configurations: sandboxVmConfigurations,
  images: sandboxImages,
  tariffs: sandboxTariffs,
};

/**
 * Finds the number of VMs of a size that the account's catalog still has capacity for; the default where the catalog
 * does not report it.
 */
export const readVmCapacity = ({ availability, maxCount }: CatalogConfiguration): number =>
  availability === 'unavailable' ? 0 : (maxCount ?? defaultVmCapacity);

/** Converts the catalog of an account to that of a sandbox. `room` gives the number of VMs of each size that still fit. */
export function makeSandboxCatalog(
  { configurations: sizes, images: systems, tariffs: terms }: Catalog,
  room: (size: CatalogConfiguration) => number,
): SandboxCatalog {
  return {
    configurations: sizes.map((size) => {
      const { id, name, cpu, ram, disk } = size;
      return { id, name, cpu, ram, disk, capacity: room(size) };
    }),
    images: systems.map(({ id, name, os = '' }) => ({ id, name, os })),
    // A price that nobody knows must not become one of nothing: without a currency it is none.
    tariffs: terms.map(({ id, name, price }) => ({
      id,
      name,
      price: Number(price?.amount ?? 0),
      currency: price?.currency ?? '',
      period: price?.period ?? '',
    })),
  };
}

/** Tariff of every public IP, which nobody chooses. */
export const publicIpTariffId = 'trf-monthly';

export const findCatalogEntryById = <Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  id: string,
): Entry | undefined => entries.find((entry) => entry.id === id);

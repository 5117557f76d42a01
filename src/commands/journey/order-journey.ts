// The order of a journey: the least that the account offers.
import type {
  Catalog,
  CatalogConfiguration,
  CatalogImage,
  CatalogTariff,
  MaximumNameLengths,
} from '../../model/account/live.ts';
import { parsePriceAmount } from '../../model/cost/money.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** The VM that a journey orders: the cheapest that the account offers. */
export interface JourneyVmOrder {
  readonly configuration: CatalogConfiguration;
  readonly image: CatalogImage;
  /** The image that it is rebuilt with; undefined where the catalog has one alone. */
  readonly otherImage: CatalogImage | undefined;
  readonly tariff: CatalogTariff;
}

/** Names of the journey's resources, at first and after a rename. */
export interface JourneyNames {
  readonly first: NamesOfKinds;
  readonly renamed: NamesOfKinds;
}

interface NamesOfKinds {
  readonly project: string;
  readonly key: string;
  readonly net: string;
  readonly box: string;
}

/** Chooses the smallest available VM, under the tariff with the cheapest period. @throws DiagnosticError `nothing-to-order` */
export function chooseJourneyVm({ configurations, images, tariffs }: Catalog): JourneyVmOrder {
  const [configuration] = configurations
    .filter(({ availability }) => availability?.toLowerCase() !== 'unavailable')
    .toSorted((a, b) => a.cpu - b.cpu || a.ram - b.ram || a.disk - b.disk);
  const [image, otherImage] = images;
  const tariff = findCheapest(tariffs);
  if (configuration && image && tariff) return { configuration, image, otherImage, tariff };
  const missing = [
    ...(configuration ? [] : ['configuration that is available']),
    ...(image ? [] : ['image']),
    ...(tariff ? [] : ['tariff']),
  ];
  throw createCommandRefusal('nothing-to-order', `The account offers no ${missing.join(', no ')}`, {
    detail: 'The journey needs one to order a VM. Nothing was changed.',
    hint: 'See what can be ordered: hostwright catalog',
  });
}

/** Amounts of two currencies cannot be compared: that of the first tariff with a price counts. */
function findCheapest(tariffs: readonly CatalogTariff[]): CatalogTariff | undefined {
  const currency = tariffs.find(({ price }) => price)?.price?.currency;
  const amountOf = ({ price }: CatalogTariff) => parsePriceAmount(price?.amount ?? '') ?? 0n;
  const [cheapest] = tariffs
    .filter(({ price }) => price?.currency === currency)
    .toSorted((a, b) => Number(amountOf(a) > amountOf(b)) - Number(amountOf(a) < amountOf(b)));
  return cheapest;
}

/** Formats the price of one period of a tariff as the user can approve it: `0.01 EUR`; `unknown` where the service tells none. */
export function describeTariffPrice({ price }: CatalogTariff): string {
  return price ? `${price.amount} ${price.currency}` : 'unknown';
}

/**
 * Chooses names for the journey's resources that are no longer than the account allows. A renamed resource differs in the first
 * letter of its name.
 */
export function nameJourneyResources(project: string, caps: MaximumNameLengths): JourneyNames {
  const cut = (name: string, cap: number | null) => name.slice(0, Math.max(1, cap ?? name.length));
  const fit = (prefix: string) => ({
    project: cut(`${prefix}${project}`, caps.project),
    key: cut(`${prefix}journey-key`, caps.sshKey),
    net: cut(`${prefix}journey-network`, caps.network),
    box: cut(`${prefix}journey-vm`, caps.vm),
  });
  return { first: fit(''), renamed: fit('renamed-') };
}

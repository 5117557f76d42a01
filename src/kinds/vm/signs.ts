import type { Catalog } from '../../model/account/live.ts';
import type { LiveVm } from './model.ts';
import type { ReportedAttributes } from '../../model/value.ts';
import { spellCatalogEntry } from '../catalog.ts';

/** The attributes of a VM that a reviewer checks before it is destroyed. */
export function listReviewedVmAttributes(
  live: LiveVm,
  { images, configurations, tariffs }: Catalog,
): ReportedAttributes {
  return {
    name: live.name,
    image: spellCatalogEntry(images, live.imageId, undefined),
    configuration: spellCatalogEntry(configurations, live.configurationId, undefined),
    tariff: spellCatalogEntry(tariffs, live.tariffId, undefined),
    networks: live.networks?.map(({ networkId }) => networkId).sort(),
    publicIp: live.publicIpId,
    plugins: live.plugins?.toSorted(),
  };
}

/** Power of a VM: true or false where the boot status is certain. */
export function isVmRunning({ bootStatus }: LiveVm): boolean | undefined {
  return bootStatus === 'Running' || (bootStatus === 'Stopped' ? false : undefined);
}

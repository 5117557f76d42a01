import { findCatalogEntryById } from '../store/catalog.ts';
import type { SandboxHandlers } from './handler.ts';
import { createNotFoundRefusal } from '../contract/problems.ts';
import {
  representVmConfiguration,
  representImage,
  representLimits,
  representNameLengths,
  representTariff,
} from '../representations/representations.ts';

function pick<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  what: string,
  id: string,
): Entry {
  const entry = findCatalogEntryById(entries, id);
  if (entry === undefined) throw createNotFoundRefusal(what, id);
  return entry;
}

/** The catalog and the limits: configurations, images, tariffs, quotas, lengths of names. */
export const catalogHandlers = {
  listConfigurations: (call) =>
    call.rules.catalog.configurations.map((configuration) =>
      representVmConfiguration(call, configuration),
    ),

  getConfiguration: (call) =>
    representVmConfiguration(
      call,
      pick(call.rules.catalog.configurations, 'configuration', call.params.configurationId),
    ),

  listImages: (call) => call.rules.catalog.images.map(representImage),

  getImage: (call) => representImage(pick(call.rules.catalog.images, 'image', call.params.imageId)),

  listTariffs: (call) => call.rules.catalog.tariffs.map(representTariff),

  getTariff: (call) =>
    representTariff(pick(call.rules.catalog.tariffs, 'tariff', call.params.tariffId)),

  getLimits: (call) => representLimits(call),

  getNameLengthLimits: (call) => representNameLengths(call),
} satisfies Partial<SandboxHandlers>;

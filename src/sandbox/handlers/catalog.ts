import { findById } from '../store/catalog.ts';
import type { Handlers } from './handler.ts';
import { notFound } from '../contract/problems.ts';
import {
  showConfiguration,
  showImage,
  showLimits,
  showNameLengths,
  showTariff,
} from '../representations/representations.ts';

function pick<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  what: string,
  id: string,
): Entry {
  const entry = findById(entries, id);
  if (entry === undefined) throw notFound(what, id);
  return entry;
}

/** The catalog and the limits: configurations, images, tariffs, quotas, lengths of names. */
export const catalogHandlers = {
  listConfigurations: (call) =>
    call.rules.catalog.configurations.map((configuration) =>
      showConfiguration(call, configuration),
    ),

  getConfiguration: (call) =>
    showConfiguration(
      call,
      pick(call.rules.catalog.configurations, 'configuration', call.params.configurationId),
    ),

  listImages: (call) => call.rules.catalog.images.map(showImage),

  getImage: (call) => showImage(pick(call.rules.catalog.images, 'image', call.params.imageId)),

  listTariffs: (call) => call.rules.catalog.tariffs.map(showTariff),

  getTariff: (call) => showTariff(pick(call.rules.catalog.tariffs, 'tariff', call.params.tariffId)),

  getLimits: (call) => showLimits(call),

  getNameLengthLimits: (call) => showNameLengths(call),
} satisfies Partial<Handlers>;

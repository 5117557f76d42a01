import type {
  CatalogConfiguration,
  CatalogEntry,
  CatalogImage,
  CatalogTariff,
} from '../../model/account/live.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { readPrice } from '../../model/cost/price.ts';
import {
  readId,
  readNumber,
  readRecord,
  readReference,
  readText,
  readTime,
} from '../../model/wire/decode-fields.ts';
import type { WireConfiguration, WireImage, WireOperation, WireTariff } from '../contract/types.ts';

// Wire to model for what is of no kind, one function a record. Each throws UnreadableAnswer for what is no record or has no
// id.

/** The record of an operation. */
export function decodeOperation(wire: unknown): LiveOperation {
  const record = readRecord<WireOperation>(wire, 'an operation');
  return {
    id: readId(record.id, 'an operation'),
    type: readText(record.type) ?? '',
    status: readText(record.status) ?? '',
    resourceType: readText(record.resourceType),
    resourceId: readReference(record.resourceId),
    createdAt: readTime(record.createdAt),
    completedAt: readTime(record.completedAt),
    failureCode: readText(record.failureCode),
  };
}

/** Id and name, which all entries of the catalog have in common. */
function decodeCatalogEntry(wire: unknown): CatalogEntry {
  const record = readRecord<WireImage>(wire, 'a catalog entry');
  const id = readId(record.id, 'a catalog entry');
  return { id, name: readText(record.name) ?? id };
}

/** Decodes an image of the service's catalog. */
export function decodeImage(wire: unknown): CatalogImage {
  const os = readText(readRecord<WireImage>(wire, 'an image').os);
  return { ...decodeCatalogEntry(wire), ...(os && { os }) };
}

/** A tariff. That it has a price, what that means and how it is spelled is all assumed: without a usable one it has none. */
export function decodeTariff(wire: unknown): CatalogTariff {
  const { price, currency, period } = readRecord<WireTariff>(wire, 'a tariff');
  const read = readPrice({ price, currency, period });
  return { ...decodeCatalogEntry(wire), ...(read && { price: read }) };
}

/** Decodes a configuration of the service's catalog: a size that VMs can have. */
export function decodeConfiguration(wire: unknown): CatalogConfiguration {
  const record = readRecord<WireConfiguration>(wire, 'a configuration');
  return {
    ...decodeCatalogEntry(wire),
    cpu: readNumber(record.cpu) ?? 0,
    ram: readNumber(record.ram) ?? 0,
    disk: readNumber(record.disk) ?? 0,
    availability: readText(record.availability),
    maxCount: readNumber(record.maxCount),
  };
}

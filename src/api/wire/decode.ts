import type {
  CatalogConfiguration,
  CatalogEntry,
  CatalogImage,
  CatalogTariff,
} from '../../model/account/live.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { readPrice } from '../../model/cost/price.ts';
import {
  readContractWord,
  readWireId,
  readWireCount,
  readWireNumber,
  readWireRecord,
  readWireReference,
  readWireText,
  readWireTime,
} from '../../model/wire/decode-fields.ts';
import { enumWords } from '../contract/shapes.ts';
import type { WireConfiguration, WireImage, WireOperation, WireTariff } from '../contract/types.ts';

// Wire to model for what is of no kind, one function a record. Each throws UnreadableAnswerError for what is no record
// or has no
// id.

/** A word of one of the contract's enums, in the contract's case; another word as it came, and null for none. */
function readEnumWord(value: unknown, name: string): string | null {
  return readContractWord(value, enumWords[name] ?? []) ?? null;
}

/** The record of an operation. */
export function decodeOperation(wire: unknown): LiveOperation {
  const record = readWireRecord<WireOperation>(wire, 'an operation');
  return {
    id: readWireId(record.id, 'an operation'),
    type: readEnumWord(record.type, 'resourceOperation') ?? '',
    status: readEnumWord(record.status, 'apiOperationStatus') ?? '',
    resourceType: readEnumWord(record.resourceType, 'resourceType'),
    resourceId: readWireReference(record.resourceId),
    createdAt: readWireTime(record.createdAt),
    completedAt: readWireTime(record.completedAt),
    failureCode: readEnumWord(record.failureCode, 'operationFailureCode'),
  };
}

/** Id and name, which all entries of the catalog have in common. */
function decodeCatalogEntry(wire: unknown): CatalogEntry {
  const record = readWireRecord<WireImage>(wire, 'a catalog entry');
  const id = readWireId(record.id, 'a catalog entry');
  return { id, name: readWireText(record.name) ?? id };
}

/** Decodes an image of the service's catalog. */
export function decodeImage(wire: unknown): CatalogImage {
  const os = readWireText(readWireRecord<WireImage>(wire, 'an image').os);
  return { ...decodeCatalogEntry(wire), ...(os && { os }) };
}

/** A tariff. That it has a price, what that means and how it is spelled is all assumed: without a usable one it has none. */
export function decodeTariff(wire: unknown): CatalogTariff {
  const { price, currency, period } = readWireRecord<WireTariff>(wire, 'a tariff');
  const read = readPrice({ price, currency, period });
  return { ...decodeCatalogEntry(wire), ...(read && { price: read }) };
}

/** Decodes a configuration of the service's catalog: a size that VMs can have. */
export function decodeVmConfiguration(wire: unknown): CatalogConfiguration {
  const record = readWireRecord<WireConfiguration>(wire, 'a configuration');
  return {
    ...decodeCatalogEntry(wire),
    cpu: readWireNumber(record.cpu) ?? 0,
    ram: readWireNumber(record.ram) ?? 0,
    disk: readWireNumber(record.disk) ?? 0,
    availability: readEnumWord(record.availability, 'configurationAvailability'),
    maxCount: readWireCount(record.maxCount),
  };
}

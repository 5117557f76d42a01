import type { Sale } from '../model/account/account.ts';
import type { WireRequest, WireSale } from './contract/types.ts';
import {
  readId,
  readRecord,
  readReference,
  readText,
  readTime,
  readContractWord,
} from '../model/wire/decode-fields.ts';
import type { ServiceCaller } from './wire/caller.ts';
import { changeServiceRecord, readServiceList } from './wire/reading.ts';

/** Reads the account's sales. @throws ApiError */
export function listSales(client: ServiceCaller): Promise<Sale[]> {
  return readServiceList(client, {
    request: { operation: 'listSales', params: {} },
    decode: decodeSale,
  });
}

/** Sends a change of a sale. @throws ApiError */
export function changeSale(
  client: ServiceCaller,
  saleId: string,
  change: WireRequest,
): Promise<Sale> {
  const request: WireRequest = { operation: 'getSale', params: { saleId } };
  return changeServiceRecord(client, change, { request, decode: decodeSale });
}

function decodeSale(wire: unknown): Sale {
  const record = readRecord<WireSale>(wire, 'a sale');
  return {
    id: readId(record.id, 'a sale'),
    resourceType: readText(record.resourceType) ?? '',
    resourceId: readReference(record.resourceId) ?? '',
    tariffId: readReference(record.tariffId) ?? '',
    renewal: readContractWord(record.renewal, ['active', 'cancelled']),
    paidUntil: readTime(record.paidUntil),
  };
}

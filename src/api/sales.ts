import type { Sale } from '../model/account/account.ts';
import type { WireRequest, WireSale } from './contract/types.ts';
import {
  readId,
  readRecord,
  readReference,
  readText,
  readTime,
  tellWord,
} from '../model/wire/decode-fields.ts';
import type { Caller } from './wire/caller.ts';
import { changeOne, readAll } from './wire/reading.ts';

/** Reads the account's sales. @throws ApiError */
export function listSales(client: Caller): Promise<Sale[]> {
  return readAll(client, { request: { operation: 'listSales', params: {} }, decode: decodeSale });
}

/** Sends a change of a sale. @throws ApiError */
export function changeSale(client: Caller, saleId: string, change: WireRequest): Promise<Sale> {
  const request: WireRequest = { operation: 'getSale', params: { saleId } };
  return changeOne(client, change, { request, decode: decodeSale });
}

function decodeSale(wire: unknown): Sale {
  const record = readRecord<WireSale>(wire, 'a sale');
  return {
    id: readId(record.id, 'a sale'),
    resourceType: readText(record.resourceType) ?? '',
    resourceId: readReference(record.resourceId) ?? '',
    tariffId: readReference(record.tariffId) ?? '',
    renewal: tellWord(record.renewal, ['active', 'cancelled']),
    paidUntil: readTime(record.paidUntil),
  };
}

import type { Sale } from '../model/account/account.ts';
import type { WireRequest, WireSale } from './contract/types.ts';
import {
  readId,
  readRecord,
  readReference,
  readText,
  readTime,
} from '../model/wire/decode-fields.ts';
import { type Caller, changeOne, readAll } from './wire/reading.ts';

/** Everything that the account pays for. @throws ApiError */
export function listSales(client: Caller): Promise<Sale[]> {
  return readAll(client, { request: { operation: 'listSales', params: {} }, decode: decodeSale });
}

/** Lets a sale end with its running period, or renew again. @throws ApiError */
export function setRenewal(
  client: Caller,
  saleId: string,
  renewal: 'active' | 'cancelled',
): Promise<Sale> {
  const operation = renewal === 'active' ? 'resumeSaleRenewal' : 'cancelSaleRenewal';
  const params = { saleId };
  const request: WireRequest = { operation: 'getSale', params };
  return changeOne(client, { operation, params }, { request, decode: decodeSale });
}

function decodeSale(wire: unknown): Sale {
  const record = readRecord<WireSale>(wire, 'a sale');
  return {
    id: readId(record.id, 'a sale'),
    resourceType: readText(record.resourceType) ?? '',
    resourceId: readReference(record.resourceId) ?? '',
    tariffId: readReference(record.tariffId) ?? '',
    renewal: readText(record.renewal) ?? 'unknown',
    paidUntil: readTime(record.paidUntil),
  };
}

import type { Sale } from '../model/account/account.ts';
import type { WireRequest, WireSale } from './contract/types.ts';
import {
  readWireId,
  readWireRecord,
  readWireReference,
  readWireText,
  readWireTime,
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
  const record = readWireRecord<WireSale>(wire, 'a sale');
  return {
    id: readWireId(record.id, 'a sale'),
    resourceType: readWireText(record.resourceType) ?? '',
    resourceId: readWireReference(record.resourceId) ?? '',
    tariffId: readWireReference(record.tariffId) ?? '',
    renewal: readContractWord(record.renewal, ['active', 'cancelled']),
    paidUntil: readWireTime(record.paidUntil),
  };
}

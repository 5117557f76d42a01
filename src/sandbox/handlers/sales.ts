import type { Handlers } from './handler.ts';
import { findSale } from '../rules/lookups.ts';
import { conflict } from '../contract/problems.ts';
import { showSale } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';
import { paidUntil } from '../rules/sales.ts';

/** The account's sales. Renewal is a switch: setting it as it is changes nothing. */
export const saleHandlers = {
  listSales: (call) =>
    call.store.select(tables.sales, 'ORDER BY seq').map((sale) => showSale(call, sale)),

  getSale: (call) => showSale(call, findSale(call, call.params.saleId)),

  cancelSaleRenewal: (call) => {
    const sale = findSale(call, call.params.saleId);
    // A cancelled sale runs to the end of the period that is paid for.
    const cancelled = {
      ...sale,
      renewal: 'cancelled' as const,
      paidUntil: paidUntil(call, sale),
    };
    const { renewal, paidUntil: end } = cancelled;
    call.store.update(tables.sales, { id: sale.id }, { renewal, paidUntil: end });
    return showSale(call, cancelled);
  },

  resumeSaleRenewal: (call) => {
    const sale = findSale(call, call.params.saleId);
    if (sale.renewal === 'cancelled' && sale.paidUntil <= call.now) {
      throw conflict(`The sale ${sale.id} has run out; its renewal cannot be resumed.`);
    }
    call.store.update(tables.sales, { id: sale.id }, { renewal: 'active' });
    return showSale(call, { ...sale, renewal: 'active' });
  },
} satisfies Partial<Handlers>;

import type { SandboxHandlers } from './handler.ts';
import { findSaleRow } from '../rules/lookups.ts';
import { createConflictRefusal } from '../contract/problems.ts';
import { representSale } from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';
import { findPaidUntil } from '../rules/sales.ts';

/**
 * Handlers of operations on the account's sales (the resources that are paid for). Setting the renewal to its present
 * value changes nothing.
 */
export const saleHandlers = {
  listSales: (call) =>
    call.store.select(sandboxTables.sales, 'ORDER BY seq').map((sale) => representSale(call, sale)),

  getSale: (call) => representSale(call, findSaleRow(call, call.params.saleId)),

  cancelSaleRenewal: (call) => {
    const sale = findSaleRow(call, call.params.saleId);
    // A cancelled sale runs to the end of the period that is paid for.
    const cancelled = {
      ...sale,
      renewal: 'cancelled' as const,
      paidUntil: findPaidUntil(call, sale),
    };
    const { renewal, paidUntil: end } = cancelled;
    call.store.update(sandboxTables.sales, { id: sale.id }, { renewal, paidUntil: end });
    return representSale(call, cancelled);
  },

  resumeSaleRenewal: (call) => {
    const sale = findSaleRow(call, call.params.saleId);
    if (sale.renewal === 'cancelled' && sale.paidUntil <= call.now) {
      throw createConflictRefusal(
        `The sale ${sale.id} has run out; its renewal cannot be resumed.`,
      );
    }
    call.store.update(sandboxTables.sales, { id: sale.id }, { renewal: 'active' });
    return representSale(call, { ...sale, renewal: 'active' });
  },
} satisfies Partial<SandboxHandlers>;

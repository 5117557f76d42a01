import { changeSale, listSales } from '../../api/sales.ts';
import { makeSaleRenewalRequest } from '../../kinds/vm/requests.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { Sale } from '../../model/account/account.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { formatTime } from '../../render/format/moment.ts';
import {
  withOptionallyConfiguredAccount,
  type AccountSession,
} from '../session/account-session.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import { findManagedResource } from '../state/find-address.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';

/** A sale with the address of its resource; null when that is not in the state. */
export type SaleWithAddress = Sale & { readonly address: ResourceAddress | null };

/** Reads the sales of the account, each with the address of its resource. */
export function readSales(
  runtime: SessionRuntime,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<readonly SaleWithAddress[]> {
  return withOptionallyConfiguredAccount(runtime, reporter, async (session) => {
    const sales = await listSales(session.connection.client);
    return sales.map((sale) => withAddress(session, sale));
  });
}

/** Cancels or resumes the renewal of a sale, given by the address of its resource or by its own id. */
export function changeSaleRenewal(
  runtime: SessionRuntime,
  renewal: 'active' | 'cancelled',
  subject: string,
  isApproved: boolean,
  reporter: DayTwoReporter,
): Promise<{ sale: SaleWithAddress; outcome: 'done' | 'unchanged' | 'declined' }> {
  return withOptionallyConfiguredAccount(runtime, reporter, async (session) => {
    const { client } = session.connection;
    const sale = withAddress(session, findSale(session, await listSales(client), subject));
    if (sale.renewal === renewal) return { sale, outcome: 'unchanged' };
    const needsApproval = renewal === 'cancelled' && !isApproved;
    if (needsApproval && !(await reporter.confirm(askToCancel(sale)))) {
      return { sale, outcome: 'declined' };
    }
    const changed = await changeSale(client, sale.id, makeSaleRenewalRequest(sale.id, renewal));
    return { sale: withAddress(session, changed), outcome: 'done' };
  });
}

function askToCancel({ id, address, resourceType, resourceId, paidUntil }: SaleWithAddress) {
  const what = address ?? `${resourceType} ${resourceId}`;
  const until = paidUntil === null ? 'its running period' : formatTime(paidUntil);
  return {
    question: `Do you really want to cancel the renewal of ${what} (sale ${id})?`,
    consequences: [
      `It is paid for until ${until}. The service does not publish what happens then: expect to lose it.`,
      'Until then, "hostwright sales resume" revokes this.',
    ],
    ifDeclined: 'Nothing was changed: it still renews.',
  };
}

function withAddress({ state }: AccountSession, sale: Sale): SaleWithAddress {
  const owner = [...state.resources.values()].find(({ id }) => id === sale.resourceId);
  return { ...sale, address: owner?.address ?? null };
}

function findSale(session: AccountSession, sales: readonly Sale[], subject: string): Sale {
  const byId = sales.find(({ id }) => id === subject);
  if (byId) return byId;
  if (!isAddress(session, subject)) {
    const near = suggestNearestName(
      subject,
      sales.map(({ id }) => id),
    );
    throw refuseSale(
      `There is no sale ${subject}`,
      `${near === undefined ? '' : `Did you mean ${near}? `}Give the id of a sale, or the address of what is paid for.`,
    );
  }
  const { address, id } = findManagedResource(session, subject);
  const [sale, ...others] = sales.filter(({ resourceId }) => resourceId === id);
  if (!sale) throw refuseSale(`Nothing is paid for ${address}`, 'VMs and public IPs have sales.');
  if (others.length === 0) return sale;
  const ids = [sale, ...others].map((one) => one.id).join(', ');
  throw refuseSale(`${address} has several sales`, `Give the id of the one you mean: ${ids}.`);
}

function isAddress({ state }: AccountSession, text: string): boolean {
  return /[.[]/.test(text) || state.resources.has(text);
}

function refuseSale(summary: string, hint: string): DiagnosticError {
  return createCommandRefusal('sale-not-found', summary, {
    hint: `${hint} List them: hostwright sales list`,
  });
}

import type { Account, Sale } from '../../model/account/account.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { formatDay, formatTime, formatIsoTime } from '../format/moment.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { drawColumnList, drawTable, type ListColumn } from '../format/table.ts';

type AddressedSale = Sale & { readonly address: ResourceAddress | null };

/** Renders the account, one line for each fact. */
export function renderAccountText(
  { email, locale, createdAt, service }: Account & { readonly service: string },
  { columns, style }: TextLayout,
): string {
  const rows = [
    ['service', escapeUntrustedText(service)],
    ['email', escapeUntrustedText(email)],
    ['locale', escapeUntrustedText(locale)],
    ['since', formatDay(createdAt)],
  ].map(([name = '', value = '']) => [style.dim(name), value]);
  return `${drawTable(rows, ['left', 'left'], { columns }).join('\n')}\n`;
}

/** The answer of `account --json` and `account locale --json`: `email`, `locale`, `createdAt`. */
export function renderAccountJson({ email, locale, createdAt }: Account): object {
  return { format_version: '1.0', email, locale, createdAt: formatIsoTime(createdAt) };
}

/** Renewal shown for a sale whose renewal the service does not report. */
const untold = 'unknown';

/** Sales of the account (each VM or public IP that is paid for), as a table. */
export function renderSalesText(
  sales: readonly AddressedSale[],
  { columns, style }: TextLayout,
): string {
  if (sales.length === 0) return 'The account has no sales.\n';
  const all: readonly ListColumn<AddressedSale>[] = [
    ['paid until', ({ paidUntil }) => formatDay(paidUntil)],
    ['renewal', ({ renewal }) => paintRenewal(renewal, style)],
    ['id', ({ id }) => escapeUntrustedText(id)],
    ['resource', nameSubject],
  ];
  return `${drawColumnList(sales, all, { columns }, style.dim).join('\n')}\n`;
}

function paintRenewal(renewal: Sale['renewal'], { green, yellow }: TextStyle): string {
  return renewal === 'active' ? green('active') : yellow(escapeUntrustedText(renewal ?? untold));
}

/** Result of `sales cancel` or `sales resume` for one sale, in two lines. */
export function renderSaleText(sale: AddressedSale, outcome: 'done' | 'unchanged'): string {
  const words =
    sale.renewal === 'active' ? 'renews' : `renewal ${escapeUntrustedText(sale.renewal ?? untold)}`;
  const already = outcome === 'unchanged' ? ', as it was already' : '';
  return `${nameSubject(sale)}: ${words}${already}\n  paid until ${formatTime(sale.paidUntil)}\n`;
}

function nameSubject({ address, resourceType, resourceId }: AddressedSale): string {
  return escapeUntrustedText(address ?? `${resourceType} ${resourceId}`);
}

function describeSaleJson(sale: AddressedSale): object {
  return {
    id: sale.id,
    address: sale.address,
    resourceType: sale.resourceType,
    resourceId: sale.resourceId,
    tariffId: sale.tariffId,
    renewal: sale.renewal ?? untold,
    paidUntil: formatIsoTime(sale.paidUntil),
  };
}

/**
 * The answer of `sales list --json`: `sales`, each with `id`, `address` (null for what is not in the state),
 * `resourceType`, `resourceId`, `tariffId`, `renewal`, `paidUntil`.
 */
export function renderSalesJson(sales: readonly AddressedSale[]): object {
  return { format_version: '1.0', sales: sales.map(describeSaleJson) };
}

/** The answer of `sales cancel --json` and `sales resume --json`: `outcome` (done, unchanged or declined) and `sale`. */
export function renderSaleJson(
  sale: AddressedSale,
  outcome: 'done' | 'unchanged' | 'declined',
): object {
  return { format_version: '1.0', outcome, sale: describeSaleJson(sale) };
}

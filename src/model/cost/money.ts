// Money, exact: whole numbers of a very small part, so that sums are right however many parts they have. Amounts are
// rounded once, where they are shown; nothing here knows a currency.

/** A price for one period as a whole number of 10^-20 units, so that sums are exact. */
export type Amount = bigint;

/** Costs of a month, exact: whole twelfths of an `Amount`. Only `roundToCents` rounds it. */
export type MonthlyAmount = bigint;

const decimals = 20;
const unit = 10n ** BigInt(decimals);
/** Largest amount that counts as a price; a larger one is a fault of the service. */
const largest = 10n ** 15n * unit;
/** Longest text of a price, in characters: any finite number is shorter. */
const longestText = 64;
const decimalText = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Months are 730 hours: a day is the 24th part of so many hours, and a year has twelve of these months. */
const twelfthsOfMonth: ReadonlyMap<string, bigint> = new Map([
  ['hour', 12n * 730n],
  ['day', (12n * 730n) / 24n],
  ['month', 12n],
  ['year', 1n],
]);

/** Reads `5`, `0.01` or `1e-7`; undefined for other text, and for negative or too large numbers. */
export function parsePriceAmount(text: string): Amount | undefined {
  if (text.length > longestText) return undefined;
  const [, whole, fraction = '', exponent = '0'] = decimalText.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  const shift = decimals - fraction.length + Number(exponent);
  const amount = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return amount > largest ? undefined : amount;
}

/** Formats a price as people write it, with two decimals or more: `5.00`, `0.0137`. */
export function formatPriceAmount(amount: Amount): string {
  const fraction = String(amount % unit)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${amount / unit}.${fraction.padEnd(2, '0')}`;
}

/** Converts an amount for each period to an amount a month; undefined for a period that is not known. */
export function convertToMonthlyAmount(amount: Amount, period: string): MonthlyAmount | undefined {
  const share = twelfthsOfMonth.get(period);
  return share === undefined ? undefined : amount * share;
}

/** Rounds a monthly amount to cents, halves upwards. */
export function roundToCents(monthly: MonthlyAmount): bigint {
  const divisor = 12n * (unit / 100n);
  return (monthly + divisor / 2n) / divisor;
}

/** Formats cents as a decimal number: `455.60`, `-43.60`. */
export function formatCents(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

/** A difference of costs with its sign: `+43.60`, `-43.60`, `+0.00`. */
export function formatCostChange(cents: bigint): string {
  return cents < 0n ? formatCents(cents) : `+${formatCents(cents)}`;
}

// Numbers as decimal digits, so that 0.25 is rounded as it is written, and not as a machine holds it.

/** `0.DIGITS` times ten to the power of `point`; no digits for zero. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly point: number;
}

function readDecimal(value: number): Decimal {
  const [, sign = '', first = '', others = '', exponent = '0'] =
    /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(value.toExponential()) ?? [];
  const digits = `${first}${others}`.replace(/0+$/, '');
  return { isNegative: sign !== '', digits, point: Number(exponent) + 1 };
}

/** The first so many digits, rounded to the nearest, from the middle to an even one; no zeros at their end. */
function round(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return { ...decimal, digits: '' };
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const isOdd = Number(kept.at(-1) ?? '0') % 2 === 1;
  const isUp = rest.startsWith('5') && rest.length === 1 ? isOdd : rest >= '5';
  if (!isUp) return { ...decimal, digits: kept.replace(/0+$/, '') };
  const raised = String(BigInt(`1${kept}`) + 1n);
  // 999 becomes 1000: a digit more before the point.
  if (raised.startsWith('2')) return { ...decimal, digits: '1', point: point + 1 };
  return { ...decimal, digits: raised.slice(1).replace(/0+$/, '') };
}

const signOf = ({ isNegative }: Decimal) => (isNegative ? '-' : '');

function writeFixed(decimal: Decimal, places: number): string {
  const { digits, point } = decimal;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  const part = `${'0'.repeat(Math.max(0, -point))}${digits.slice(Math.max(0, point))}`;
  const shown = part.slice(0, places).padEnd(places, '0');
  return `${signOf(decimal)}${whole === '' ? '0' : whole}${places > 0 ? `.${shown}` : ''}`;
}

function writeScientific(decimal: Decimal, places: number): string {
  const { digits, point } = decimal;
  const exponent = digits === '' ? 0 : point - 1;
  const part = places > 0 ? `.${digits.slice(1).padEnd(places, '0')}` : '';
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${signOf(decimal)}${digits[0] ?? '0'}${part}e${exponent < 0 ? '-' : '+'}${size}`;
}

/** Prints a number with so many digits behind the point, as `%f` does. */
export function printFixed(value: number, places = 6): string {
  const decimal = readDecimal(value);
  return writeFixed(round(decimal, decimal.point + places), places);
}

/** Prints a number with an exponent, as `%e` does. */
export function printScientific(value: number, places = 6): string {
  return writeScientific(round(readDecimal(value), places + 1), places);
}

/** Prints a number as short as it goes, as `%g` does; `significant` limits the digits. */
export function printShortest(value: number, significant?: number): string {
  const whole = readDecimal(value);
  const decimal =
    significant === undefined ? whole : round(whole, significant === 0 ? 1 : significant);
  const { digits, point } = decimal;
  const count = digits.length;
  const given = significant ?? 6;
  const bound = significant !== undefined && given > count && count >= point ? count : given;
  const exponent = digits === '' ? 0 : point - 1;
  if (exponent < -4 || exponent >= Math.max(1, bound)) {
    return writeScientific(decimal, Math.max(0, count - 1));
  }
  return writeFixed(decimal, Math.max(0, count - point));
}

// `format()`: the verbs of Go's fmt as Terraform has them.
import type { Value } from '../../model/value.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { refuseLongText, type EvaluationBudget } from '../values/budget.ts';
import { encodeJson } from './encode-json.ts';
import { splitCharacters } from './letters.ts';
import { formatNumberWithoutExponent } from './print-number.ts';

const verbs = /%(?:%|([-+0# ]*)(\d{0,6})(?:\.(\d{0,6}))?(?:\[([1-9]\d{0,5})\])?(.?))/gsu;
/** Largest width and precision of a `format()` verb, so that no huge text is made. */
const maxWidth = 1_000;

/** A verb of a format with its flags, width and precision, for one value. */
interface Verb {
  readonly letter: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly budget: EvaluationBudget;
}

function refuse(summary: string, code?: string): FunctionError {
  const hint =
    'Write for example `format("web-%02d", each.index)`: %s is a text, %d a whole number, %f a number, %v any value.';
  return new FunctionError(summary, hint, code);
}

function refuseValue(letter: string, needs: string): FunctionError {
  return refuse(`format() needs ${needs} for %${letter}`, 'expression-type');
}

/** Reads a number, or a text that is a number, for a `format()` verb. */
function readNumber(value: Value, { letter }: Verb): number {
  const isNumber = typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(value);
  const number = isNumber ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw refuseValue(letter, 'a number');
}

const bases: Readonly<Record<string, readonly [base: number, prefix: string]>> = {
  d: [10, ''],
  b: [2, '0b'],
  o: [8, '0'],
  x: [16, '0x'],
  X: [16, '0X'],
};

function withSign(text: string, { flags }: Verb): string {
  if (text.startsWith('-')) return text;
  return `${flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''}${text}`;
}

function printInteger(value: Value, verb: Verb): string {
  const { letter, flags, precision } = verb;
  const number = readNumber(value, verb);
  if (!Number.isInteger(number)) throw refuseValue(letter, 'a whole number');
  const [base = 10, prefix = ''] = bases[letter] ?? [];
  const digits = BigInt(Math.abs(number))
    .toString(base)
    .padStart(precision ?? 0, '0');
  const shown = letter === 'X' ? digits.toUpperCase() : digits;
  return withSign(`${number < 0 ? '-' : ''}${flags.includes('#') ? prefix : ''}${shown}`, verb);
}

function printReal(value: Value, verb: Verb): string {
  const { letter, precision } = verb;
  const number = readNumber(value, verb);
  const lower = letter.toLowerCase();
  const shown =
    lower === 'f'
      ? printFixed(number, precision)
      : lower === 'e'
        ? printScientific(number, precision)
        : printShortest(number, precision);
  return withSign(letter === lower ? shown : shown.toUpperCase(), verb);
}

function readText(value: Value, letter: string): string {
  if (typeof value === 'number') return formatNumberWithoutExponent(value);
  if (typeof value === 'object') throw refuseValue(letter, 'a text, a number or true or false');
  return String(value);
}

function printText(value: Value, { letter, precision, budget }: Verb): string {
  const text = readText(value, letter);
  const cut = precision === undefined ? text : splitCharacters(text, budget, precision).join('');
  return letter === 'q' ? encodeJson(cut) : cut;
}

function printBool(value: Value): string {
  const text = typeof value === 'object' ? '' : String(value);
  if (text === 'true' || text === 'false') return text;
  throw refuseValue('t', 'true or false');
}

function printAny(value: Value, { flags }: Verb): string {
  if (flags.includes('#') || typeof value === 'object') return encodeJson(value);
  return typeof value === 'number' ? printShortest(value) : String(value);
}

function printValue(value: Value, verb: Verb): string {
  switch (verb.letter) {
    case 's':
    case 'q':
      return printText(value, verb);
    case 'v':
      return printAny(value, verb);
    case 't':
      return printBool(value);
    case 'd':
    case 'b':
    case 'o':
    case 'x':
    case 'X':
      return printInteger(value, verb);
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return printReal(value, verb);
    default:
      throw refuse(`format() has no verb %${verb.letter}`);
  }
}

function pad(text: string, { flags, width, precision, letter, budget }: Verb): string {
  const missing = width - splitCharacters(text, budget, width).length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  const isPrecise = precision !== undefined && letter in bases;
  if (!flags.includes('0') || isPrecise) return ' '.repeat(missing) + text;
  const sign = 'sqvt'.includes(letter) ? '' : (/^[-+ ]/.exec(text)?.[0] ?? '');
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}

/** Reads a width or precision within a `format()` verb; undefined where there is none. */
function readSize(digits: string | undefined): number | undefined {
  if (digits === undefined || Number(digits) <= maxWidth)
    return digits === undefined ? undefined : Number(digits);
  throw refuse(`format() makes places of at most ${maxWidth} characters`);
}

/** The text with its `%d`, `%s` … replaced by the values. @throws FunctionError when they do not fit */
function formatText(budget: EvaluationBudget, template: string, values: readonly Value[]): string {
  let next = 0;
  let used = 0;
  let length = template.length;
  const text = template.replace(verbs, (all, ...found: (string | undefined)[]) => {
    if (all === '%%') return '%';
    const [flags = '', width = '', precision, number, letter = ''] = found;
    if (letter === '') throw refuse('format() has a `%` without a verb; `%%` is a percent sign');
    const sizes = { width: readSize(width) ?? 0, precision: readSize(precision) };
    const verb = { letter, flags, ...sizes, budget };
    const index = number === undefined ? next : Number(number) - 1;
    next = index + 1;
    used = Math.max(used, next);
    const value = values[index];
    if (value === undefined) throw refuse('format() has more places than values');
    const shown = pad(printValue(value, verb), verb);
    length += shown.length;
    refuseLongText(length);
    return shown;
  });
  if (used < values.length) throw refuse('format() has more values than places');
  return text;
}

/** Makes the function `format()`. @throws FunctionError when the values do not fit */
export function formatWithArguments(budget: EvaluationBudget) {
  return (template: string, ...values: readonly Value[]): Value =>
    formatText(budget, template, values);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/**
 * Makes the function `formatList()`, which returns one text for each item of the lists. @throws FunctionError when the
 * values do not fit
 */
export function formatEachListItem(budget: EvaluationBudget) {
  return (template: string, ...values: readonly Value[]): Value => {
    const lengths = values.filter(isList).map((one) => one.length);
    const [length = 1] = lengths;
    if (lengths.some((one) => one !== length)) {
      throw new FunctionError(
        'formatList() takes lists of one length',
        `Give lists of one length: these have ${lengths.join(' and ')} items.`,
      );
    }
    let total = 0;
    return Array.from({ length }, (_, index) => {
      const items = values.map((one) => (isList(one) ? (one[index] ?? null) : one));
      const made = formatText(budget, template, items);
      total += made.length;
      refuseLongText(total);
      return made;
    });
  };
}

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
function printFixed(value: number, places = 6): string {
  const decimal = readDecimal(value);
  return writeFixed(round(decimal, decimal.point + places), places);
}

/** Prints a number with an exponent, as `%e` does. */
function printScientific(value: number, places = 6): string {
  return writeScientific(round(readDecimal(value), places + 1), places);
}

/** Prints a number as short as it goes, as `%g` does; `significant` limits the digits. */
function printShortest(value: number, significant?: number): string {
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

// The functions of Hostwright beside CEL's own: those that need nothing but their arguments. What reads a file or the
// environment is handed in by the caller.
import type { Value } from '../../model/value.ts';
import { ExpressionError } from '../parse/expression-fault.ts';
import { formatText } from './format-text.ts';
import type { ScopeValue } from './scope.ts';

/** A function that expressions may call; it is given values of JSON. @throws FunctionError */
export type HostFunction = (...values: readonly Value[]) => ScopeValue;

/** Functions by name. */
export type HostFunctions = Readonly<Record<string, HostFunction>>;

/** What a function says when it cannot give a value; it is reported at the call. */
export class FunctionError extends ExpressionError {
  constructor(summary: string, hint: string, code = 'expression-failed') {
    super(code, summary, hint);
    this.name = 'FunctionError';
  }
}

/** A text among the arguments. @throws FunctionError when it is something else */
export function readArgument(name: string, value: Value | undefined): string {
  if (typeof value === 'string') return value;
  throw new FunctionError(
    `${name}() takes a text`,
    `Write for example \`${name}("…")\`.`,
    'expression-type',
  );
}

function decodeJson(text: Value | undefined): Value {
  try {
    return JSON.parse(readArgument('jsonDecode', text)) as Value;
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    // The parser's own words quote the text, which may be a secret.
    throw new FunctionError('jsonDecode() was given a text that is not JSON', 'Check the text.');
  }
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.reduce((all, part) => (all << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const parts = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  if (!parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  return parts.reduce((all, part) => (all << 16n) | BigInt(`0x${part}`), 0n);
}

function printIpv4(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.');
}

function printIpv6(address: bigint): string {
  const parts = Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  ).join(':');
  const longest = [...parts.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort(
    (a, b) => b[0].length - a[0].length,
  )[0];
  if (!longest) return parts;
  return `${parts.slice(0, longest.index)}::${parts.slice(longest.index + longest[0].length).replace(/^:/, '')}`;
}

function findHost(range: Value | undefined, host: Value | undefined): string {
  const text = readArgument('cidrHost', range);
  const [start = '', length = ''] = text.split('/');
  const isIpv4 = !start.includes(':');
  const bits = isIpv4 ? 32 : 128;
  const address = isIpv4 ? parseIpv4(start) : parseIpv6(start);
  if (address === undefined || !/^\d{1,3}$/.test(length) || Number(length) > bits) {
    throw new FunctionError(
      'cidrHost() takes an address range as its first argument',
      'Write for example `cidrHost("10.0.0.0/24", 5)`.',
    );
  }
  if (typeof host !== 'number' || !Number.isInteger(host)) {
    throw new FunctionError(
      'cidrHost() takes a whole number as its second argument',
      'It counts the addresses of the range from 0; -1 is the last.',
      'expression-type',
    );
  }
  const size = 1n << BigInt(bits - Number(length));
  const index = host < 0 ? size + BigInt(host) : BigInt(host);
  if (index < 0n || index >= size) {
    throw new FunctionError(
      'The address range given to cidrHost() has no such address',
      `It has ${String(size)}, counted from 0; -1 is the last.`,
    );
  }
  const found = (address / size) * size + index;
  return isIpv4 ? printIpv4(found) : printIpv6(found);
}

/** Functions that need nothing but their arguments. */
export const pureFunctions: HostFunctions = {
  jsonDecode: decodeJson,
  cidrHost: findHost,
  format: formatText,
};

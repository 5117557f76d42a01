// Functions that work on address ranges.
import { FunctionError } from '../parse/expression-fault.ts';
import { defineFunction } from './define.ts';

function findHost(range: string, host: number): string {
  const { bits, length, start } = readCidr('cidrHost', range);
  const size = 1n << BigInt(bits - length);
  const index = host < 0 ? size + BigInt(host) : BigInt(host);
  if (index < 0n || index >= size) {
    throw new FunctionError(
      'The address range given to cidrHost() has no such address',
      `Give a number below ${String(size)}, counted from 0; -1 is the last address.`,
    );
  }
  return printAddress(start + index, bits);
}

function findSubnet(range: string, newBits: number, number: number): string {
  const { bits, length, start } = readCidr('cidrSubnet', range);
  const wanted = length + newBits;
  if (newBits < 0 || wanted > bits) {
    throw new FunctionError(
      `cidrSubnet() cannot make a /${wanted} range out of a /${length} range`,
      `Give 0 to ${bits - length} as the second argument.`,
    );
  }
  if (number < 0 || BigInt(number) >= 1n << BigInt(newBits)) {
    throw new FunctionError(
      'The address range given to cidrSubnet() has no such subnet',
      `Give a number below ${String(1n << BigInt(newBits))}, counted from 0.`,
    );
  }
  const first = start + (BigInt(number) << BigInt(bits - wanted));
  return `${printAddress(first, bits)}/${wanted}`;
}

function findNetmask(range: string): string {
  const { bits, length } = readCidr('cidrNetmask', range);
  if (bits === 32) {
    return printAddress(((1n << BigInt(length)) - 1n) << BigInt(bits - length), bits);
  }
  throw new FunctionError(
    'cidrNetmask() takes an IPv4 range',
    'Use the prefix length for IPv6, as in `/64`.',
  );
}

function isWithin(range: string, part: string): boolean {
  const outer = readCidr('cidrContains', range);
  const address = parseIpAddress(part);
  const inner =
    parseCidr(part) ?? (address && { ...address, length: address.bits, start: address.address });
  if (!inner) {
    throw new FunctionError(
      'cidrContains() takes an address or a range as its second argument',
      hintAtAddress(part, 'Write for example `cidrContains("10.0.0.0/8", "10.1.2.3")`.'),
    );
  }
  if (inner.bits !== outer.bits || inner.length < outer.length) return false;
  const shift = BigInt(outer.bits - outer.length);
  return inner.start >> shift === outer.start >> shift;
}

export const networkFunctions = [
  defineFunction(
    {
      is: 'cidrHost(range: text, host: integer): text',
      does: 'The address with this number in a range, counted from 0. -1 is the last.',
      example: ['cidrHost("10.0.0.0/24", 5)', '10.0.0.5'],
    },
    findHost,
  ),
  defineFunction(
    {
      is: 'cidrSubnet(range: text, newBits: integer, number: integer): text',
      does: 'The subnet with this number in a range. Its prefix is longer by the new bits.',
      example: ['cidrSubnet("10.0.0.0/16", 8, 2)', '10.0.2.0/24'],
    },
    findSubnet,
  ),
  defineFunction(
    {
      is: 'cidrNetmask(range: text): text',
      does: 'The netmask of an IPv4 range.',
      example: ['cidrNetmask("10.0.0.0/12")', '255.240.0.0'],
    },
    findNetmask,
  ),
  defineFunction(
    {
      is: 'cidrContains(range: text, part: text): bool',
      does: 'True if an address, or a whole range, lies within a range.',
      example: ['cidrContains("10.0.0.0/8", "10.1.2.0/24")', true],
    },
    isWithin,
  ),
];

/** An address range. */
interface Cidr {
  /** Bits of an address: 32 for IPv4, 128 for IPv6. */
  readonly bits: number;
  /** Length of the prefix in bits: 24 of 10.0.0.0/24. */
  readonly length: number;
  /** The first address of the range. */
  readonly start: bigint;
  /** The address as it was written, which may lie within the range. */
  readonly address: bigint;
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
  // The longest run of zeros, of two as long the first (RFC 5952): the colon before a run counts for nothing.
  const [longest] = [...parts.matchAll(/(?:^|:)(0(?::0)+)(?=:|$)/g)].sort(
    ([, a = ''], [, b = '']) => b.length - a.length,
  );
  if (!longest) return parts;
  return `${parts.slice(0, longest.index)}::${parts.slice(longest.index + longest[0].length).replace(/^:/, '')}`;
}

/** An address as text. */
function printAddress(address: bigint, bits: number): string {
  return bits === 32 ? printIpv4(address) : printIpv6(address);
}

/** An address of either family; undefined for what is none. */
function parseIpAddress(text: string): { bits: number; address: bigint } | undefined {
  const bits = text.includes(':') ? 128 : 32;
  const address = bits === 32 ? parseIpv4(text) : parseIpv6(text);
  return address === undefined ? undefined : { bits, address };
}

/** Reads a range as `10.0.0.0/24`; undefined for what is none. */
function parseCidr(text: string): Cidr | undefined {
  const [written = '', length = '', ...rest] = text.split('/');
  const parsed = parseIpAddress(written);
  if (!parsed || rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > parsed.bits) {
    return undefined;
  }
  const size = 1n << BigInt(parsed.bits - Number(length));
  return { ...parsed, length: Number(length), start: (parsed.address / size) * size };
}

/** The hint at an argument that is no address: an IPv4 address in the form of an IPv6 one is of neither family. */
function hintAtAddress(text: string, otherwise: string): string {
  return /^::ffff:\d+\.\d/i.test(text)
    ? 'Write the IPv4 address without `::ffff:`; a length of /104 is then /8.'
    : otherwise;
}

/** The range among the arguments of a function. @throws FunctionError */
function readCidr(name: string, range: string): Cidr {
  const cidr = parseCidr(range);
  if (cidr) return cidr;
  throw new FunctionError(
    `${name}() takes an address range as its first argument`,
    hintAtAddress(range, 'Write for example "10.0.0.0/24".'),
  );
}

import { FunctionError } from '../parse/expression-fault.ts';

/** An address range. */
export interface Cidr {
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
  const longest = [...parts.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort(
    (a, b) => b[0].length - a[0].length,
  )[0];
  if (!longest) return parts;
  return `${parts.slice(0, longest.index)}::${parts.slice(longest.index + longest[0].length).replace(/^:/, '')}`;
}

/** An address as text. */
export function printAddress(address: bigint, bits: number): string {
  return bits === 32 ? printIpv4(address) : printIpv6(address);
}

/** An address of either family; undefined for what is none. */
export function parseIpAddress(text: string): { bits: number; address: bigint } | undefined {
  const bits = text.includes(':') ? 128 : 32;
  const address = bits === 32 ? parseIpv4(text) : parseIpv6(text);
  return address === undefined ? undefined : { bits, address };
}

/** Reads a range as `10.0.0.0/24`; undefined for what is none. */
export function parseCidr(text: string): Cidr | undefined {
  const [written = '', length = '', ...rest] = text.split('/');
  const parsed = parseIpAddress(written);
  if (!parsed || rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > parsed.bits) {
    return undefined;
  }
  const size = 1n << BigInt(parsed.bits - Number(length));
  return { ...parsed, length: Number(length), start: (parsed.address / size) * size };
}

/** The range among the arguments of a function. @throws FunctionError */
export function readCidr(name: string, range: string): Cidr {
  const cidr = parseCidr(range);
  if (cidr) return cidr;
  throw new FunctionError(
    `${name}() takes an address range as its first argument`,
    'Write for example "10.0.0.0/24".',
  );
}

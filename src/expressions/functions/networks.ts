// Functions that work on address ranges.
import { defineFunction } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { parseIpAddress, parseCidr, printAddress, readCidr } from '../notation/ip-address.ts';

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
      'Write for example `cidrContains("10.0.0.0/8", "10.1.2.3")`.',
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

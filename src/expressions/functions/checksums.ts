// Checksums, and identifiers that are made of them.
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { defineFunction } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Namespaces for name-based UUIDs that RFC 9562 defines, by name. */
const namespaces: Readonly<Record<string, string>> = {
  dns: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  url: '6ba7b811-9dad-11d1-80b4-00c04fd430c8',
  oid: '6ba7b812-9dad-11d1-80b4-00c04fd430c8',
  x500: '6ba7b814-9dad-11d1-80b4-00c04fd430c8',
};

/** A UUID in any of its spellings, as 32 digits; undefined for what is none. */
function readUuid(text: string): string | undefined {
  const bare = /^\{(.*)\}$/.exec(text)?.[1] ?? text.replace(/^urn:uuid:/i, '');
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(bare)) return bare.replaceAll('-', '');
  return /^[0-9a-f]{32}$/i.test(text) ? text : undefined;
}

function makeUuid(namespace: string, name: string): string {
  const known = Object.hasOwn(namespaces, namespace) ? namespaces[namespace] : undefined;
  const space = readUuid(known ?? namespace);
  if (space === undefined) {
    throw new FunctionError(
      'uuidV5() takes a namespace as its first argument',
      'Give "dns", "url", "oid", "x500", or a UUID.',
    );
  }
  const hash = sha1(Buffer.concat([Buffer.from(space, 'hex'), toBytes(name)])).slice(0, 16);
  // Sets the version and variant bits of the UUID, as RFC 9562 defines them.
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return toHex(hash).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const checksumFunctions = [
  defineFunction(
    {
      is: 'sha256(text: text): text',
      does: 'The SHA-256 checksum of the text, in UTF-8, as hexadecimal digits.',
      example: [
        'sha256("hello world")',
        'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
      ],
    },
    (text: string) => toHex(sha256(toBytes(text))),
  ),
  defineFunction(
    {
      is: 'uuidV5(namespace: text, name: text): text',
      does: 'The UUID of version 5 for a name in a namespace: `dns`, `url`, `oid`, `x500` or a UUID. It is the same every time.',
      example: ['uuidV5("dns", "www.example.com")', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    },
    makeUuid,
  ),
];

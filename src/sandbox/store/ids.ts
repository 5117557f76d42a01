import { createHash, randomBytes } from 'node:crypto';

import { tableKeys } from '../../model/tables.ts';
import type { SandboxStore } from './store.ts';

const prefixes = {
  project: 'prj',
  sshKey: 'key',
  network: 'net',
  publicIp: 'ip',
  portForward: 'fwd',
  vm: 'vm',
  backup: 'bak',
  operation: 'op',
  command: 'cmd',
  token: 'tok',
  notification: 'ntf',
  sale: 'sale',
};

export type SandboxIdKind = keyof typeof prefixes;

const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const places = 8;
const space = 2n ** 40n;
/** Lowest sequence number whose id is longer than usual, so that it differs from every id of another data file. */
export const firstNumberOfLongerIds = 2 ** 40;
/** Odd, so that multiplying by it visits every number of the space once: no two ids are ever equal. */
const stride = 0x9e3779b97fn;

/** Computes a stable number in [0, 1) from a seed and a key. */
export function computeSeededFraction(seed: number, key: string): number {
  return createHash('sha256').update(`${seed}:${key}`).digest().readUInt32BE(0) / 2 ** 32;
}

/** The last seed and where its ids begin: a sandbox makes thousands of ids with one seed. */
let lastStart = { seed: Number.NaN, at: 0n };

function startOf(seed: number): bigint {
  if (lastStart.seed !== seed) {
    lastStart = { seed, at: BigInt(Math.floor(computeSeededFraction(seed, 'ids') * 2 ** 32)) };
  }
  return lastStart.at;
}

/** Creates an id that no other resource of this data file has, had or will have, such as `vm-7f3k2m9q`. */
export function createSandboxId(store: SandboxStore, seed: number, kind: SandboxIdKind): string {
  const offset = startOf(seed);
  const number = BigInt(store.next('id'));
  let rest = ((number * stride + offset) % space) + (number / space) * space;
  let text = '';
  for (let place = 0; place < places || rest > 0n; place += 1) {
    text += letters.charAt(Number(rest % 32n));
    rest /= 32n;
  }
  return `${prefixes[kind]}-${text}`;
}

/** Finds the kind of resource that an id belongs to, by the id's prefix. */
export function findKindOfId(id: string): SandboxIdKind | undefined {
  const [prefix] = id.split('-', 1);
  return tableKeys(prefixes).find((kind) => prefixes[kind] === prefix);
}

/** Makes the value of an access token. It alone is truly random, since nobody may guess it; all else here depends on the seed. */
export function makeTokenValue(): string {
  return `hw_${randomBytes(20).toString('hex')}`;
}

/** The last token and its hash: one client sends the same with every request. */
let lastToken: { readonly value: string; readonly hash: string } | undefined;

export function hashToken(value: string): string {
  if (lastToken?.value !== value) {
    lastToken = { value, hash: createHash('sha256').update(value).digest('hex') };
  }
  return lastToken.hash;
}

// An entry of the audit log, and the hash that chains it to the entry before it.
import { createHash, createHmac } from 'node:crypto';
import type { Schemas } from '../contract.ts';

/** Person, token or server that did something, for the audit log. */
export type AuditActor = Schemas['AuditEntry']['actor'];

/** An act for the audit log, done or refused; it contains no secret. */
export interface AuditAct {
  /** Name of the act, as `workspace.edit`. */
  readonly act: string;
  /** Object of the act, as `workspace/shop`. */
  readonly target: string;
  readonly result: 'done' | 'refused';
  readonly detail?: object;
}

/** An entry of the audit log as the database keeps it. */
export type AuditEntry = Schemas['AuditEntry'];

/** Hash that the first audit entry has in place of a previous entry's. */
export const firstPreviousHash = '0'.repeat(64);

/** Actor of everything that the server does by itself. */
export const serverActor: AuditActor = {
  id: 'server',
  kind: 'server',
  name: 'server',
  address: '',
};

/** Makes the audit actor for a person who gave a command in a comment at a git host. */
export function createGitHostActor(connection: string, name: string): AuditActor {
  return { id: `${connection}/${name}`, kind: 'host', name, address: '' };
}

/** Makes the audit actor for the sender of a request whom the server does not know, from the IP address. */
export function createUnknownSenderActor(address: string): AuditActor {
  return { id: 'stranger', kind: 'stranger', name: 'unknown', address };
}

/**
 * HMAC-SHA-256 of the JSON of an array: the fingerprint of the key, the hash before, the number, the time as RFC 3339 has it, id,
 * kind, name and address of the actor, act, target, result and detail. Of an entry without a key it is the SHA-256 of the same
 * without the fingerprint.
 */
export function hashAuditEntry(entry: Omit<AuditEntry, 'hash'>, key: Buffer | undefined): string {
  const { key: keyId, previous, seq, at, actor, act, target, result, detail } = entry;
  const { id, kind, name, address } = actor;
  const parts = [previous, seq, at, id, kind, name, address, act, target, result, detail];
  return key
    ? createHmac('sha256', key)
        .update(JSON.stringify([keyId, ...parts]))
        .digest('hex')
    : createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

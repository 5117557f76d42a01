// Checks that a webhook is from the host of a connection, and finds the id of its delivery.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isSameSecret } from '../secrets/random-secret.ts';
import type { HostKind } from './connection.ts';

/** Tells whether a request carries the proof that is needed before its body is read. */
export function isSigned(kind: HostKind, headers: Headers, secret: string): boolean {
  if (kind === 'github') return readSignature(headers) !== undefined;
  // GitLab sends the secret itself.
  const given = headers.get('x-gitlab-token') ?? '';
  return isSameSecret(given, secret);
}

/** Tells whether the proof fits the bytes of the body. */
export function isBodySigned(
  kind: HostKind,
  headers: Headers,
  secret: string,
  body: Buffer,
): boolean {
  if (kind === 'gitlab') return true;
  const given = readSignature(headers);
  const wanted = createHmac('sha256', secret).update(body).digest();
  return given !== undefined && timingSafeEqual(given, wanted);
}

function readSignature(headers: Headers): Buffer | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(headers.get('x-hub-signature-256') ?? '') ?? [];
  return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

/** Which event it is about. */
export function readEventName(kind: HostKind, headers: Headers): string {
  return headers.get(kind === 'github' ? 'x-github-event' : 'x-gitlab-event') ?? '';
}

/** The same for a delivery and its repetitions. Where GitLab does not number them, what it sends is the id. */
export function readDeliveryId(kind: HostKind, headers: Headers, body: Buffer): string | undefined {
  const names =
    kind === 'github' ? ['x-github-delivery'] : ['idempotency-key', 'x-gitlab-event-uuid'];
  const given = names.map((name) => headers.get(name)).find((one) => one !== null);
  if (given != null) return /^[\w.:-]{1,200}$/.test(given) ? given : undefined;
  if (kind === 'github') return undefined;
  return `body:${digestBody(body)}`;
}

/** The same for the same bytes: no header, which nobody signs, changes it. */
export function digestBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

// AES-256-GCM over one text: `nonce`, what it became, and its tag, as base64. What it is bound to is not in it.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a text. It can be read only with the same `bound`: where it belongs. */
export function encrypt(text: string, key: Buffer, bound: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(bound));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, data, cipher.getAuthTag()]).toString('base64');
}

/** The text again; undefined where the key is another, or anything was changed. */
export function decrypt(sealed: string, key: Buffer, bound: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const data = bytes.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Tells a text that was changed from one that is read with a wrong key: anybody can make it. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}

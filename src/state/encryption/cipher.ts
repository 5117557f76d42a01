// AES-256-GCM: `nonce`, what the bytes became, and the tag; a text as base64. What it is bound to is not in it.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts bytes. They can be read only with the same `bound`: where they belong. */
export function encryptBytes(bytes: Uint8Array, key: Buffer, bound: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** The same of a text, as base64. */
export function encrypt(text: string, key: Buffer, bound: string): string {
  return encryptBytes(Buffer.from(text), key, bound).toString('base64');
}

/** The bytes again; undefined where the key is another, or anything was changed. */
export function decryptBytes(bytes: Buffer, key: Buffer, bound: string): Buffer | undefined {
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const data = bytes.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** The same of a text. */
export function decrypt(sealed: string, key: Buffer, bound: string): string | undefined {
  return decryptBytes(Buffer.from(sealed, 'base64'), key, bound)?.toString('utf8');
}

/** Tells a text that was changed from one that is read with a wrong key: anybody can make it. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}

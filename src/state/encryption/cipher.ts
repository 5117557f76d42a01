// AES-256-GCM: the nonce, the encrypted bytes, and the tag; a text as base64. The context that the bytes are bound to is
// authenticated, and not stored.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts bytes. They can be decrypted only with the same `bound`, which names the file that they belong to, so that
 * no other file can take its place.
 */
export function encryptBytes(bytes: Uint8Array, key: Buffer, bound: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Encrypts a text; the result is base64. */
export function encryptText(text: string, key: Buffer, bound: string): string {
  return encryptBytes(Buffer.from(text), key, bound).toString('base64');
}

/** Decrypts bytes; undefined where the key is a different one, or anything was changed. */
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

/** Decrypts a text from base64; undefined in the same cases as `decryptBytes`. */
export function decryptText(sealed: string, key: Buffer, bound: string): string | undefined {
  return decryptBytes(Buffer.from(sealed, 'base64'), key, bound)?.toString('utf8');
}

/**
 * Computes a checksum that tells a changed text from one that was read with a wrong key. It proves no origin, since
 * anybody can make it.
 */
export function checksumText(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { oversizedAnswerFailure } from '../../model/http.ts';

/** Most encodings of one body: more of them is an attempt to make much of little. */
const mostPackings = 2;

/**
 * Decompresses a body. A small one may stand for a huge text: it is given up at `largestBytes`.
 * @throws HttpFailure, and errors of zlib for a body that is broken or cut short
 */
export async function unpack(
  packed: Buffer,
  packings: string | null,
  largestBytes: number,
): Promise<Buffer> {
  const names = (packings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const applied = names.filter((name) => name !== '' && name !== 'identity');
  if (applied.length > mostPackings) {
    throw new Error(`too many content-encodings: ${applied.length}`);
  }
  let bytes = packed;
  for (const name of applied.reverse()) bytes = await unpackOne(bytes, name, largestBytes);
  return bytes;
}

async function unpackOne(bytes: Buffer, name: string, largestBytes: number): Promise<Buffer> {
  // Nothing is packed in an answer without a body.
  if (bytes.byteLength === 0) return bytes;
  const options = { maxOutputLength: largestBytes };
  try {
    switch (name) {
      case 'gzip':
      case 'x-gzip':
        return await promisify(gunzip)(bytes, options);
      case 'deflate':
        // Some send it with the wrapping of zlib, and some without.
        return await promisify(isWrapped(bytes) ? inflate : inflateRaw)(bytes, options);
      case 'br':
        return await promisify(brotliDecompress)(bytes, options);
      default:
        return bytes;
    }
  } catch (error) {
    if (error instanceof RangeError) throw oversizedAnswerFailure(largestBytes);
    throw error;
  }
}

function isWrapped(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 0x08;
}

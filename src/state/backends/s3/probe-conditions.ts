// A trial whether a server respects the conditions of a write. Several servers that speak S3 ignore them without a word:
// there, every run would get the lock.
import { randomUUID } from 'node:crypto';
import { BackendError } from '../backend-error.ts';
import type { Bucket } from './bucket.ts';
import { probeName } from './object-names.ts';

/** Tries writes that must be refused. @throws BackendError `broken` where one is accepted */
export async function probeConditions(bucket: Bucket): Promise<void> {
  const name = probeName(randomUUID());
  try {
    const etag = await bucket.put(name, 'one', 'absent');
    const second = await bucket.put(name, 'two', 'absent');
    const found = await bucket.get(name);
    // The answer to the first write may have been lost, and its repetition refused.
    const isKept = second === undefined && found?.text === 'one';
    const wrong = { etag: '"00000000000000000000000000000000"' };
    if (!isKept || (await bucket.put(name, 'three', wrong)) !== undefined) throw refuse(bucket);
    const replaced = await bucket.put(name, 'four', { etag: etag ?? found.etag });
    if (replaced === undefined && (await bucket.get(name))?.text !== 'four') throw refuse(bucket);
  } finally {
    // An object left by a trial is in nobody's way.
    await bucket.delete(name).catch(() => undefined);
  }
}

function refuse({ place }: Bucket): BackendError {
  return new BackendError(
    'broken',
    `${place}: the server does not keep to conditions (If-None-Match, If-Match), so two runs could write at once. ` +
      'Use a server with conditional writes.',
  );
}

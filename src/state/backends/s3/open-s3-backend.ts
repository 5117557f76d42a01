// The state in a bucket of S3, or of a server that speaks its protocol with conditional writes. What is written is a log of
// objects that are never changed; each goes where nothing may be yet, which is what keeps an earlier holder from writing.
import { LeasedFence } from '../../lock/leased-fence.ts';
import type { StateBackend } from '../backend.ts';
import { Bucket, type BucketOptions } from './bucket.ts';
import { HeldS3Files, ReadS3Files } from './s3-files.ts';
import { S3Lock } from './s3-lock.ts';

/** How a state in a bucket is opened. */
export type S3BackendOptions = Omit<BucketOptions, 'place'>;

/** The state in a bucket. Sends nothing before it is used. */
export function openS3Backend(options: S3BackendOptions): StateBackend {
  const { endpoint, bucket: name, key } = options;
  const { host, origin } = new URL(endpoint);
  const place = `S3 at ${host}, bucket ${name}, key ${key}`;
  const bucket = new Bucket({ ...options, place });
  const lock = new S3Lock(bucket, origin);
  return {
    kind: 's3',
    place,
    address: `s3:${name}/${key}`,
    capabilities: { epoch: true, expiry: true, history: true, compareAndSwap: true },
    lock,
    openFiles: (fence) =>
      fence instanceof LeasedFence
        ? new HeldS3Files(place, lock.logOf(fence))
        : new ReadS3Files(bucket, () => lock.findStart()),
    close: () => Promise.resolve(),
  };
}

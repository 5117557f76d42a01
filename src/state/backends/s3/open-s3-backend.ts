// The state in a bucket of S3, or of a server that speaks its protocol with conditional writes. The writes form a log of
// objects that are never changed; each goes to a name that must not exist yet, which keeps an earlier holder from writing.
import type { StateFileName } from '../../files/files.ts';
import type { StateBackend } from '../backend.ts';
import { findLockedStateFileWriter, openServerStateFiles } from '../server-files.ts';
import { S3Bucket, type S3BucketOptions } from './bucket.ts';
import { LockedBucketLog } from './held-log.ts';
import { retryUntilComplete } from './missing-object.ts';
import { readBucketLog, readStateFileFromBucket } from './read-log.ts';
import { S3Lock } from './s3-lock.ts';
import type { S3Credentials } from './read-credentials.ts';
import { createS3RequestSigner, type SignS3Request } from './sign-request.ts';

/** Bucket, credentials and region of a state in S3. */
export interface S3BackendOptions extends Omit<S3BucketOptions, 'place' | 'sign' | 'secrets'> {
  readonly region: string;
  readonly credentials: S3Credentials;
  /** Signs with the credentials unless given; tests on a virtual clock give their own. */
  readonly sign?: SignS3Request;
}

/** Opens the state in an S3 bucket. No request is sent before the state is used. */
export function openS3Backend(options: S3BackendOptions): StateBackend {
  const {
    credentials,
    region,
    sign = createS3RequestSigner(credentials, region),
    ...rest
  } = options;
  const { endpoint, bucket: name, key } = rest;
  const { secretAccessKey, sessionToken } = credentials;
  const secrets = [secretAccessKey, ...(sessionToken === undefined ? [] : [sessionToken])];
  const { host, origin } = new URL(endpoint);
  const place = `S3 at ${host}, bucket ${name}, key ${key}`;
  const bucket = new S3Bucket({ ...rest, place, sign, secrets });
  const lock = new S3Lock(bucket, origin);
  const files = {
    pathOf: (file: StateFileName) => `${place}: ${file}`,
    look: async () => {
      const snapshot = await readBucketLog(bucket, await lock.findBounds());
      return {
        list: () => Promise.resolve([...snapshot.files.keys()]),
        read: (file: StateFileName) => readStateFileFromBucket(bucket, snapshot, file),
      };
    },
    untilWhole: <T>(work: () => Promise<T>) => retryUntilComplete(bucket, work),
  };
  return {
    kind: 's3',
    place,
    address: `s3:${name}/${key}`,
    hosts: [origin],
    capabilities: { epoch: true, expiry: true, history: true, compareAndSwap: true },
    lock,
    openFiles: (fence) =>
      openServerStateFiles(files, fence && findLockedStateFileWriter(fence, LockedBucketLog)),
    close: () => Promise.resolve(),
  };
}

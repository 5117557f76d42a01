import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Credentials } from './read-credentials.ts';

/** An S3 request before it is signed. */
export interface UnsignedS3Request {
  readonly method: string;
  readonly url: string;
  /** Headers of the request, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Time of the request, by the clock of this machine; milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Function that signs an S3 request: resolves with its address and headers. */
export type SignS3Request = (
  request: UnsignedS3Request,
) => Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>;

/** Makes the function that signs requests by AWS Signature Version 4. */
export function createS3RequestSigner(credentials: S3Credentials, region: string): SignS3Request {
  /** Keys that AWS's signature derives anew for each day. */
  const cache = new Map<string, ArrayBuffer>();
  return async ({ method, url, headers, body, at }) => {
    const digest = createHash('sha256').update(body ?? '');
    const signer = new AwsV4Signer({
      method,
      url,
      service: 's3',
      region,
      cache,
      ...credentials,
      headers: { ...headers, 'x-amz-content-sha256': digest.digest('hex') },
      datetime: new Date(at).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    return { url: signed.url.href, headers: Object.fromEntries(signed.headers) };
  };
}

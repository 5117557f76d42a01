// The address of a bucket, from the configuration, the environment, and the rules of AWS.
import { isIP } from 'node:net';
import type { StatePlace } from '../../../model/state/state-settings.ts';
import { createDiagnosticError } from '../../faults.ts';
import type { S3Environment } from './read-credentials.ts';

/** Region and server of an S3 bucket. */
export interface S3BucketAddress {
  readonly region: string;
  /** Address of the S3 server. */
  readonly endpoint: string;
  readonly isPathStyle: boolean;
}

/** Finds the address of a bucket. @throws DiagnosticError where its region is not given, or its address is invalid */
export function locateBucket(
  place: Extract<StatePlace, { kind: 's3' }>,
  environment: Pick<S3Environment, 'region' | 'endpoint'>,
): S3BucketAddress {
  const given = place.endpoint ?? environment.endpoint;
  const region = place.region ?? environment.region ?? (given === undefined ? '' : 'us-east-1');
  if (!/^[A-Za-z0-9-]+$/.test(region)) {
    throw createDiagnosticError('state-region-missing', 'The region of the bucket is not set', {
      detail: `The configuration keeps the state in the bucket ${place.bucket}.`,
      hint: 'Set `state.s3.region`, or AWS_REGION.',
    });
  }
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = given ?? `https://s3.${region}.${domain}`;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw createDiagnosticError(
      'invalid-state-address',
      'The address of the S3 server is invalid',
      {
        detail: 'It is not an absolute http or https address without a username.',
        hint: 'Correct `state.s3.endpoint`, or AWS_ENDPOINT_URL_S3.',
      },
    );
  }
  // The name goes into the path where it cannot be part of a host: a name with a dot has no certificate, a host has no
  // capitals, and an IP address takes no prefix.
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
  const isPathStyle = place.isPathStyle || isAddress || !/^[a-z0-9-]+$/.test(place.bucket);
  return { region, endpoint, isPathStyle };
}

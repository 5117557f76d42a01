// The bucket in small keeps to what AWS publishes: signatures, conditions, listings.
import { afterEach, expect, test } from 'vitest';
import { openS3Double, type S3Double } from '../../support/backends/s3-double.ts';
import { findSignatureFault } from '../../support/backends/s3-signature.ts';

let double: S3Double | undefined;
afterEach(() => double?.close());

// The example of "Signature Calculations for the Authorization Header" in the reference of S3.
const published = {
  method: 'GET',
  target: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  body: '',
};
const keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

test('the published signature is right, and no other', () => {
  expect(findSignatureFault(published, keys, 'us-east-1')).toBeUndefined();
  const faultOf = (change: Partial<typeof published>) =>
    findSignatureFault({ ...published, ...change }, keys, 'us-east-1');
  expect(faultOf({ target: '/test.txt?a' })).toBe('SignatureDoesNotMatch');
  expect(faultOf({ method: 'PUT' })).toBe('SignatureDoesNotMatch');
  expect(faultOf({ body: 'a' })).toBe('XAmzContentSHA256Mismatch');
  const unsigned = { ...published.headers, 'if-none-match': '*' };
  expect(faultOf({ headers: unsigned })).toBe('AccessDenied');
  expect(findSignatureFault(published, keys, 'eu-central-1')).toBe('AuthorizationHeaderMalformed');
  const other = { ...keys, accessKeyId: 'OTHER' };
  expect(findSignatureFault(published, other, 'us-east-1')).toBe('InvalidAccessKeyId');
});

test('without a signature, nothing is told', async () => {
  double = await openS3Double();
  const answer = await fetch(`${double.endpoint}/infra/a`, { method: 'PUT', body: 'a' });
  expect(answer.status).toBe(403);
  expect(double.objects.size).toBe(0);
});

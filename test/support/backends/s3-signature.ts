// Whether a request to S3 is signed as AWS publishes it (Signature Version 4), worked out from the request itself.
import { createHash, createHmac } from 'node:crypto';

/** A request as it came. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, as they came. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Who may ask. */
export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What is wrong with a signature, as a code of S3; undefined when nothing is. */
export function findSignatureFault(
  request: SignedRequest,
  keys: Keys,
  region: string,
): string | undefined {
  const { headers, body } = request;
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!given) return 'AccessDenied';
  const [, id = '', day = '', where = '', signed = '', signature = ''] = given;
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (where !== region) return 'AuthorizationHeaderMalformed';
  if (headers['x-amz-security-token'] !== keys.sessionToken) return 'InvalidToken';
  const digest = headers['x-amz-content-sha256'];
  if (digest !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  // Whatever decides what a request does has to be signed.
  const needed = ['host', 'x-amz-content-sha256', 'x-amz-date', 'if-match', 'if-none-match'];
  if (needed.some((name) => headers[name] !== undefined && !names.includes(name))) {
    return 'AccessDenied';
  }
  const moment = headers['x-amz-date'] ?? '';
  const scope = `${day}/${where}/s3/aws4_request`;
  const canonical = canonicalOf(request, names, digest);
  const toSign = `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${sha256(canonical)}`;
  const key = [day, where, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

function canonicalOf(
  { method, target, headers }: SignedRequest,
  names: readonly string[],
  digest: string,
): string {
  const [path = '', query = ''] = target.split('?');
  const parameters = query
    .split('&')
    .filter((one) => one !== '')
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .sort();
  const lines = names.map(
    (name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}`,
  );
  return [method, path, parameters.join('&'), ...lines, '', names.join(';'), digest].join('\n');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

import { generateKeyPairSync, randomUUID, sign, type KeyPairKeyObjectResult } from 'node:crypto';

// A certificate that nobody has signed but its own key, made anew for each test, so that no key lies in the repository.

const tags = {
  integer: 0x02,
  bits: 0x03,
  oid: 0x06,
  text: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
};

/** A value in DER: its tag, its length, its content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from([body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, body]);
}

const commonName = der(tags.oid, Buffer.from([0x55, 0x04, 0x03]));
const organisation = der(tags.oid, Buffer.from([0x55, 0x04, 0x0a]));
/** ecdsa-with-SHA256. */
const algorithm = der(
  tags.sequence,
  der(tags.oid, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])),
);

/** A key and its certificate, in PEM. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** A key and its certificate for a host, as `node:tls` takes them; `until`: `YYMMDDhhmmssZ`. */
export function makeSelfSigned(
  host: string,
  until = '490101000000Z',
  { privateKey, publicKey }: KeyPairKeyObjectResult = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  }),
): SelfSigned {
  const part = (type: Buffer, text: string) =>
    der(tags.set, der(tags.sequence, type, der(tags.text, Buffer.from(text))));
  // Who vouches is looked for by name: no two are called the same.
  const name = der(tags.sequence, part(organisation, randomUUID()), part(commonName, host));
  const validity = der(
    tags.sequence,
    der(tags.time, Buffer.from('200101000000Z')),
    der(tags.time, Buffer.from(until)),
  );
  const body = der(
    tags.sequence,
    der(tags.integer, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(tags.bits, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = der(tags.sequence, body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

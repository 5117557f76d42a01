import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConfigurationLoadOptions } from '../../../src/config/load-configuration.ts';
import { makeSelfSigned } from '../../support/self-signed.ts';
import { listFaults, loadFiles } from './load.ts';

const authority = makeSelfSigned('authority');
const other = makeSelfSigned('other');
const client = makeSelfSigned('client', '300102030405Z');
const encrypt = (type: 'pkcs8' | 'sec1') =>
  createPrivateKey(client.key)
    .export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();
const [encrypted, traditional] = [encrypt('pkcs8'), encrypt('sec1')];
const weak = makeSelfSigned('weak', undefined, generateKeyPairSync('rsa', { modulusLength: 512 }));

const files = {
  'certs/ca.pem': `# ours\n${authority.cert}${other.cert}`,
  'certs/client.pem': `${client.cert}${authority.cert}`,
  'certs/client.key': client.key,
  'certs/all.pem': `${client.key}${client.cert}`,
};

const service = (tls: string, rest = 'baseUrl: https://api.example.com/v1') =>
  `version: 1\nservice:\n  ${rest}\n  tls: ${tls}\n`;

const load = (
  text: string,
  more: Readonly<Record<string, string | Uint8Array>> = {},
  options?: Partial<ConfigurationLoadOptions>,
) => loadFiles({ ...files, ...more, 'a.yaml': text }, options);

async function loadTls(text: string, options?: Partial<ConfigurationLoadOptions>) {
  const { configuration, diagnostics } = await load(text, {}, options);
  expect(diagnostics).toEqual([]);
  const found = configuration!.service;
  return found?.kind === 'remote' ? found.tls : undefined;
}

describe('service.tls', () => {
  it('is read', async () => {
    const tls = await loadTls(
      service('{ caFile: certs/ca.pem, certFile: certs/client.pem, keyFile: ./certs/client.key }'),
    );
    expect(tls).toMatchObject({
      authorities: {
        file: 'certs/ca.pem',
        pem: authority.cert + other.cert,
        fingerprints: [authority, other].map(
          ({ cert }) => new X509Certificate(cert).fingerprint256,
        ),
        source: { file: 'a.yaml', line: 4, column: 18 },
      },
      identity: {
        certFile: 'certs/client.pem',
        cert: client.cert + authority.cert,
        key: client.key,
        validFrom: Date.UTC(2020, 0, 1),
        validUntil: Date.UTC(2030, 0, 2, 3, 4, 5),
        source: { line: 4 },
      },
    });
  });

  it.each([
    ['only an authority', '{ caFile: certs/ca.pem }', ['authorities']],
    ['only who we are', '{ certFile: certs/client.pem, keyFile: certs/client.key }', ['identity']],
    ['both in one file', '{ certFile: certs/all.pem, keyFile: certs/all.pem }', ['identity']],
    ['nothing', '{}', undefined],
    ['less than nothing', '', undefined],
    ['an expression', '{ caFile: "certs/${var.which}.pem" }', ['authorities']],
  ])('has %s', async (_what, tls, keys) => {
    const text = `${service(tls)}variables: { which: { type: string, default: ca } }\n`;
    const found = await loadTls(text);
    expect(found && found !== 'unusable' ? Object.keys(found) : found).toEqual(keys);
  });

  it('may be in another file than the address', async () => {
    const { diagnostics } = await load('version: 1\nservice: { tls: { caFile: certs/ca.pem } }\n', {
      'b.yaml': 'service: { baseUrl: https://api.example.com/v1 }\n',
    });
    expect(diagnostics).toEqual([]);
  });

  it('needs no values of variables to be validated', async () => {
    const text = `${service('{ caFile: "${var.a}", certFile: certs/client.pem, keyFile: "${var.a}" }', 'baseUrl: "${var.a}"')}variables: { a: { type: string } }\n`;
    expect(listFaults(await load(text, {}, { variables: { areOptional: true } }))).toEqual([]);
  });
});

describe('what is wrong with service.tls', () => {
  const ca = (path: string) => `{ caFile: ${path} }`;
  const key = (path: string, cert = 'certs/client.pem') =>
    `{ certFile: ${cert}, keyFile: ${path} }`;

  it.each([
    ['no file', ca('none.pem'), 'tls-file-unreadable', 'There is no such file.'],
    ['a directory', ca('certs'), 'tls-file-unreadable', 'It is a directory, not a file.'],
    ['a path with ~', ca('~/ca.pem'), 'tls-file-unreadable', '~ is not expanded'],
    ['an authority outside', ca('/etc/hosts'), 'file-outside', '--allow-outside-files'],
    ['a key outside', key('../client.key'), 'file-outside', 'HOSTWRIGHT_KEY_FILE'],
    ['a link that leads outside', ca('certs/../../x.pem'), 'file-outside', 'is outside'],
    ['no PEM', ca('a.yaml'), 'tls-file-invalid', '`a.yaml` holds no certificate'],
    ['a key for an authority', ca('certs/client.key'), 'tls-file-invalid', 'no certificate'],
    ['an authority cut short', ca('cut.pem'), 'tls-file-invalid', 'no certificate'],
    ['a broken one', ca('broken.pem'), 'tls-file-invalid', 'Certificate 2 in `broken.pem`'],
    ['one in DER', ca('der.crt'), 'tls-file-invalid', 'openssl x509'],
    ['a huge one', ca('huge.pem'), 'tls-file-unreadable', 'larger than'],
    [
      'PEM for a path',
      ca('"-----BEGIN CERTIFICATE-----\\nAAAA"'),
      'tls-file-invalid',
      'the path of a file',
    ],
    ['no key', key('certs/ca.pem'), 'tls-file-invalid', '`certs/ca.pem` holds no private key'],
    ['a broken key', key('broken.key'), 'tls-file-invalid', '`broken.key` cannot be read'],
    ['a key of ssh', key('ssh.key'), 'tls-file-invalid', 'OpenSSH'],
    ['an encrypted key', key('encrypted.key'), 'tls-key-encrypted', 'openssl pkey'],
    ['one of the old kind', key('traditional.key'), 'tls-key-encrypted', 'openssl pkey'],
    ['another key', key('other.key'), 'tls-key-mismatch', 'does not belong to'],
    ['a chain the wrong way', key('certs/client.key', 'chain.pem'), 'tls-key-mismatch', 'first'],
    ['a weak key', key('weak.key', 'weak.pem'), 'tls-file-invalid', 'ERR_SSL_EE_KEY_TOO_SMALL'],
    ['no key file', '{ certFile: certs/client.pem }', 'tls-pair-incomplete', '`keyFile`'],
    ['no cert file', '{ keyFile: certs/client.key }', 'tls-pair-incomplete', '`certFile`'],
    ['no text', '{ caFile: 5 }', 'wrong-type', 'must be text'],
    ['a blank', '{ caFile: " " }', 'blank-text', 'caFile'],
    ['an unknown key', '{ ca: certs/ca.pem }', 'unknown-key', 'caFile'],
  ])('%s', async (_what, tls, code, words) => {
    const result = await load(service(tls), {
      'cut.pem': authority.cert.slice(0, 200),
      'broken.pem': `${authority.cert}${authority.cert.replace(/\n(.{20})/, '\n')}`,
      'der.crt': new X509Certificate(authority.cert).raw,
      'huge.pem': authority.cert.repeat(4_000),
      'broken.key': client.key.replace(/\n(.{20})/, '\n'),
      'ssh.key': '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
      'encrypted.key': encrypted,
      'traditional.key': traditional,
      'other.key': other.key,
      'chain.pem': `${authority.cert}${client.cert}`,
      'weak.pem': weak.cert,
      'weak.key': weak.key,
    });
    expect(result.configuration).toBeUndefined();
    expect(result.diagnostics.map((one) => one.code)).toEqual([code]);
    const [{ summary, detail, hint, source } = {}] = result.diagnostics;
    expect([summary, detail, hint].join('\n')).toContain(words);
    expect(source).toMatchObject({ file: 'a.yaml', line: 4 });
    const said = JSON.stringify(result.diagnostics);
    for (const line of [client.key, encrypted, other.key].flatMap((one) => one.split('\n'))) {
      if (line.length > 20 && !line.startsWith('--')) expect(said).not.toContain(line);
    }
  });

  it('is told all at once, each at its place', async () => {
    const tls = '\n    caFile: a.yaml\n    certFile: none.pem\n    keyFile: certs/ca.pem';
    const result = await load(`${service(tls, 'baseUrl: ftp://x')}x: 1\n`);
    expect(listFaults(result)).toEqual([
      'a.yaml:3:12 invalid-base-url',
      'a.yaml:5:13 tls-file-invalid',
      'a.yaml:6:15 tls-file-unreadable',
      'a.yaml:7:14 tls-file-invalid',
      'a.yaml:8:1 unknown-key',
    ]);
  });

  it.each([
    ['the sandbox', 'sandbox: true'],
    ['nothing', 'requestsPerSecond: 5'],
  ])('stands beside %s in place of an address', async (_what, rest) => {
    const result = await load(service('{ caFile: certs/ca.pem }', rest));
    expect(listFaults(result)).toEqual(['a.yaml:4:3 tls-without-address']);
    expect(result.diagnostics[0]?.hint).toContain('service.baseUrl');
  });

  it('keeps what is read of the rest from being used without it', async () => {
    const result = await load(service('{ caFile: none.pem }'));
    expect(result.readable().service).toMatchObject({ kind: 'remote', tls: 'unusable' });
  });

  it('and no message shows a key, wherever it stands', async () => {
    const body = client.key.split('\n').slice(1, -2).join('');
    const result = await load(
      `${service('{ certFile: certs/client.pem, keyFile: certs/client.key }')}variables: { a: { type: number, default: "${body}" } }\n`,
    );
    expect(result.diagnostics.length).toBeGreaterThan(0);
    expect(JSON.stringify(result.diagnostics)).not.toContain(body.slice(0, 60));
  });
});

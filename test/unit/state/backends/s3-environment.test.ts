// Where a bucket is, and with what it is asked for, by the environment and the files of the AWS tools.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../../src/model/errors.ts';
import { locateBucket } from '../../../../src/state/backends/s3/locate-bucket.ts';
import { readS3Environment } from '../../../../src/state/backends/s3/read-credentials.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-aws-'));
});
afterEach(() => rm(directory, { recursive: true }));

const read = (env: Readonly<Record<string, string>>) =>
  readS3Environment({
    HOME: join(directory, 'nobody'),
    AWS_CONFIG_FILE: join(directory, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(directory, 'credentials'),
    ...env,
  });
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as DiagnosticError).diagnostics[0],
  );

describe('credentials', () => {
  test('come from the variables', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-1' };
    expect(await read(env)).toEqual({
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      region: 'eu-1',
      endpoint: undefined,
    });
    const { credentials } = await read({ ...env, AWS_SESSION_TOKEN: 'token' });
    expect(credentials.sessionToken).toBe('token');
  });

  test('or from a profile, whose halves may be in two files', async () => {
    await writeFile(
      join(directory, 'config'),
      '# ours\n[default]\nregion = us-1\n\n[profile shop]\nregion=eu-1\ns3 =\n  region = none\nendpoint_url = https://s3.example\n',
    );
    await writeFile(
      join(directory, 'credentials'),
      '[shop]\r\naws_access_key_id = id\r\naws_secret_access_key = a=b+/ \r\n',
    );
    expect(await read({ AWS_PROFILE: 'shop' })).toEqual({
      credentials: { accessKeyId: 'id', secretAccessKey: 'a=b+/' },
      region: 'eu-1',
      endpoint: 'https://s3.example',
    });
    expect((await faultOf(read({})))?.code).toBe('state-credentials-missing');
  });

  test('of a kind that is not used are named', async () => {
    await writeFile(join(directory, 'config'), '[default]\nsso_session = work\n');
    const fault = await faultOf(read({}));
    expect(fault?.detail).toContain('sso_session');
    expect(fault?.hint).toContain('aws configure export-credentials');
  });
});

describe('a bucket', () => {
  const place = { kind: 's3', bucket: 'infra', key: 'shop', isPathStyle: false } as const;
  const nowhere = { region: undefined, endpoint: undefined };

  test.each([
    [{ region: 'eu-1' }, nowhere, 'https://s3.eu-1.amazonaws.com', false],
    [{ region: 'cn-1' }, nowhere, 'https://s3.cn-1.amazonaws.com.cn', false],
    [{}, { region: 'us-1', endpoint: undefined }, 'https://s3.us-1.amazonaws.com', false],
    [{}, { region: undefined, endpoint: 'https://a.example' }, 'https://a.example', false],
    [
      { endpoint: 'https://b.example' },
      { region: 'x', endpoint: 'https://a.example' },
      'https://b.example',
      false,
    ],
    [{ endpoint: 'http://127.0.0.1:9000' }, nowhere, 'http://127.0.0.1:9000', true],
    [{ endpoint: 'http://[::1]:9000' }, nowhere, 'http://[::1]:9000', true],
    [{ bucket: 'in.fra', region: 'eu-1' }, nowhere, 'https://s3.eu-1.amazonaws.com', true],
  ])('%j %j', (given, environment, endpoint, isPathStyle) => {
    const found = locateBucket({ ...place, ...given }, environment);
    expect(found).toMatchObject({ endpoint, isPathStyle });
  });

  test.each([
    [{}, 'state-region-missing'],
    [{ region: 'a.example/' }, 'state-region-missing'],
    [{ endpoint: 'https://u:p@a.example' }, 'invalid-state-address'],
  ])('is refused: %j', async (given, code) => {
    const fault = await faultOf(
      Promise.resolve().then(() => locateBucket({ ...place, ...given }, nowhere)),
    );
    expect(fault?.code).toBe(code);
  });
});

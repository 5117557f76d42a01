import { readdir, readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeSelfSigned } from '../support/self-signed.ts';
import { openTlsService, type TlsService } from '../support/tls-service.ts';
import { run as runProgram } from './program.ts';
import { runInProcess } from './run-in-process.ts';

const own = makeSelfSigned('localhost');
const other = makeSelfSigned('localhost');
const client = makeSelfSigned('us');
const expired = makeSelfSigned('us', '210101000000Z');
const body = client.key.split('\n')[1]!;

let service: TlsService;
let room: string;
beforeEach(async () => {
  const asking = { requestCert: true, rejectUnauthorized: true, ca: client.cert };
  service = await openTlsService(own, asking);
  room = await mkdtemp(join(tmpdir(), 'hostwright-tls-'));
  const files = {
    ...{ 'own.pem': own.cert, 'other.pem': other.cert, 'us.pem': client.cert },
    ...{ 'us.key': client.key, 'old.pem': expired.cert, 'old.key': expired.key },
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(room, name), text);
});
afterEach(async () => {
  await service.close();
  await rm(room, { recursive: true });
});

const us = 'certFile: us.pem, keyFile: us.key';
const configure = (tls: string, more = '') =>
  writeFile(
    join(room, 'main.yaml'),
    `version: 1
service:
  baseUrl: ${service.baseUrl}
  tls: { ${tls} }
  ${more}
projects: { shop: { networks: { lan: } } }
`,
  );

const environment = () => ({ HOSTWRIGHT_TOKEN: service.token });
const run = (argv: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(argv, { cwd: room, env: { ...environment(), ...env } });

/** Without the frames around messages, and without their line breaks. */
const unwrap = (text: string) => text.replace(/[\s│]+/g, ' ');

describe('a service with an authority of its own that asks for a client certificate', () => {
  test('is planned, applied and asked as any other, and nothing that is written holds the key', async () => {
    await configure(`caFile: own.pem, ${us}`);
    const env = { HOSTWRIGHT_LOG: 'debug' };
    const ran = [
      await run(['plan', '--out', 'plan.hwp'], env),
      await run(['apply', 'plan.hwp'], env),
      await run(['plan', '--detailed-exitcode', '--format', 'json'], env),
      await run(['limits'], env),
      await run(['doctor', '--json'], env),
    ];
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(service.heard.length).toBeGreaterThan(0);
    const state = await readdir(join(room, '.hostwright'));
    const written = await Promise.all(
      ['plan.hwp', ...state.map((name) => join('.hostwright', name))].map((name) =>
        readFile(join(room, name), 'utf8'),
      ),
    );
    const said = [...written, ...ran.flatMap(({ stdout, stderr }) => [stdout, stderr])].join('\n');
    for (const secret of [body, 'PRIVATE KEY', client.cert.split('\n')[1]!]) {
      expect(said).not.toContain(secret);
    }
  });

  test('is told of by doctor, with what is used to reach it', async () => {
    await configure(`caFile: own.pem, ${us}`, 'maxConnections: 5');
    const { code, stdout } = await run(['doctor', '--json']);
    expect(code).toBe(0);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; detail?: string }[] };
    expect(checks.find(({ name }) => name === 'address')?.detail).toBe(
      'At most 5 connections. Trusts the certificate authorities in own.pem besides the known ones. Shows the client certificate us.pem, valid until 2049-01-01.',
    );
  });

  test('with another authority is not trusted, and the hint says where to name the right one', async () => {
    await configure(`caFile: other.pem, ${us}`);
    const { code, stderr } = await run(['plan']);
    expect({ code, heard: service.heard }).toEqual({ code: 1, heard: [] });
    expect(stderr).toContain('self-signed');
    expect(stderr).toMatch(/`service\.tls\.caFile`/);
    const doctor = await run(['doctor']);
    expect(doctor.code).toBe(1);
    expect(unwrap(doctor.stdout)).toContain('Trusts the certificate authorities in other.pem');
  });

  test('without a client certificate is said to ask for one', async () => {
    await configure('caFile: own.pem');
    const { code, stderr } = await run(['plan']);
    expect({ code, heard: service.heard }).toEqual({ code: 1, heard: [] });
    expect(unwrap(stderr)).toContain('it asks for a client certificate');
    expect(stderr).toContain('`service.tls.certFile`');
  });

  test('is shown the certificate of the environment before that of the configuration', async () => {
    await configure('caFile: own.pem, certFile: old.pem, keyFile: old.key');
    const env = {
      HOSTWRIGHT_CERT_FILE: join(room, 'us.pem'),
      HOSTWRIGHT_KEY_FILE: join(room, 'us.key'),
    };
    expect(await run(['plan'], env)).toMatchObject({ code: 0 });
    const { stdout } = await run(['doctor'], env);
    expect(unwrap(stdout)).toMatch(/Shows the client certificate \S+us\.pem/);
  });

  test('warns of a certificate that has expired', async () => {
    await configure('caFile: own.pem, certFile: old.pem, keyFile: old.key');
    const { code, stderr } = await run(['plan']);
    expect(code).toBe(1);
    expect(stderr).toContain('The client certificate in `old.pem` has expired');
    expect(stderr).toContain('It is valid until 2021-01-01.');
    expect(stderr).toMatch(/main\.yaml line 4/);
    expect((await run(['doctor'])).stdout).toMatch(/^warning +address .*has expired/m);
  });

  test.each([
    [
      'no key',
      { HOSTWRIGHT_KEY_FILE: '' },
      'HOSTWRIGHT_CERT_FILE is set without HOSTWRIGHT_KEY_FILE',
    ],
    ['no file', { HOSTWRIGHT_KEY_FILE: '/nowhere/us.key' }, 'The system says ENOENT.'],
    ['another key', { HOSTWRIGHT_KEY_FILE: 'old.key' }, 'does not belong to the certificate'],
    ['no certificate', { HOSTWRIGHT_CERT_FILE: 'us.key' }, 'holds no certificate'],
  ])('is not asked with %s in the environment', async (_what, wrong, words) => {
    await configure(`caFile: own.pem, ${us}`);
    const named = { HOSTWRIGHT_CERT_FILE: 'us.pem', HOSTWRIGHT_KEY_FILE: 'us.key', ...wrong };
    const env = Object.fromEntries(
      Object.entries(named).map(([name, path]) => [
        name,
        /^[/]|^$/.test(path) ? path : join(room, path),
      ]),
    );
    const { code, stderr } = await run(['plan'], env);
    expect({ code, heard: service.heard }).toEqual({ code: 1, heard: [] });
    expect(unwrap(stderr)).toContain(words);
    expect(stderr).not.toContain(body);
    const doctor = await run(['doctor'], env);
    expect(doctor.code).toBe(1);
    expect(unwrap(doctor.stdout)).toContain(words);
  });

  test('is not asked for a saved plan while the configuration names no usable key', async () => {
    await configure(`caFile: own.pem, ${us}`);
    expect(await run(['plan', '--out', 'plan.hwp'])).toMatchObject({ code: 0 });
    await rm(join(room, 'us.key'));
    service.heard.length = 0;
    const { code, stderr } = await run(['apply', 'plan.hwp']);
    expect({ code, heard: service.heard }).toEqual({ code: 1, heard: [] });
    expect(stderr).toContain('[tls-unusable]');
    expect((await run(['doctor'])).stdout).toMatch(
      /^failure +address +`service\.tls` cannot be used/m,
    );
  });
});

describe('NODE_EXTRA_CA_CERTS', () => {
  const env = (extra: string) => ({
    ...environment(),
    NODE_EXTRA_CA_CERTS: join(room, extra),
    HOSTWRIGHT_CERT_FILE: join(room, 'us.pem'),
    HOSTWRIGHT_KEY_FILE: join(room, 'us.key'),
  });

  test.each([
    ['alone', us],
    ['beside another authority', `caFile: other.pem, ${us}`],
  ])('is trusted %s', async (_what, tls) => {
    await configure(tls);
    expect(await runProgram(['plan', room], { env: env('own.pem') })).toMatchObject({ code: 0 });
  });

  test('and the variables of the client certificate are all that counts with HOSTWRIGHT_BASE_URL', async () => {
    await configure('caFile: other.pem, certFile: old.pem, keyFile: old.key');
    const named = { ...env('own.pem'), HOSTWRIGHT_BASE_URL: service.baseUrl };
    expect(await runProgram(['apply', '--auto-approve', room], { env: named })).toMatchObject({
      code: 0,
    });
    const state = JSON.parse(
      await readFile(join(room, '.hostwright/state.json'), 'utf8'),
    ) as object;
    expect(state).not.toHaveProperty('authorities');
  });
});

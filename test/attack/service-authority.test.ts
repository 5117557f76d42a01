// Row b: who can be on the way to the service, and write the YAML, must not get the token by vouching for himself.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { makeSelfSigned } from '../support/self-signed.ts';
import { openTlsService, type TlsService } from '../support/tls-service.ts';

const own = makeSelfSigned('localhost');
const evil = makeSelfSigned('localhost');

let service: TlsService;
let room: string;
beforeEach(async () => {
  service = await openTlsService(own);
  room = await mkdtemp(join(tmpdir(), 'hostwright-authority-'));
  await writeFile(join(room, 'own.pem'), own.cert);
  await writeFile(join(room, 'evil.pem'), evil.cert);
  await writeFile(join(room, 'both.pem'), `${own.cert}${evil.cert}`);
});
afterEach(async () => {
  await service.close();
  await rm(room, { recursive: true });
});

/** The configuration, as whoever opens a pull request writes it. */
const configure = (caFile?: string, more = '') =>
  writeFile(
    join(room, 'main.yaml'),
    `version: 1
service:
  baseUrl: ${service.baseUrl}
${caFile === undefined ? '' : `  tls: { caFile: ${caFile} }\n`}projects: { shop: { ${more} } }
`,
  );

const run = (argv: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(argv, { cwd: room, env: { HOSTWRIGHT_TOKEN: service.token, ...env } });

/** Applies with the authority of the service, and then has another pose as it. */
async function bind(): Promise<void> {
  await configure('own.pem');
  expect(await run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
  service.replaceBy(evil);
  service.heard.length = 0;
}

const readState = async () =>
  JSON.parse(await readFile(join(room, '.hostwright/state.json'), 'utf8')) as {
    readonly serial: number;
    readonly authorities?: readonly string[];
  };

describe('attack b: an authority for the service', () => {
  test.each(['evil.pem', 'both.pem'])(
    'that a stranger names (%s) gets nothing from a state that is bound',
    async (caFile) => {
      await bind();
      await configure(caFile);
      for (const argv of [['plan'], ['apply', '--auto-approve'], ['doctor'], ['limits']]) {
        const { code, stdout, stderr } = await run(argv);
        expect({ argv, code, heard: service.heard }).toEqual({ argv, code: 1, heard: [] });
        expect(stdout + stderr).toContain('`service.tls.caFile` names a certificate authority');
      }
      const { stderr } = await run(['plan']);
      expect(stderr).toContain('[other-authority]');
      expect(stderr).toMatch(/main\.yaml line 4, column 18/);
      expect(stderr).toContain('--allow-other-service');
    },
  );

  test('that nobody names vouches for nothing', async () => {
    await bind();
    for (const caFile of ['own.pem', undefined]) {
      await configure(caFile);
      const { code, stderr } = await run(['plan']);
      expect({ code, heard: service.heard }).toEqual({ code: 1, heard: [] });
      expect(stderr).toContain('[unreachable]');
    }
  });

  test('has no say where the environment names the service', async () => {
    await configure('evil.pem');
    service.replaceBy(evil);
    const env = { HOSTWRIGHT_BASE_URL: service.baseUrl };
    for (const argv of [['plan'], ['doctor']]) {
      const { code, stdout, stderr } = await run(argv, env);
      expect({ code, heard: service.heard }).toEqual({ code: 1, heard: [] });
      expect(stdout + stderr).toContain('NODE_EXTRA_CA_CERTS');
    }
    expect((await run(['doctor'], env)).stdout).toContain('`service.tls` is not used');
  });

  test('that is new is let pass by whoever runs the command, and the next apply records it', async () => {
    await bind();
    await configure('evil.pem');
    const allowed = await run(['plan', '--allow-other-service']);
    expect(allowed).toMatchObject({ code: 0 });
    expect(allowed.stderr).toContain('[other-authority]');
    expect(await run(['plan'])).toMatchObject({ code: 1 });
    expect(await run(['apply', '--auto-approve', '--allow-other-service'])).toMatchObject({
      code: 0,
    });
    expect(await run(['plan'])).toMatchObject({ code: 0 });
    await configure('own.pem');
    expect((await run(['plan'])).stderr).toContain('[other-authority]');
  });

  test('stands in the state by its fingerprint alone, and is no reason to write it anew', async () => {
    await bind();
    service.replaceBy(own);
    const before = await readState();
    expect(before.authorities).toEqual([expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)]);
    expect(await run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
    expect(await readState()).toEqual(before);
    // Who runs it with an address of the environment says nothing of it.
    const env = { HOSTWRIGHT_BASE_URL: service.baseUrl };
    expect(await run(['apply', '--auto-approve'], env)).toMatchObject({ code: 1 });
    expect((await readState()).authorities).toEqual(before.authorities);
  });
});

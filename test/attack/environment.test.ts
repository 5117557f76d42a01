// The author of a pull request gets of the environment of a job, by `env()`, the variables that its runner has named.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildChildEnvironment } from '../../src/server/runs/child-environment.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { openFolder } from '../support/open-folder.ts';

/** Variables of pipelines: nothing tells the secrets among them by their names. */
const secrets = {
  ...{ AWS_SECRET_ACCESS_KEY: 's3cr3t-1', PGPASSWORD: 's3cr3t-2', CI_JOB_TOKEN: 's3cr3t-3' },
  ...{ HTTPS_PROXY: 's3cr3t-4', my_pass: 's3cr3t-5', PATH_TO: 's3cr3t-6' },
  ...{ HOSTWRIGHT_TOKEN: 's3cr3t-7', HOSTWRIGHT_STATE_PASSPHRASE: 's3cr3t-8' },
};
const names = Object.keys(secrets);

let room: string;
beforeEach(async () => {
  room = await openFolder('attack');
});

/** A configuration that shows each variable, as it is and encoded. */
async function configure(shown: readonly string[] = names): Promise<void> {
  const declared = shown.map((name) => `  ${name}: { default: '' }\n`).join('');
  const outputs = shown.flatMap((name, at) => [
    `  o${at}: { value: "\${env('${name}')}" }\n`,
    `  e${at}: { value: "\${base64Encode(env('${name}'))}" }\n`,
  ]);
  const main = `version: 1\nservice: { sandbox: true }\nvariables:\n${declared}outputs:\n${outputs.join('')}`;
  await writeFile(join(room, 'main.yaml'), main);
}

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const all = { ...secrets, ...env };
  const { code, stdout, stderr } = await runInProcess(argv, { cwd: room, env: all });
  return { code, said: stdout + stderr };
}

const encoded = (text: string) => Buffer.from(text).toString('base64');

describe('env()', () => {
  test.each([['plan'], ['apply', '--auto-approve'], ['export']])(
    'reads nothing that is not allowed: %s',
    async (...argv) => {
      await configure();
      const { code, said } = await run(argv);
      expect(code).toBe(1);
      expect(said.match(/env-not-allowed/g)).toHaveLength(2 * (names.length - 2));
      expect(said.replaceAll(/\s*│?\s+/g, ' ')).toContain('--allow-env PGPASSWORD');
      for (const secret of Object.values(secrets)) {
        expect(said).not.toContain(secret);
        expect(said).not.toContain(encoded(secret));
      }
    },
  );

  test.each([['validate'], ['graph'], ['destroy', '--auto-approve']])(
    'is unknown where no value is needed: %s',
    async (...argv) => {
      await configure(names.slice(0, 6));
      const { code, said } = await run(argv);
      expect(code).toBe(0);
      expect(said).not.toContain('s3cr3t');
    },
  );

  test('reads what is named, by a flag or by the environment, and nothing else', async () => {
    await configure(['my_pass', 'PATH_TO']);
    const one = await run(['plan', '--allow-env', 'my_pass']);
    expect(one.code).toBe(1);
    expect(one.said).not.toContain('`my_pass`');
    for (const [argv, env] of [
      [['plan', '--allow-env', 'my_pass', '--allow-env=PATH_TO'], {}],
      [['plan', '--allow-env', 'my_pass,PATH_TO'], {}],
      [['plan'], { HOSTWRIGHT_ALLOW_ENV: 'my_pass, PATH_TO' }],
      [['--allow-env', 'my_pass', 'plan'], { HOSTWRIGHT_ALLOW_ENV: 'PATH_TO' }],
    ] as const) {
      const { code, said } = await run(argv, env);
      expect(code).toBe(0);
      expect(said).toContain('s3cr3t-5');
      expect(said).toContain(encoded('s3cr3t-6'));
    }
  });

  test('never reads what belongs to Hostwright', async () => {
    await configure(['HOSTWRIGHT_TOKEN']);
    const { code, said } = await run(['plan', '--allow-env', 'HOSTWRIGHT_TOKEN']);
    expect(code).toBe(1);
    expect(said).toContain('belongs to Hostwright');
    expect(said).not.toContain('s3cr3t');
  });

  test('reads nothing on a server, whatever its worker or a workspace allows', () => {
    const env = { ...secrets, HOSTWRIGHT_ALLOW_ENV: 'PGPASSWORD', PATH: '/bin' };
    const child = buildChildEnvironment({
      ...{ env, variables: { HOSTWRIGHT_ALLOW_ENV: 'PGPASSWORD', PGPASSWORD: 'x' } },
      ...{ workspace: 'w', home: '/h', reserved: [], owned: [], secrets: [], allowProbes: [] },
      run: { id: 1, attempt: 1, commit: 'c', pull: null },
    } as never);
    expect(Object.keys(child)).not.toContain('HOSTWRIGHT_ALLOW_ENV');
    expect(Object.keys(child)).not.toContain('PGPASSWORD');
  });
});

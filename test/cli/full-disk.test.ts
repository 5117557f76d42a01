// What is written goes into a file on a disk that is full, as the log of a nightly job may.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run, serve, type ServedSandbox } from './program.ts';

const configuration = `version: 1
projects:
  demo:
    networks: { backend: }
    vms:
      web: { count: 3, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [backend] }
`;

describe.skipIf(!existsSync('/dev/full'))('on a full disk', () => {
  let sandbox: ServedSandbox;
  let directory: string;
  beforeEach(async () => {
    sandbox = await serve('--speed', '500');
    directory = await mkdtemp(join(tmpdir(), 'hostwright-full-disk-'));
    await writeFile(join(directory, 'main.yaml'), configuration);
  });
  afterEach(async () => {
    await sandbox.stop();
    await rm(directory, { recursive: true });
  });
  const plan = () => run(['plan', directory, '--detailed-exitcode'], { env: sandbox.env });

  test('an apply whose results cannot be written goes on to its end, and says that they are lost', async () => {
    const ended = await run(['apply', directory, '--auto-approve'], {
      env: sandbox.env,
      full: 'stdout',
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('vms.web[2]: Creation complete');
    expect(ended.stderr).toContain('[output-lost]');
    expect(ended.stderr).toContain('ENOSPC');
    expect(ended.stderr).not.toContain('    at ');
    expect(await plan()).toMatchObject({ code: 0 });
  });

  test('an apply whose progress cannot be written goes on to its end', async () => {
    const ended = await run(['apply', directory, '--auto-approve'], {
      env: sandbox.env,
      full: 'stderr',
    });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('Apply complete! Resources: 5 added');
    expect(await plan()).toMatchObject({ code: 0 });
  });

  test('a plan that cannot be written has changes that nobody can read: an error', async () => {
    const flags = ['--format', 'json', '--detailed-exitcode'];
    const ended = await run(['plan', directory, ...flags], { env: sandbox.env, full: 'stdout' });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('[output-lost]');
  });
});

// Terraform itself against the double: what passes for a state server here is one for Terraform too. And neither of the
// two programs writes over the state of the other.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import { openHttpSetup, type HttpSetup } from '../../support/backends/http-setup.ts';
import type { Flavour } from '../../support/backends/http-state-flavours.ts';

const hasTerraform = spawnSync('terraform', ['version']).status === 0;
const credentials = { username: 'robot', password: 'a secret' };

let setup: HttpSetup;
let directory: string;

/** Terraform in a directory whose state is on a server of a flavour. */
async function prepare(flavour: Flavour): Promise<void> {
  setup = await openHttpSetup({ flavour, credentials });
  const { address } = setup.double;
  const isHosted = flavour !== 'terraform';
  const lock = isHosted ? `${address}/lock` : address;
  const settings = {
    ...{ address, lock_address: lock, unlock_address: lock, ...credentials },
    ...(isHosted && { lock_method: 'POST', unlock_method: 'DELETE' }),
    retry_max: 0,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const backend = `terraform {\n  backend "http" {\n${lines.join('\n')}\n  }\n}\n`;
  const resource = 'resource "terraform_data" "one" {\n  input = 1\n}\n';
  await writeFile(join(directory, 'main.tf'), backend + resource);
  const { status, text } = await terraform('init');
  expect(text).toContain('successfully initialized');
  expect(status).toBe(0);
}

/** Beside this process, which is the server. */
const terraform = (command: string, ...args: readonly string[]) =>
  new Promise<{ status: number | null; text: string }>((done) => {
    const all = [command, '-input=false', '-no-color', ...args];
    const env = { ...process.env, CHECKPOINT_DISABLE: '1' };
    const child = spawn('terraform', all, { cwd: directory, env });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    }
    // As wide as the terminal is taken to be, sentences are broken.
    child.on('close', (status) => done({ status, text: text.replaceAll(/[\s│╷╵]+/g, ' ') }));
  });

describe.skipIf(!hasTerraform)('Terraform', () => {
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hostwright-terraform-'));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
    await setup.close();
  });

  test('keeps its state on the double; each refuses the state of the other', async () => {
    await prepare('terraform');
    const { double, lock, takeMethods } = setup;
    takeMethods();
    const { text, status } = await terraform('apply', '-auto-approve');
    expect([text.includes('Resources: 1 added'), status]).toEqual([true, 0]);
    expect(takeMethods().join(' ')).toMatch(/^LOCK GET (?:.*\b)?POST (?:POST )*UNLOCK$/);
    const theirs = double.latest;
    expect(JSON.parse(theirs ?? '')).toMatchObject({
      version: 4,
      terraform_version: expect.any(String) as string,
    });

    const refused = await lock().catch((error: unknown) => error as DiagnosticError);
    expect('diagnostics' in refused && refused.diagnostics[0]?.detail).toContain(
      'holds a state of Terraform. Hostwright does not overwrite it',
    );
    expect(double.latest).toBe(theirs);

    double.put(undefined);
    const run = await lock();
    await run.files.replace(run.journal, 'a\n');
    const ours = double.latest;
    const locked = await terraform('plan');
    expect(locked.text).toContain('Error acquiring the state lock');
    expect(locked.text).toContain(run.lock.info.ID);
    await run.lock.release();
    const read = await terraform('apply', '-auto-approve');
    expect(read.text).toContain('claims to have been written by Terraform version "hostwright"');
    expect(read.status).toBe(1);
    expect(double.latest).toBe(ours);
    expect(double.lock).toBeUndefined();
  });

  test.each(['gitlab', 'gitea'] as const)(
    'keeps its state on the double of %s',
    async (flavour) => {
      await prepare(flavour);
      const { double } = setup;
      const { text, status } = await terraform('apply', '-auto-approve');
      expect([text.includes('Resources: 1 added'), status]).toEqual([true, 0]);
      expect(double.versions.size).toBeGreaterThan(0);
      expect(double.lock).toBeUndefined();
      expect(double.heard.filter((one) => one.status >= 400 && one.status !== 404)).toEqual([]);
    },
  );
});

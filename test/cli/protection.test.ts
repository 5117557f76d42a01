import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from './run-in-process.ts';
import { expectOutput, expectWords } from '../support/expect-words.ts';

const room = await mkdtemp(join(tmpdir(), 'hostwright-protection-'));
afterAll(() => rm(room, { recursive: true }));

const keyOf = (letter: string) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${letter.repeat(43)} alice`;

interface Wish {
  readonly key?: string;
  readonly image?: string;
  readonly lifecycle?: string;
  readonly web?: string;
  readonly rest?: string;
  /** The block of the database; absent: as the others say. */
  readonly db?: string;
}

/** Nineteen VMs that one key opens, and a protected one. */
async function write(wish: Wish = {}): Promise<void> {
  const { key = keyOf('A'), image = 'ubuntu-24.04', web = 'count: 19', rest = '' } = wish;
  const { lifecycle = 'lifecycle: { preventDestroy: true }' } = wish;
  const size = 'configuration: c1-r1-d20, tariff: monthly';
  const text = `version: 1
service: { sandbox: { speed: 100000 } }
${rest}
projects:
  shop:
    sshKeys: { alice: { publicKey: "${key}" } }
    vms:
      web: { ${web}, image: ubuntu-24.04, ${size}, sshKeys: [alice] }
      ${wish.db ?? `db: { image: ${image}, ${size}, ${lifecycle} }`}
`;
  await writeFile(join(room, 'main.yaml'), text);
}

const run = (...args: string[]) => runInProcess(args, { cwd: room });

describe('a protected VM, and a key of nineteen', () => {
  beforeAll(async () => {
    await write();
    expect((await run('apply', '--auto-approve')).code).toBe(0);
  });

  it('is not rebuilt: the plan fails with the place of its block', async () => {
    await write({ image: 'debian-12' });
    const { code, stdout, stderr } = await run('plan');
    expect(code).toBe(1);
    const said = stdout + stderr;
    expectWords(said, '[prevent-destroy]', 'on main.yaml line 9, column 7:', 'set preventDestroy:');
  });

  it('is rebuilt in the plan that lifts its protection, which says so', async () => {
    for (const lifecycle of ['lifecycle: { preventDestroy: false }', 'power: running']) {
      await write({ image: 'debian-12', lifecycle });
      expectOutput(
        await run('plan'),
        '# (no longer protected: preventDestroy is not true any more)',
        'The protection of projects.shop.vms.db is lifted',
      );
    }
  });

  it('is one changed key, no VM and a note when the key is rotated', async () => {
    await write({ key: keyOf('B') });
    const { code, stdout } = await run('plan', '--detailed-exitcode', '--verbose');
    expect(code).toBe(2);
    expect(stdout).toContain('Plan: 1 to add, 0 to change, 1 to destroy.');
    expect(stdout).toContain('19 VMs keep the sshKeys that they were created with');
    expect(stdout).toContain('# applies at the next rebuild');
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    // The note stays as long as the old key opens them, and nothing else does.
    const again = await run('plan', '--detailed-exitcode', '--verbose');
    expectOutput(again, 'No changes.');
    expect(again.stdout).toMatch(
      /Old keys that still open them: alice\n│ \(SHA256:\S+\) on 19 VMs/,
    );
    expect(again.stdout).not.toContain('changed outside');
    const json = await run('plan', '--format', 'json');
    const { resource_changes: changes } = JSON.parse(json.stdout) as {
      resource_changes: { change: { before: unknown; after: unknown } }[];
    };
    expect(changes).toHaveLength(22);
    for (const { change } of changes) expect(change.after).toEqual(change.before);
  });

  it('is no change to what expressions are checked for: validate needs no values', async () => {
    await write({ rest: 'variables: { n: { type: number } }', web: 'count: "${var.n}"' });
    expect(await run('validate')).toMatchObject({ code: 0 });
    expect((await run('plan')).stderr).toContain('missing-variable');
  });
});

// Two folders with one state, kept in PostgreSQL, with nothing on either disk.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { TestDatabase } from '../support/backends/make-database.ts';
import { openDemo, type Demo } from './demo.ts';
import { run, start } from './program.ts';

export const vms = 4;

/** What the tests of a file share; the folders and the state are new for each of them. */
export class TwoFolders {
  server!: TestDatabase;
  demo!: Demo;
  /** The folder of the second person. */
  other!: string;
  env: Record<string, string> = {};

  apply(cwd: string, ...flags: string[]) {
    return start(['apply', '--auto-approve', ...flags], { cwd, env: this.env });
  }

  run(cwd: string, ...args: string[]) {
    return run(args, { cwd, env: this.env });
  }

  plan(cwd: string) {
    return this.run(cwd, 'plan', '--detailed-exitcode');
  }

  /** Everything is there once, and both folders know. */
  async expectOnce(): Promise<void> {
    expect(await this.demo.listVms()).toHaveLength(vms);
    expect((await this.plan(this.demo.directory)).code).toBe(0);
    expect((await this.plan(this.other)).code).toBe(0);
  }
}

/** Sets two folders up for each test of the file that calls it, with the database that `open` opens. */
export function useTwoFolders(open: () => Promise<TestDatabase>): TwoFolders {
  const folders = new TwoFolders();
  let count = 0;
  beforeAll(async () => {
    folders.server = await open();
  });
  afterAll(() => folders.server.close());
  beforeEach(async () => {
    folders.demo = await openDemo(vms);
    folders.other = await mkdtemp(join(tmpdir(), 'hostwright-other-'));
    await cp(folders.demo.directory, folders.other, { recursive: true });
    count += 1;
    folders.env = {
      ...folders.demo.env,
      HOSTWRIGHT_STATE: `{ postgres: { name: shop${count} }, lease: 20s, encryption: { key: passphrase } }`,
      HOSTWRIGHT_STATE_POSTGRES_URL: folders.server.url,
      HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery',
    };
  });
  afterEach(async () => {
    await folders.demo.close();
    await rm(folders.other, { recursive: true });
  });
  return folders;
}

// What is written goes into a file on a disk that is full, as the log of a nightly job may.
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDemo, type Demo } from './demo.ts';
import { run } from './program.ts';
import { runInProcess } from './run-in-process.ts';
import { expectFailure, expectOutput } from '../support/expect-words.ts';

describe.skipIf(!existsSync('/dev/full'))('on a full disk', () => {
  let demo: Demo;
  beforeEach(async () => {
    demo = await openDemo(3);
    demo.release();
  });
  afterEach(() => demo.close());
  const apply = (full: 'stdout' | 'stderr') =>
    run(['apply', demo.directory, '--auto-approve'], { env: demo.env, full });
  const plan = () =>
    runInProcess(['plan', demo.directory, '--detailed-exitcode'], { env: demo.env });

  test('an apply whose results cannot be written goes on to its end, and says that they are lost', async () => {
    const ended = await apply('stdout');
    expectFailure(ended, 'vms.web[2]: Creation complete', '[output-lost]', 'ENOSPC');
    expect(ended.stderr).not.toContain('    at ');
    expect(await plan()).toMatchObject({ code: 0 });
  });

  test('an apply whose progress cannot be written goes on to its end', async () => {
    expectOutput(await apply('stderr'), 'Apply complete! Resources: 5 added');
    expect(await plan()).toMatchObject({ code: 0 });
  });

  test('a plan that cannot be written has changes that nobody can read: an error', async () => {
    const flags = ['--format', 'json', '--detailed-exitcode'];
    const ended = await run(['plan', demo.directory, ...flags], { env: demo.env, full: 'stdout' });
    expectFailure(ended, '[output-lost]');
  });
});

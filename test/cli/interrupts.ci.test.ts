// Whoever runs an apply goes away in the middle: at a key, at a signal, with the terminal, with the reader of a pipe.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { openDemo, type Demo } from './demo.ts';
import { start, type Started } from './program.ts';
import { runInProcess as run } from './run-in-process.ts';

let demo: Demo;
beforeEach(async () => {
  demo = await openDemo(3);
});
afterEach(() => demo.close());

const apply = (...flags: string[]) =>
  start(['apply', demo.directory, '--auto-approve', ...flags], { env: demo.env });
/** The VMs are being made. */
const isUnderWay = async (first: Started) => {
  await first.waitFor('vms.web[2]: Creating...');
  await first.waitFor('networks.backend: Creation complete');
  await demo.hasTaken(3);
};

/** The next run ends what the first began, and nothing was made twice. */
async function expectToGoOn(): Promise<void> {
  const again = await run(['apply', demo.directory, '--auto-approve'], { env: demo.env });
  expect(again).toMatchObject({ code: 0 });
  expect(await demo.listVms()).toHaveLength(3);
  const plan = await run(['plan', demo.directory, '--detailed-exitcode'], { env: demo.env });
  expect(plan).toMatchObject({ code: 0 });
}

test.each(drawSome(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 1, 'signals'))(
  '%s: waits for what runs, says for what and how long, and exits with 130',
  async (signal) => {
    const first = apply();
    await isUnderWay(first);
    first.child.kill(signal);
    await first.waitFor(/Interrupted: waiting for 3 changes, at most \d+m/);
    demo.release();
    const ended = await first.ended;
    expect(ended.code).toBe(130);
    expect(ended.stdout).toContain('Started and not finished, because the run was interrupted:');
    expect(ended.stdout).toContain('3 not finished');
    await expectToGoOn();
  },
);

test('what waited for its turn is not started', async () => {
  const first = apply('--parallelism', '2');
  await first.waitFor('vms.web[1]: Creating...');
  await demo.hasTaken(2);
  first.child.kill('SIGINT');
  await first.waitFor('Interrupted: waiting for 2 changes');
  demo.release();
  const ended = await first.ended;
  expect(ended.code).toBe(130);
  expect(ended.stdout).toMatch(
    /Not started, because the run was interrupted:\n.*projects\.demo\.vms\.web\[2\]/,
  );
  expect(await demo.listVms()).toHaveLength(2);
  await expectToGoOn();
});

test('a second interrupt ends it at once, and the next run picks up what was under way', async () => {
  const first = apply();
  await isUnderWay(first);
  first.child.kill('SIGINT');
  await first.waitFor('Interrupted: waiting for');
  first.child.kill('SIGTERM');
  const ended = await first.ended;
  demo.release();
  expect(ended.code).toBe(130);
  expect(ended.stdout).not.toContain('Apply');
  await expectToGoOn();
});

test('a terminal that is lost twice still waits', async () => {
  const first = apply();
  await isUnderWay(first);
  first.child.kill('SIGHUP');
  await first.waitFor('Interrupted: waiting for');
  first.child.kill('SIGHUP');
  demo.release();
  expect(await first.ended).toMatchObject({
    code: 130,
    stdout: expect.stringContaining('Apply') as string,
  });
});

test('a reader that goes away is no reason to stop', async () => {
  const first = apply();
  await isUnderWay(first);
  first.child.stdout?.destroy();
  first.child.stderr?.destroy();
  demo.release();
  expect((await first.ended).code).toBe(0);
  const plan = await run(['plan', demo.directory, '--detailed-exitcode'], { env: demo.env });
  expect(plan).toMatchObject({ code: 0 });
});

test.each(drawSome(['--json', '--format json'], 1, 'flags of a long plan'))(
  'a reader that goes away ends a long plan quietly: %s',
  async (flags) => {
    const many = await openDemo(1_000);
    try {
      const plan = start(['plan', many.directory, ...flags.split(' ')], { env: many.env });
      await plan.waitFor('vms.web');
      plan.child.stdout?.destroy();
      expect(await plan.ended).toMatchObject({ code: 0, stderr: '' });
    } finally {
      many.release();
      await many.close();
    }
  },
);

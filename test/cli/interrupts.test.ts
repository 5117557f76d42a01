// Whoever runs an apply goes away in the middle: at a key, at a signal, with the terminal, with the reader of a pipe.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDemo, type Demo } from './demo.ts';
import { run, start, type Started } from './program.ts';

let demo: Demo;
beforeEach(async () => {
  demo = await openDemo(3, 10);
});
afterEach(() => demo.close());

const apply = () => start(['apply', demo.directory, '--auto-approve'], { env: demo.sandbox.env });
/** The VMs are being made. */
const isUnderWay = (first: Started) => first.waitFor('vms.web[2]: Creating...');

/** The next run ends what the first began, and nothing was made twice. */
async function expectToGoOn(): Promise<void> {
  const again = await run(['apply', demo.directory, '--auto-approve'], { env: demo.sandbox.env });
  expect(again).toMatchObject({ code: 0 });
  const { items } = (await demo.sandbox.get('/projects')) as { items: { id: string }[] };
  expect(items).toHaveLength(1);
  const vms = (await demo.sandbox.get(`/projects/${items[0]!.id}/vms`)) as { items: unknown[] };
  expect(vms.items).toHaveLength(3);
  const plan = await run(['plan', demo.directory, '--detailed-exitcode'], {
    env: demo.sandbox.env,
  });
  expect(plan).toMatchObject({ code: 0 });
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s: waits for what runs, says for what and how long, and exits with 130',
  async (signal) => {
    const first = apply();
    await isUnderWay(first);
    first.child.kill(signal);
    await first.waitFor(/Interrupted: waiting for 3 changes, at most \d+m/);
    const ended = await first.ended;
    expect(ended.code).toBe(130);
    expect(ended.stdout).toContain('Begun and not finished, because the run was interrupted:');
    expect(ended.stdout).toContain('3 not finished');
    await expectToGoOn();
  },
);

test('a second interrupt ends it at once, and the next run picks up what was under way', async () => {
  const first = apply();
  await isUnderWay(first);
  first.child.kill('SIGINT');
  await first.waitFor('Interrupted: waiting for');
  first.child.kill('SIGTERM');
  const ended = await first.ended;
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
  expect((await first.ended).code).toBe(0);
  const plan = await run(['plan', demo.directory, '--detailed-exitcode'], {
    env: demo.sandbox.env,
  });
  expect(plan).toMatchObject({ code: 0 });
});

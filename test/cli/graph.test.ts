import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyExample } from './program.ts';
import { runInProcess as run } from './run-in-process.ts';

describe('graph', () => {
  let quickstart: Awaited<ReturnType<typeof copyExample>>;
  const hostwright = (...args: string[]) => run(args, { cwd: quickstart.path });

  beforeAll(async () => {
    quickstart = await copyExample('quickstart');
  });
  afterAll(() => quickstart.remove());

  test.each([
    ['dot', /^digraph hostwright \{[^]*"projects\.demo\.networks\.backend" -> "projects\.demo";/],
    ['mermaid', /^flowchart RL\n {2}subgraph p0\["projects\.demo"\]/],
    ['svg', /<svg[^]*networks\.backend[^]*<\/svg>/],
  ])('is written as %s, the same each time, without an account', async (format, expected) => {
    const once = await hostwright('graph', '--format', format);
    expect(once).toMatchObject({ code: 0, stderr: '' });
    expect(once.stdout).toMatch(expected);
    expect(await hostwright('graph', '--format', format)).toEqual(once);
  });

  test('of a saved plan has its actions', async () => {
    await hostwright('plan', '--out', 'plan.out');
    const { stdout } = await hostwright('graph', '--plan', 'plan.out');
    expect(stdout).toContain('label = "+ networks.backend"');
    const missing = await hostwright('graph', '--plan', 'no.out');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('[plan-file-unreadable]');
  });
});

import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copyExample, run, serve, type ServedSandbox } from './program.ts';

describe('a saved plan', () => {
  let sandbox: ServedSandbox;
  let quickstart: Awaited<ReturnType<typeof copyExample>>;
  const hostwright = (...args: string[]) => run(args, { cwd: quickstart.path, env: sandbox.env });

  beforeAll(async () => {
    sandbox = await serve('--speed', '100');
    quickstart = await copyExample('quickstart');
  });
  afterAll(async () => {
    await sandbox.stop();
    await quickstart.remove();
  });
  beforeEach(async () => {
    await hostwright('destroy', '--auto-approve');
  });

  test('is applied as it was shown, without asking', async () => {
    const planned = await hostwright('plan', '--out', 'plan.out');
    expect(planned.stdout).toContain('hostwright apply "plan.out"');
    const shown = await hostwright('show', 'plan.out');
    expect(shown).toMatchObject({ code: 0 });
    expect(planned.stdout).toContain(shown.stdout.trim());
    const applied = await hostwright('apply', 'plan.out');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain('Apply complete! Resources: 7 added, 0 changed, 0 destroyed.');
    const again = await hostwright('apply', 'plan.out');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('Saved plan is stale');
  });

  test('is readable by its owner alone and holds no token', async () => {
    await hostwright('plan', '--out', 'plan.out');
    const path = join(quickstart.path, 'plan.out');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).not.toContain(sandbox.env.HOSTWRIGHT_TOKEN);
  });

  test('is refused when the account has moved so that another change would follow', async () => {
    await hostwright('apply', '--auto-approve');
    await hostwright('plan', '--destroy', '--out', 'plan.out');
    const { items } = (await sandbox.get('/projects')) as { items: { id: string }[] };
    await fetch(`${sandbox.env.HOSTWRIGHT_BASE_URL ?? ''}/projects/${items[0]?.id ?? ''}/rename`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${sandbox.env.HOSTWRIGHT_TOKEN ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'renamed-outside' }),
    });
    const applied = await hostwright('apply', 'plan.out');
    expect(applied.code).toBe(1);
    expect(applied.stderr).toContain('Saved plan is stale');
    expect(applied.stderr).toContain('projects.demo');
    expect((await hostwright('state', 'list')).stdout.split('\n')).toHaveLength(8);
  });

  test('is refused when it was tampered with, or is none', async () => {
    await hostwright('plan', '--out', 'plan.out');
    const path = join(quickstart.path, 'plan.out');
    await writeFile(path, (await readFile(path, 'utf8')).replace('web-0', 'web-9'));
    const tampered = await hostwright('apply', 'plan.out');
    expect(tampered.code).toBe(1);
    expect(tampered.stderr).toContain('[plan-file-damaged]');
    await writeFile(path, '{}');
    expect((await hostwright('apply', 'plan.out')).stderr).toContain('[not-a-plan-file]');
  });

  test('as JSON follows the published representation', async () => {
    await hostwright('plan', '--out', 'plan.out');
    const json = JSON.parse((await hostwright('show', '--json', 'plan.out')).stdout) as {
      format_version: string;
      resource_changes: { address: string; change: { actions: string[] } }[];
    };
    expect(json.format_version).toBe('1.2');
    expect(json.resource_changes).toHaveLength(7);
    expect(new Set(json.resource_changes.flatMap(({ change }) => change.actions))).toEqual(
      new Set(['create']),
    );
  });
});

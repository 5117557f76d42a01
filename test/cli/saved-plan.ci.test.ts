import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { copyExample } from './program.ts';
import { runInProcess as run, serve, type ServedSandbox } from './run-in-process.ts';
import { expectFailure } from '../support/expect-words.ts';

describe('a saved plan', () => {
  let sandbox: ServedSandbox;
  let quickstart: Awaited<ReturnType<typeof copyExample>>;
  const hostwright = (...args: string[]) => run(args, { cwd: quickstart.path, env: sandbox.env });
  /** With the key that only protected jobs have. */
  const sealing = (...args: string[]) => {
    const env = {
      ...sandbox.env,
      HOSTWRIGHT_PLAN_KEY: 'q3JhbmRvbSBieXRlcyBmb3IgYSBrZXkgb2YgdGVzdHM=',
    };
    return run(args, { cwd: quickstart.path, env });
  };

  /** Somebody changes the account by hand. */
  const change = (path: string, body: object) =>
    fetch(`${sandbox.env.HOSTWRIGHT_BASE_URL ?? ''}${path}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${sandbox.env.HOSTWRIGHT_TOKEN ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    sandbox = await serve('--speed', '100');
    quickstart = await copyExample('quickstart');
  });
  afterAll(async () => {
    await sandbox.stop();
    await quickstart.remove();
  });
  beforeEach(() => hostwright('destroy', '--auto-approve'));

  test('is applied as it was shown, without asking', async () => {
    const planned = await hostwright('plan', '--out', 'plan.out');
    expect(planned.stdout).toContain('hostwright apply "plan.out"');
    const shown = await hostwright('show', 'plan.out');
    expect(shown).toMatchObject({ code: 0 });
    expect(planned.stdout).toContain(shown.stdout.trim());
    const applied = await hostwright('apply', 'plan.out');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain('Apply complete! Resources: 7 added, 0 changed, 0 destroyed.');
    expectFailure(await hostwright('apply', 'plan.out'), 'Saved plan is stale');
  });

  test('takes the place of no file of the user, and says before it is made where it cannot be saved', async () => {
    await writeFile(join(quickstart.path, 'plan.out.tmp'), 'mine');
    expect(await hostwright('plan', '--out', 'plan.out')).toMatchObject({ code: 0 });
    expect(await readFile(join(quickstart.path, 'plan.out.tmp'), 'utf8')).toBe('mine');
    const before = await readdir(quickstart.path);
    for (const place of ['.hostwright', 'none/plan.out']) {
      const { code, stdout, stderr } = await hostwright('plan', '--out', place);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('[plan-file-unwritable]');
    }
    expect(await readdir(quickstart.path)).toEqual(before);
  });

  test('works out what is only known after apply when it is applied, and holds no sensitive value', async () => {
    const main = join(quickstart.path, 'main.yaml');
    const before = await readFile(main, 'utf8');
    await writeFile(
      main,
      `version: 1
service: { sandbox: true }
variables: { word: { default: hunter22, sensitive: true } }
projects:
  late:
    networks:
      front: { name: lan }
      back: { name: 'of-\${projects.late.networks.front.cidr}' }
      hidden: { name: '\${var.word}-\${projects.late.networks.front.cidr}' }
`,
    );
    onTestFinished(() => writeFile(main, before));
    expect((await hostwright('plan', '--out', 'plan.out')).stdout).toContain('(known after apply)');
    expect(await readFile(join(quickstart.path, 'plan.out'), 'utf8')).not.toContain('hunter22');
    expect(await hostwright('apply', 'plan.out')).toMatchObject({ code: 0 });
    expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    await hostwright('destroy', '--auto-approve');
  });

  test('is compared with an older one', async () => {
    await hostwright('plan', '--out', 'older.out');
    const compare = (...args: string[]) => hostwright('show', ...args, '--compare', 'older.out');
    const same = await compare('older.out');
    expect([same.code, same.stdout]).toEqual([0, 'Both plans do the same.\n']);
    await hostwright('plan', '--destroy', '--out', 'newer.out');
    const other = await compare('newer.out', '--json');
    const address = 'projects.demo';
    const action = { kind: 'change', address, field: 'action', was: 'create', is: 'no-op' };
    expect((JSON.parse(other.stdout) as { differences: unknown[] }).differences).toContainEqual(
      expect.objectContaining(action),
    );
    const { stdout } = await compare('newer.out');
    expect(stdout).toContain('  projects.demo: create -> no change\n');
    expect((await compare()).stderr).toContain('[compare-needs-plan]');
    const page = await compare('newer.out', '--format', 'html');
    expect(page.code).toBe(1);
    expect(page.stdout).toContain('[compare-format]');
    expect(page.stderr).toContain('[compare-format]');
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
    await change(`/projects/${items[0]?.id ?? ''}/rename`, { name: 'renamed-outside' });
    const applied = await hostwright('apply', 'plan.out', '--destroy');
    expectFailure(
      applied,
      'Saved plan is stale',
      'projects.demo: name "demo" -> "renamed-outside"',
    );
    expect((await hostwright('state', 'list')).stdout.split('\n')).toHaveLength(8);
  });

  test('is applied when something moved that it does not touch, and says what it finds', async () => {
    await hostwright('apply', '--auto-approve');
    const replace = ['--replace', 'projects.demo.vms.web[0]'];
    await hostwright('plan', ...replace, '--out', 'plan.out');
    const { items } = (await sandbox.get('/projects')) as { items: { id: string }[] };
    const project = `/projects/${items[0]?.id ?? ''}`;
    const vms = (await sandbox.get(`${project}/vms`)) as { items: { id: string; name: string }[] };
    const other = vms.items.find(({ name }) => name === 'web-1')?.id ?? '';
    await change(`${project}/vms/${other}/rename`, { name: 'by-hand' });
    const refused = await hostwright('apply', 'plan.out', ...replace);
    expect(refused.stderr).toContain('projects.demo.vms.web[1]: no change -> update');
    expect(refused.stderr).toContain('projects.demo.vms.web[1]: name "web-1" -> "by-hand"');
    const part = ['--target', 'projects.demo.vms.web[0]', ...replace];
    await hostwright('plan', '--out', 'plan.out', ...part);
    await change(`${project}/vms/${other}/rename`, { name: 'by-hand-again' });
    const applied = await hostwright('apply', 'plan.out', ...part);
    expect(applied.stdout).toContain('Apply complete! Resources: 1 added, 0 changed, 1 destroyed.');
    expect(applied.stderr).toContain('[data-loss]');
    expect(applied.code).toBe(0);
  });

  test('needs nothing of the configuration but that it is there, where it is sealed', async () => {
    const main = join(quickstart.path, 'main.yaml');
    const written = await readFile(main, 'utf8');
    onTestFinished(() => writeFile(main, written));
    await hostwright('plan', '--out', 'plan.out');
    const elsewhere = await run(['apply', join(quickstart.path, 'plan.out')], {
      cwd: join(quickstart.path, 'keys'),
      env: sandbox.env,
    });
    expect(elsewhere.stderr).toContain('[plan-from-elsewhere]');
    await sealing('plan', '--out', 'sealed.out');
    await writeFile(main, 'projects: [broken');
    expect((await hostwright('apply', 'plan.out')).stderr).toContain('[broken-yaml]');
    const applied = await sealing('apply', 'sealed.out');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain('Resources: 7 added, 0 changed, 0 destroyed.');
  });

  test('keeps the variables that it was made with, and asks for the sensitive ones again', async () => {
    const extra = join(quickstart.path, 'variables.yaml');
    const secrets = join(quickstart.path, 'secrets.vars.json');
    await writeFile(
      extra,
      `variables: { env: { type: string }, password: { type: string, sensitive: true } }
projects: { demo: { networks: { inner: { name: "\${var.env}-net" }, outer: { name: "\${var.password}-net" } } } }
`,
    );
    onTestFinished(async () => {
      await rm(extra);
      await rm(secrets, { force: true });
    });
    const password = ['--var', 'password=correct-horse'];
    const saved = await sealing('plan', '--out', 'plan.out', '--var', 'env=prod', ...password);
    expect(saved.stdout).toMatch(/set\s+HOSTWRIGHT_VAR_password\s+in\s+the\s+environment/);
    expect(await readFile(join(quickstart.path, 'plan.out'), 'utf8')).not.toContain('horse');
    const shownVariables = async (...command: string[]) =>
      (JSON.parse((await sealing(...command)).stdout) as { variables: unknown }).variables;
    const variables = { env: { value: 'prod' } };
    expect(await shownVariables('show', '--json', 'plan.out')).toEqual(variables);
    const planJson = ['plan', '--format', 'json', '--var', 'env=prod', ...password];
    expect(await shownVariables(...planJson)).toEqual(variables);
    const without = await sealing('apply', 'plan.out');
    expectFailure(without, '`password`');
    expect(without.stderr).not.toContain('`env`');
    const other = await sealing('apply', 'plan.out', '--var', 'password=other');
    expect(other.stderr).toContain('A sensitive value is no longer the one');
    const ignored = await sealing('apply', 'plan.out', '--var', 'env=test', ...password);
    expectFailure(ignored, '[plan-with-other-options]');
    const applied = await run(['apply', 'plan.out'], {
      cwd: quickstart.path,
      env: {
        ...{ ...sandbox.env, HOSTWRIGHT_VAR_password: 'correct-horse' },
        HOSTWRIGHT_PLAN_KEY: 'q3JhbmRvbSBieXRlcyBmb3IgYSBrZXkgb2YgdGVzdHM=',
      },
    });
    expect(applied.stdout).toContain('Resources: 9 added, 0 changed, 0 destroyed.');
    const shown = await hostwright('state', 'show', 'projects.demo.networks.inner');
    expect(shown.stdout).toContain('"prod-net"');
    await hostwright('destroy', '--auto-approve', '--var', 'env=prod', ...password);
    await writeFile(secrets, '{ "password": "correct-horse" }');
    const files = ['--var', 'env=prod', '--var-file', 'secrets.vars.json'];
    const secret = ' --var-file "secrets.vars.json"';
    for (const [call, flags] of [
      [sealing, secret],
      [hostwright, ` --var env=prod${secret}`],
    ] as const) {
      const again = await call('plan', '--out', 'new.out', ...files);
      const command = `apply "new.out"${flags}`;
      expect(again.stdout).toContain(`    hostwright ${command}\n`);
      const advised = command.replaceAll('"', '').split(' ');
      expect(await call(...advised)).toMatchObject({ code: 0 });
      await hostwright('destroy', '--auto-approve', ...files);
      await rm(join(quickstart.path, 'new.out'));
    }
  });

  test('is applied with none of the flags that would make another one, where it is sealed', async () => {
    await sealing('plan', '--out', 'plan.out');
    const refused = await Promise.all(
      [
        ['--var', 'env=prod'],
        ['--target', 'projects.demo'],
        ['--destroy'],
        ['--refresh-only'],
        ['--adopt'],
      ].map(async (flags) => [flags[0], await sealing('apply', 'plan.out', ...flags)] as const),
    );
    for (const [flag = '', { code, stderr }] of refused) {
      expect(code).toBe(1);
      expect(stderr).toContain(`A saved plan cannot be applied with ${flag}`);
    }
  });

  test('is refused when it was tampered with, or is none', async () => {
    await hostwright('plan', '--out', 'plan.out');
    const path = join(quickstart.path, 'plan.out');
    await writeFile(path, (await readFile(path, 'utf8')).replace('web-0', 'web-9'));
    expectFailure(await hostwright('apply', 'plan.out'), '[plan-file-damaged]');
    await writeFile(join(quickstart.path, 'notes'), '{}');
    expect((await hostwright('apply', 'notes')).stderr).toContain('[not-a-plan-file]');
    const refused = await hostwright('plan', '--out', 'notes');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('[plan-file-unwritable]');
  });
});

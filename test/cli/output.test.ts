import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInProcess as run, serve, type ServedSandbox } from './run-in-process.ts';
import { expectFailure, expectOutput, expectWords } from '../support/expect-words.ts';

const secret = 'correct-horse-battery';
const configuration = (checked: string) => `version: 1
variables: { password: { default: ${secret}, sensitive: true } }
projects: { shop: { publicIps: { edge: {} } } }
outputs:
  webIp: { value: "\${projects.shop.publicIps.edge.address}" }
  about: { value: { name: "\${projects.shop.name}", ports: [80, 443] } }
  password: { value: "\${var.password}/\${projects.shop.publicIps.edge.id}", sensitive: true }
policies:
  hush: { for: publicIps, assert: "var.password != action" }
checks:
  named: { assert: projects.shop.name == "${checked}", message: "It is called \${projects.shop.name}", severity: deny }
`;

describe('outputs', () => {
  let sandbox: ServedSandbox;
  let directory: string;
  const hostwright = (...args: string[]) => run(args, { cwd: directory, env: sandbox.env });
  const configure = (checked: string) =>
    writeFile(join(directory, 'main.yaml'), configuration(checked));

  beforeAll(async () => {
    sandbox = await serve('--speed', '100');
    directory = await mkdtemp(join(tmpdir(), 'hostwright-output-'));
    await configure('shop');
  });
  afterAll(async () => {
    await sandbox.stop();
    await rm(directory, { recursive: true });
  });

  test('are not there before an apply', async () => {
    const none = await hostwright('output');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('No outputs found');
    expect(await hostwright('output', '--json')).toMatchObject({ code: 0, stdout: '{}\n' });
    expectFailure(await hostwright('output', 'webIp'), 'Output "webIp" not found');
  });

  test('are planned, saved, applied and shown', async () => {
    const planned = await hostwright('plan', '--out', 'plan.out');
    expectWords(planned.stdout, 'Changes to Outputs:', '+ webIp    = (known after apply)');
    const applied = await hostwright('apply', 'plan.out');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toMatch(
      /Apply complete![^\n]*\n\nOutputs:\n\nabout = \{\n[^]*password = <sensitive>\nwebIp = "/,
    );
    const all = await hostwright('output');
    expect(all.stdout).toMatch(/^about = \{\n[^]*password = <sensitive>\nwebIp = "[\d.]+"\n$/);
    const json = JSON.parse((await hostwright('output', '--json')).stdout) as Record<
      string,
      object
    >;
    expect(json.webIp).toEqual({
      sensitive: false,
      type: 'string',
      value: expect.any(String) as string,
    });
    expect(json.password).toEqual({ sensitive: true });
    expect(json.about).toMatchObject({
      type: ['object', { ports: ['tuple', ['number', 'number']] }],
    });
    expect((await hostwright('show')).stdout).toContain('Outputs:\n\nabout = {');
    expect((await hostwright('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('are given one by one', async () => {
    expect((await hostwright('output', 'webIp')).stdout).toMatch(/^"[\d.]+"\n$/);
    expect((await hostwright('output', '--raw', 'webIp')).stdout).toMatch(/^[\d.]+$/);
    expect((await hostwright('output', '--json', 'about')).stdout).toContain('"name": "shop"');
    const raw = await hostwright('output', '--raw', 'about');
    expect(raw).toMatchObject({ code: 1, stdout: '' });
    expect(raw.stderr).toContain('--raw prints no lists or maps');
    const missing = await hostwright('output', 'webip');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('Did you mean "webIp"?');
    expect((await hostwright('output', '--raw')).stderr).toContain('--raw needs the name');
    expect((await hostwright('output', '--raw', '--json', 'webIp')).stderr).toContain('exclude');
  });

  test('that are sensitive are shown by name, and stand in no file', async () => {
    const shown = await hostwright('output', 'password');
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(new RegExp(`^"${secret}/.+"\\n$`));
    await hostwright('plan', '--out', 'plan.out');
    const files = (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile() && file.name !== 'main.yaml')
      .map((file) => join(file.parentPath, file.name));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(await readFile(file, 'utf8'), file).not.toContain(secret);
  });

  test('alone are a change; a check that must hold fails the apply', async () => {
    const text = configuration('another').replace('443]', '8080]');
    await writeFile(join(directory, 'main.yaml'), text);
    const planned = await hostwright('plan', '--detailed-exitcode');
    expect(planned.code).toBe(2);
    expect(planned.stdout).toContain('save these new output values');
    expect(planned.stdout).toContain('Check named: It is called shop [check-failed]');
    const applied = await hostwright('apply', '--auto-approve');
    expect(applied.code).toBe(1);
    expect(applied.stdout).toContain('Error: Check named: It is called shop');
    expect((await hostwright('output', '--json', 'about')).stdout).toContain('8080');
  });

  test('go when everything is destroyed', async () => {
    const destroyed = await hostwright('destroy', '--auto-approve');
    expectOutput(destroyed, '- password = (sensitive value) -> null');
    expect((await hostwright('output', '--json')).stdout).toBe('{}\n');
  });
});

// A service that spells the contract otherwise, through a contract file: plan, apply, and what happens when the file changes.
import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from '../support/open-folder.ts';
import { runInProcess, serve } from './run-in-process.ts';

const dialect = resolve(import.meta.dirname, '../scenario/dialects/flat.contract.yaml');
const yaml = (more: string) => `version: 1
service:
${more}
projects:
  shop:
    networks: { lan: {} }
    vms:
      web: { image: ubuntu-24.04, configuration: c1-r1-d20, tariff: monthly, networks: [lan] }
`;

async function open(service: (baseUrl: string) => string) {
  const sandbox = await serve('--speed', '1000', '--contract', dialect);
  const folder = await openFolder('contract');
  await copyFile(dialect, join(folder, 'hosting.contract.yaml'));
  const { HOSTWRIGHT_BASE_URL = '', ...env } = sandbox.env;
  await writeFile(join(folder, 'main.yaml'), yaml(service(HOSTWRIGHT_BASE_URL)));
  const run = (args: string, more: Record<string, string> = {}) =>
    runInProcess(args.split(' '), { cwd: folder, env: { ...env, ...more } });
  return { folder, run, sandbox };
}

it('plans and applies in the spelling that the configuration names', async () => {
  const { folder, run, sandbox } = await open(
    (url) => `  baseUrl: ${url}\n  contract: hosting.contract.yaml`,
  );
  expect((await run('apply --auto-approve')).code).toBe(0);
  expect(await run('plan --detailed-exitcode')).toMatchObject({ code: 0 });

  const file = join(folder, 'hosting.contract.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, `# Another comment spells nothing.\n${text}`);
  expect((await run('plan --detailed-exitcode')).code).toBe(0);
  await writeFile(file, text.replace('ram: /memory', 'ram: /ramOfVm'));
  const moved = await run('plan');
  expect(moved.code).toBe(1);
  expect(moved.stderr).toContain('Other now: fields.vm.ram.');
  expect(moved.stderr).toContain('--allow-other-contract');
  expect((await run('plan --allow-other-contract')).stderr).toContain('was spelled otherwise');
  await writeFile(join(folder, 'main.yaml'), yaml(`  baseUrl: ${sandbox.env.HOSTWRIGHT_BASE_URL}`));
  expect((await run('plan')).stderr).toContain('Other now: answers.createProject,');
  await sandbox.stop();
});

it('takes the file of the environment first, and of one content alone where it says so', async () => {
  const { folder, run, sandbox } = await open(
    (url) => `  baseUrl: ${url}\n  contract: none.contract.yaml`,
  );
  const missing = await run('plan');
  expect(missing.stderr).toContain('The contract file none.contract.yaml cannot be read');
  await writeFile(join(folder, 'main.yaml'), yaml(`  baseUrl: ${sandbox.env.HOSTWRIGHT_BASE_URL}`));
  const sha256 = createHash('sha256')
    .update(await readFile(dialect))
    .digest('hex');
  const given = (contract: string) => run('plan', { HOSTWRIGHT_CONTRACT: contract });
  expect((await given(`${dialect}@sha256:${sha256}`)).code).toBe(0);
  const other = await given(`${dialect}@sha256:${'0'.repeat(64)}`);
  expect(other.code).toBe(1);
  expect(other.stderr.replaceAll(/\s*│?\n│?\s*/g, ' ')).toContain(`Its SHA-256 is ${sha256}`);
  await sandbox.stop();
});

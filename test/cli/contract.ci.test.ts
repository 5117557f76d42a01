// A service that spells the contract otherwise, through a contract file: plan, apply, and what happens when the file changes.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Binding } from '../../src/model/account/binding.ts';
import { buildDialectDocument } from '../support/dialects/build-dialect-document.ts';
import { openFolder } from '../support/open-folder.ts';
import { runInProcess, serve } from './run-in-process.ts';
import { expectFailure } from '../support/expect-words.ts';

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
  // An export is read in the same spelling.
  expect((await run('export --all')).stdout).toContain('  contract: hosting.contract.yaml\n');
  await run('export --all --out found');
  const found = await readFile(join(folder, 'found/main.yaml'), 'utf8');
  expect(found).toContain('  contract: ../hosting.contract.yaml\n');
  expect((await run('plan found --allow-outside-files')).stdout).toContain(
    'Plan: 3 to import, 0 to add,',
  );

  const file = join(folder, 'hosting.contract.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, `# Another comment spells nothing.\n${text}`);
  expect((await run('plan --detailed-exitcode')).code).toBe(0);
  await writeFile(file, text.replace('ram: /memory', 'ram: /ramOfVm'));
  expectFailure(await run('plan'), 'Other now: fields.vm.ram.', '--allow-other-contract');
  expect((await run('plan --allow-other-contract')).stderr).toContain('was spelled otherwise');
  await writeFile(join(folder, 'main.yaml'), yaml(`  baseUrl: ${sandbox.env.HOSTWRIGHT_BASE_URL}`));
  expect((await run('plan')).stderr).toContain('Other now: answers.createProject,');
  await sandbox.stop();
});

it('is a part of a saved plan: with another file, nobody has approved it', async () => {
  const { folder, run, sandbox } = await open(
    (url) => `  baseUrl: ${url}\n  contract: hosting.contract.yaml`,
  );
  const file = join(folder, 'hosting.contract.yaml');
  const text = await readFile(file, 'utf8');
  await run('plan --out a.hwp');
  await run('plan --out b.hwp');
  expect((await run('show b.hwp --compare a.hwp')).stdout).toContain('Both plans do the same.');
  const other = `# Whoever approved the plan has not read this.\n${text}`;
  await writeFile(file, other);
  expectFailure(
    await run('apply a.hwp'),
    'Saved plan is stale',
    'The contract file is not the one',
  );
  await run('plan --out c.hwp');
  const digest = (content: string) => createHash('sha256').update(content).digest('hex');
  expect((await run('show c.hwp --compare a.hwp')).stdout).toContain(
    `contract file: "sha256:${digest(text)}" -> "sha256:${digest(other)}"`,
  );
  expect(await run('apply c.hwp')).toMatchObject({ code: 0 });
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

const plain = resolve(import.meta.dirname, '../scenario/dialects/plain.contract.yaml');

/** A folder with the OpenAPI document of a service that other words are spelled by. */
async function openDocument() {
  const folder = await openFolder('bind');
  const binding = parse(await readFile(plain, 'utf8')) as Binding;
  const document = buildDialectDocument(binding, { id: (operation) => operation });
  await writeFile(join(folder, 'service.json'), JSON.stringify(document));
  const run = (args: string, env: Record<string, string> = {}) =>
    runInProcess(args.split(' '), { cwd: folder, env });
  const file = join(folder, 'hosting.contract.yaml');
  const read = async () => parse(await readFile(file, 'utf8')) as Binding;
  return { folder, document, run, file, read, binding };
}

it('is bound from a document, and what people write there survives the next time', async () => {
  const { run, file, read, binding } = await openDocument();
  const bound = await run('contract bind service.json --json');
  expect(bound).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(bound.stdout)).toMatchObject({ questions: [], diagnostics: [], faults: [] });
  const { document, ...lines } = await read();
  expect(document?.file).toBe('service.json');
  expect(document?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(lines.operations).toEqual(binding.operations);
  expect(lines.enums).toEqual(binding.enums);

  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace('completedAt: /endedAt }', 'completedAt: /mine } # asked them'),
  );
  expect((await run('contract bind service.json')).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('completedAt: /mine } # asked them');
});

it('asks about what a document leaves open, and ends with 2', async () => {
  const { folder, document, run, read } = await openDocument();
  const { paths } = document;
  const cancel = '/sales/{saleId}/renewal/cancel';
  const { [cancel]: item, ...others } = paths;
  const both = { ...others, '/sales/{saleId}/end': item, '/sales/{saleId}/termination': item };
  await writeFile(join(folder, 'service.json'), JSON.stringify({ ...document, paths: both }));
  const bound = await run('contract bind service.json');
  expect(bound).toMatchObject({ code: 2, stderr: '' });
  expect(bound.stdout).toContain('Open. In hosting.contract.yaml, write in place');
  expect((await read()).operations?.cancelSaleRenewal).toBe('open');

  // A line that the document answers later is open no more, in the file as in what is printed.
  await writeFile(join(folder, 'service.json'), JSON.stringify(document));
  expect((await run('contract bind service.json')).code).toBe(0);
  expect((await read()).operations).not.toHaveProperty('cancelSaleRenewal');
  await writeFile(join(folder, 'service.json'), 'no document');
  expect((await run('contract bind service.json')).code).toBe(1);
});

it('leaves open what it may not bind, with the reason, and writes a file that can be read', async () => {
  const { folder, document, run, file, read } = await openDocument();
  const text = JSON.stringify(document).replaceAll('/start"', '/start;now"');
  const [, path = ''] = /"([^"]*\/start);now"/.exec(text) ?? [];
  await writeFile(join(folder, 'service.json'), text);
  const bound = await run('contract bind service.json');
  expect([bound.code, bound.stderr]).toEqual([2, '']);
  expect((await read()).operations).toMatchObject({ startVm: 'open' });
  expect(await readFile(file, 'utf8')).toMatch(
    /startVm: open # startVm cannot be bound to .*;now: /,
  );
  // A line that a person wrote stays, and is told of.
  const written = (await readFile(file, 'utf8')).replace(
    /startVm: open.*/,
    `startVm: POST ${path};now`,
  );
  await writeFile(file, written);
  const again = await run('contract bind service.json');
  expect(again.stdout + again.stderr).toContain('startVm cannot be bound to');
  expect((await read()).operations).toMatchObject({ startVm: `POST ${path};now` });
});

it('is held against its document and the account, and looked for where there is no document', async () => {
  const { folder, run, file } = await openDocument();
  await run('contract bind service.json');
  const sandbox = await serve('--speed', '1000', '--contract', plain);
  await writeFile(join(folder, 'main.yaml'), yaml(`  baseUrl: ${sandbox.env.HOSTWRIGHT_BASE_URL}`));
  const env = { ...sandbox.env, HOSTWRIGHT_CONTRACT: 'hosting.contract.yaml' };
  expect((await run('apply --auto-approve', env)).code).toBe(0);
  const checked = await run('contract check', env);
  expect(checked.stdout).toMatch(/listVms +1 record/);
  expect(checked.code).toBe(0);
  const evidence = async () => {
    const { stdout } = await run('contract show --json', env);
    const { lines } = JSON.parse(stdout) as { lines: { line: string; evidence: string }[] };
    return new Map(lines.map((one) => [one.line, one.evidence]));
  };
  const observed = ['listVms', 'listImages'].map((name) => `operations.${name}`);
  observed.push('fields.vm.imageId', 'fields.vmNetwork.networkId', 'enums.vmBootStatus.Running');
  const known = await evidence();
  expect(observed.map((line) => [line, known.get(line)])).toEqual(
    observed.map((line) => [line, 'observed']),
  );
  expect(known.get('operations.deleteVm')).toBe('confirmed');
  // Evidence of answers survives the next bind, and says nothing of another spelling.
  await run('contract bind service.json');
  expect((await evidence()).get('fields.vm.imageId')).toBe('observed');
  const spelled = await readFile(file, 'utf8');
  await writeFile(file, spelled.replaceAll('imageId: /osImageId', 'imageId: /picture'));
  expect((await evidence()).get('fields.vm.imageId')).toBe('confirmed');
  await writeFile(file, spelled);
  await mkdir(join(folder, 'hosting'));
  await copyFile(join(folder, 'main.yaml'), join(folder, 'hosting/main.yaml'));
  await run('contract bind service.json --out hosting/a.contract.yaml');
  const beside = { ...env, HOSTWRIGHT_CONTRACT: 'hosting/a.contract.yaml' };
  expect((await run('contract check hosting', beside)).stdout).not.toContain('contract-document');
  const document = await readFile(join(folder, 'service.json'), 'utf8');
  await writeFile(join(folder, 'service.json'), `${document} `);
  const changed = await run('contract check hosting', beside);
  expect(changed.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Run "hostwright contract bind service.json --out hosting/a.contract.yaml"',
  );

  await writeFile(join(folder, 'service.json'), document);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('imageId: /osImageId', 'imageId: /picture'));
  const wrong = await run('contract check', { ...env, HOSTWRIGHT_ALLOW_OTHER_CONTRACT: '1' });
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(/untold: imageId/);
  expect(wrong.stdout).toContain('createVm is not as the document has it');

  const probed = await run('contract probe --out probed.contract.yaml', {
    ...sandbox.env,
    HOSTWRIGHT_ALLOW_OTHER_CONTRACT: '1',
  });
  expect(probed.stdout).toContain('listConfigurations  GET /vm-sizes');
  const found = parse(await readFile(join(folder, 'probed.contract.yaml'), 'utf8')) as Binding;
  expect(found.lists?.listVms).toEqual({
    ...{ items: '/results', total: '/total', page: { by: 'page', page: 'pageNumber' } },
  });
  expect(found.fields?.vm).toMatchObject({ imageId: '/osImageId', configurationId: '/size/id' });
  // Its VM has no SSH key: an empty list is none that the service lacks.
  expect(found.fields?.vm).not.toHaveProperty('sshKeyIds');
  expect(found.fields?.vm).not.toHaveProperty('plugins');
  await sandbox.stop();
});

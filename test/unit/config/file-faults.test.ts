import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/config/load-configuration.ts';
import { inShop, listFaults, loadFiles, loadText, publicKey, vmFields } from './load.ts';

let room = '';
beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'hostwright-files-'));
});
afterAll(() => rm(room, { recursive: true }));

const load = (directory: string) => loadConfiguration({ directory, workingDirectory: room });

describe('directories', () => {
  it('that do not exist', async () => {
    const { diagnostics, configuration } = await load('nowhere');
    expect(configuration).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: 'directory-not-found', summary: 'There is no directory nowhere' },
    ]);
  });

  it('that are files', async () => {
    await writeFile(join(room, 'plan'), '');
    expect((await load('plan')).diagnostics).toMatchObject([
      { code: 'not-a-directory', summary: 'plan is a file, not a directory' },
    ]);
  });

  it('with a name that no system takes', async () =>
    expect(listFaults(await load('a\0b'))).toEqual(['directory-unreadable']));

  it('without a YAML file', async () => {
    await mkdir(join(room, 'empty/sub.yaml'), { recursive: true });
    expect((await load('empty')).diagnostics).toMatchObject([
      {
        code: 'no-configuration',
        summary: 'There is no configuration in empty',
        hint: expect.stringContaining('hostwright init') as string,
      },
    ]);
    expect((await load('empty/sub.yaml')).diagnostics).toMatchObject([
      { code: 'no-configuration', summary: 'There is no configuration in empty/sub.yaml' },
    ]);
  });

  it('whose only YAML file is given for variables', async () => {
    await mkdir(join(room, 'values'));
    await writeFile(join(room, 'values/main.yaml'), 'a: 1\n');
    const given = [{ file: 'values/main.yaml' }];
    const { diagnostics } = await loadConfiguration({
      ...{ directory: 'values', workingDirectory: room, variables: { given } },
    });
    expect(diagnostics[0]).toMatchObject({
      code: 'no-configuration',
      detail:
        'It holds no *.yaml or *.yml file but for values/main.yaml, which --var-file takes for values of variables.',
    });
  });

  it('called . when it is the working directory', async () => {
    const directory = join(room, 'empty');
    const { diagnostics } = await loadConfiguration({ directory, workingDirectory: directory });
    expect(diagnostics[0]!.summary).toBe('There is no configuration in .');
  });
});

describe('files', () => {
  it('that cannot be read', async () => {
    await mkdir(join(room, 'links'));
    await symlink('nowhere', join(room, 'links/a.yaml'));
    await writeFile(join(room, 'links/b.yaml'), inShop('networks: { n: 5 }'));
    const result = await load('links');
    expect(listFaults(result)).toEqual(['file-unreadable', 'links/b.yaml:4:20 wrong-type']);
    expect(result.diagnostics[0]!.summary).toBe('links/a.yaml cannot be read (ENOENT)');
  });

  it('that are not UTF-8', async () => {
    const bytes = Uint8Array.of(...Buffer.from('version: 1\nprojects: { sh'), 0xff, 0x0a);
    const result = await loadFiles({ 'a.yaml': bytes });
    expect(listFaults(result)).toEqual(['a.yaml:2:15 not-utf8']);
  });

  it('with a byte order mark and the line ends of Windows', async () => {
    const result = await loadText('\ufeffversion: 1\r\nprojects:\r\n  shop: { nam: x }\r\n');
    expect(listFaults(result)).toEqual(['a.yaml:3:11 unknown-key']);
    expect(result.diagnostics[0]!.source!.frame).not.toContain('\r');
  });
});

describe('public keys', () => {
  const given = (field: string) => inShop(`sshKeys:\n  a: { ${field} }`);
  const rest = publicKey.split(' ')[1]!;

  it.each([
    ['a file that is not there', 'publicKeyFile: no.pub', 'key-file-unreadable', 'no such file'],
    ['a directory', 'publicKeyFile: .', 'key-file-unreadable', 'It is a directory, not a file.'],
    ['a path with ~', 'publicKeyFile: ~/a.pub', 'key-file-unreadable', '~ is not expanded'],
    ['a path of no system', 'publicKeyFile: "a\\0b"', 'key-file-unreadable', 'The system says'],
    ['a key for a path', `publicKeyFile: ${publicKey}`, 'invalid-public-key', 'instead of a path'],
    ['several lines for a path', 'publicKeyFile: "a\\nb"', 'invalid-public-key', 'several lines'],
    ['another type', `publicKey: ssh-rsa ${rest}`, 'invalid-public-key', 'not a key of this type'],
    ['an unknown type', `publicKey: ssh-x ${rest}`, 'invalid-public-key', 'known type'],
    ['no type', 'publicKey: AAAA', 'invalid-public-key', 'known type'],
    ['nothing behind the type', 'publicKey: ssh-ed25519', 'invalid-public-key', 'a part of it'],
    ['no base64', 'publicKey: ssh-ed25519 AAAA…', 'invalid-public-key', 'a part of it'],
    ['a certificate', 'publicKey: "-----BEGIN CERTIFICATE-----"', 'invalid-public-key', 'OpenSSH'],
    ['PEM', 'publicKey: "-----BEGIN RSA PUBLIC KEY-----"', 'invalid-public-key', 'ssh-keygen -i'],
  ])('%s', async (_name, field, code, words) => {
    const { diagnostics } = await loadText(given(field));
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
    const [{ summary, detail, hint, address, source }] = diagnostics as [(typeof diagnostics)[0]];
    expect([summary, detail, hint].join('\n')).toContain(words);
    expect(address).toBe('projects.shop.sshKeys.a');
    expect(source).toMatchObject({ line: 5, column: field.indexOf(': ') + 14 });
  });

  it('in files that are empty or too large', async () => {
    const result = await loadFiles({
      'a.yaml': inShop(
        'sshKeys: { a: { publicKeyFile: a.pub }, b: { publicKeyFile: b.pub }, c: { publicKeyFile: a.pub } }',
      ),
      'a.pub': '\n',
      'b.pub': 'x'.repeat(70_000),
    });
    expect(result.diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
      ['invalid-public-key', 'It is empty.'],
      ['key-file-unreadable', 'It is larger than 65536 bytes.'],
      ['invalid-public-key', 'It is empty.'],
    ]);
  });

  const secret = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ';
  const pem = ['-----BEGIN OPENSSH PRIVATE KEY-----', secret, '-----END OPENSSH PRIVATE KEY-----'];
  const putty = [
    'PuTTY-User-Key-File-3: ssh-ed25519',
    'Private-Lines: 1',
    secret,
    'Private-MAC: x',
  ];

  it.each(
    // prettier-ignore
    [
      ['in a file', { 'a.yaml': given('publicKeyFile: id'), id: pem.join('\n') }],
      ['of PuTTY in a file', { 'a.yaml': given('publicKeyFile: id'), id: putty.join('\n') }],
      ['as text', { 'a.yaml': inShop(`sshKeys:\n  a:\n    publicKey: |\n      ${pem.join('\n      ')}`) }],
      ['as a path', { 'a.yaml': given(`publicKeyFile: "${pem.join('\\n')}"`) }],
      ['without its frame', { 'a.yaml': given(`publicKey: ${secret}`) }],
      ['of PuTTY as text', { 'a.yaml': inShop(`sshKeys:\n  a:\n    publicKey: |\n      ${putty.join('\n      ')}`) }],
    ],
  )('that are private, %s: nothing of them is shown', async (_name, files) => {
    const result = await loadFiles(files);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['private-key-given']);
    expect(JSON.stringify(result)).not.toContain(secret.slice(4));
  });

  it('of every type are taken', async () => {
    const encode = (type: string) =>
      Buffer.concat([Buffer.from([0, 0, 0, type.length]), Buffer.from(type), Buffer.alloc(40)]);
    const types = ['ssh-rsa', 'ecdsa-sha2-nistp256', 'sk-ssh-ed25519@openssh.com'];
    const keys = types.map((type, index) => {
      return `  k${index}: { publicKey: '${type} ${encode(type).toString('base64')}' }`;
    });
    const { diagnostics } = await loadText(inShop(`sshKeys:\n${keys.join('\n')}`));
    expect(diagnostics).toEqual([]);
  });
});

it('reads a file that root alone may read as unreadable', async () => {
  // Root reads everything: there the fault cannot be made.
  if (process.getuid?.() === 0) return;
  await mkdir(join(room, 'closed'));
  await writeFile(join(room, 'closed/a.yaml'), 'version: 1\n');
  await chmod(join(room, 'closed/a.yaml'), 0);
  expect(listFaults(await load('closed'))).toEqual(['file-unreadable']);
});

describe('what could not be read', () => {
  const main = inShop(
    `vms: { web: { ${vmFields}, name: "\${local.a}-\${var.b}", networks: [c] } }`,
  );

  const elsewhere = `${main}guards: { maxDeletes: x }\n`;
  const useless = 'version: 1\nprojects: { shop: { vms: { web: *base } } }\n';
  it.each([
    ['a file', main, 'locals: { a: [1\n', ['b.yaml:1:14 broken-yaml']],
    ['a conflict', `${main}<<<<<<< a\n>>>>>>> b\n`, '', ['a.yaml:5:1 broken-yaml']],
    ['an alias without its anchor', useless, main.slice(11), ['a.yaml:2:33 invalid-alias']],
    ['a list', main, '- a\n', ['b.yaml:1:1 wrong-type']],
    [
      'a file of another tool',
      main,
      'services: { a: { image: b } }\n',
      ['b.yaml:1:1 foreign-file'],
    ],
    [
      'a file, and what is wrong elsewhere',
      elsewhere,
      'locals: "\n',
      ['a.yaml:5:23 wrong-type', 'b.yaml:1:9 broken-yaml'],
    ],
  ])('is reported, and nothing that it may hold is missed: %s', async (_what, a, b, faults) => {
    expect(listFaults(await loadFiles({ 'a.yaml': a, 'b.yaml': b }))).toEqual(faults);
  });

  it('a directory of Terraform says where its blocks are translated', async () => {
    const { diagnostics } = await loadFiles({ 'main.tf': 'terraform {}\n' });
    expect(diagnostics).toMatchObject([{ code: 'no-configuration' }]);
    expect(diagnostics[0]?.detail).toContain('docs/from-terraform.md');
  });
});

it('a cycle through modules names them', async () => {
  const inner = 'variables: { x: {} }\noutputs: { out: { value: "${var.x}" } }\n';
  const { diagnostics } = await loadFiles({
    'a.yaml': `version: 1
modules:
  a: { source: ./a, variables: { x: "\${modules.b.outputs.out}" } }
  b: { source: ./a, variables: { x: "\${modules.a.outputs.out}" } }
`,
    'a/a.yaml': inner,
  });
  const [cycle] = diagnostics.filter(({ code }) => code === 'reference-cycle');
  expect(cycle?.detail).toContain('`modules.a.outputs.out`');
  expect(cycle?.detail).toContain('`modules.b.outputs.out`');
});

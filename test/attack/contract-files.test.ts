// Files that a pull request brings along with a contract file: what is read, and what is written over.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordObservedContractLines } from '../../src/commands/contract/record-observed.ts';
import {
  writeContractFactsText,
  writeContractTexts,
} from '../../src/commands/contract/write-contract.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { openFolder } from '../support/open-folder.ts';

const mine = 'alias ll="ls -l"\n';
const paths = { '/projects': { get: { responses: { 200: { description: 'ok' } } } } };
const document = JSON.stringify({ openapi: '3.0.0', info: { title: 'x', version: '1' }, paths });

let room = '';
beforeEach(async () => {
  room = await openFolder('attack');
  await put('mine.txt', mine);
  await put('hosting/service.json', document);
  await put(
    'hosting/main.yaml',
    'version: 1\nservice: { sandbox: true, contract: a.contract.yaml }\n',
  );
  await put('hosting/a.contract.yaml', 'version: 1\n');
});

const at = (name: string) => join(room, name);
const read = (name: string) => readFile(at(name), 'utf8');
async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(at(name)), { recursive: true });
  await writeFile(at(name), text);
}
async function hostwright(args: string) {
  const { code, stdout, stderr } = await runInProcess(args.split(' '), { cwd: at('hosting') });
  const said = (stdout + stderr).replaceAll(/\s+/g, ' ');
  expect(said).not.toContain('bug in Hostwright');
  return { code, said };
}

describe('a link in the place of what is written', () => {
  it.each(['../mine.txt', '../none.txt', '/dev/full'])(
    'is not followed by check: %s',
    async (to) => {
      await symlink(to, at('hosting/a.contract.json'));
      const { said } = await hostwright('contract check');
      expect(said).toContain('[contract-unwritable]');
      expect(said).toContain('a.contract.json cannot be written');
      expect(await read('mine.txt')).toBe(mine);
      await expect(stat(at('none.txt'))).rejects.toThrow('ENOENT');
    },
  );

  it.each(['hosting.contract.json', 'hosting.contract.yaml'])('nor by bind: %s', async (name) => {
    await symlink('../mine.txt', at(`hosting/${name}`));
    const { code, said } = await hostwright('contract bind service.json');
    expect(code).toBe(1);
    expect(said).toContain('It is a link, not a file.');
    expect(await read('mine.txt')).toBe(mine);
  });

  it('nor by probe', async () => {
    await symlink('../none.txt', at('hosting/new.contract.yaml'));
    const { code, said } = await hostwright('contract probe --out new.contract.yaml');
    expect(code).toBe(1);
    expect(said).toContain('new.contract.yaml exists already');
    await expect(stat(at('none.txt'))).rejects.toThrow('ENOENT');
  });
});

describe('a bind', () => {
  it.each(['service.yaml', 'service.json'])('leaves its document alone: --out %s', async (out) => {
    const { code, said } = await hostwright(`contract bind service.json --out ${out}`);
    expect(code).toBe(1);
    expect(said).toMatch(
      /There is a file that Hostwright did not write|service.json is no contract/,
    );
    expect(await read('hosting/service.json')).toBe(document);
    await expect(stat(at('hosting/service.yaml'))).rejects.toThrow('ENOENT');
  });

  it('writes into no configuration, and into a contract file that has no lines yet', async () => {
    const configuration = 'version: 1\nprojects: { shop: {} }\n';
    await put('hosting/account.yaml', configuration);
    const { code, said } = await hostwright('contract bind service.json --out account.yaml');
    expect(code).toBe(1);
    expect(said).toContain('account.yaml is no contract file');
    expect(await read('hosting/account.yaml')).toBe(configuration);
    await put('hosting/fresh.yaml', 'version: 1\n');
    expect((await hostwright('contract bind service.json --out fresh.yaml')).code).toBe(2);
  });

  it('writes over its own facts, and over no other file of their name', async () => {
    expect((await hostwright('contract bind service.json')).code).toBe(2);
    expect((await hostwright('contract bind service.json')).code).toBe(2);
    await put('hosting/hosting.contract.json', '{"version":2}');
    expect((await hostwright('contract bind service.json')).code).toBe(1);
    expect(await read('hosting/hosting.contract.json')).toBe('{"version":2}');
  });
});

describe('a contract file that is edited', () => {
  const file = () => at('hosting/hosting.contract.yaml');

  it('keeps its mode and that of its facts, and a new one is read by all', async () => {
    await hostwright('contract bind service.json');
    const paths = [file(), at('hosting/hosting.contract.json')];
    const modes = () => Promise.all(paths.map(async (one) => (await stat(one)).mode & 0o777));
    expect(await modes()).toEqual([0o644, 0o644]);
    for (const one of paths) await chmod(one, 0o600);
    await hostwright('contract bind service.json');
    expect(await modes()).toEqual([0o600, 0o600]);
  });

  it('is left alone where somebody has edited or made it since it was read', async () => {
    const first = { contract: 'first\n', facts: '{"version":1}' };
    const second = { contract: 'second\n', facts: '{"version":1,"required":[]}' };
    const both = async () => ({
      contract: await read('hosting/hosting.contract.yaml'),
      facts: await read('hosting/hosting.contract.json'),
    });
    await writeContractTexts(file(), first, { contract: undefined, facts: undefined });
    for (const [name, former] of [
      ['yaml', { ...first, contract: undefined }],
      ['yaml', { ...first, contract: 'other\n' }],
      ['json', { ...first, facts: undefined }],
      ['json', { ...first, facts: '{}' }],
    ] as const) {
      const writing = writeContractTexts(file(), second, former);
      await expect(writing).rejects.toMatchObject({
        diagnostics: [
          {
            summary: at(`hosting/hosting.contract.${name}`) + ' cannot be written',
            detail: 'It was edited while this ran. Nothing was written.',
          },
        ],
      });
      expect(await both()).toEqual(first);
    }
    await writeContractTexts(file(), second, first);
    expect(await both()).toEqual(second);
  });

  it('has facts that are left alone where somebody has edited or made them since they were read', async () => {
    const facts = 'hosting/hosting.contract.json';
    await writeContractFactsText(file(), '{"version":1}', undefined);
    for (const former of [undefined, '{}']) {
      const writing = writeContractFactsText(file(), '{"version":1,"required":[]}', former);
      expect(await writing.catch(String)).toContain('hosting.contract.json cannot be written');
    }
    expect(await read(facts)).toBe('{"version":1}');
    await writeContractFactsText(file(), '{"version":1,"required":[]}', '{"version":1}');
    expect(await read(facts)).toBe('{"version":1,"required":[]}');
  });

  it('has facts whose edit while they are recorded is kept, and said', async () => {
    const facts = at('hosting/hosting.contract.json');
    await writeFile(facts, '{"version":1}');
    const edited = '{"version":1,"observed":{"operations.getVm":"GET /servers/{vmId}"}}';
    const lines = (function* () {
      // By now the facts were read.
      writeFileSync(facts, edited);
      yield 'operations.listVms';
    })();
    const binding = { version: 1, operations: { listVms: 'GET /servers' } } as const;
    const fault = await recordObservedContractLines(file(), binding, lines);
    expect(fault).toMatchObject({ severity: 'warning', code: 'contract-unwritable' });
    expect(await readFile(facts, 'utf8')).toBe(edited);
    expect(await recordObservedContractLines(file(), binding, ['operations.listVms'])).toBe(
      undefined,
    );
    const { observed } = JSON.parse(await readFile(facts, 'utf8')) as { observed: object };
    expect(Object.keys(observed)).toEqual(['operations.getVm', 'operations.listVms']);
  });
});

describe('the contract file that HOSTWRIGHT_CONTRACT or --contract names', () => {
  const commands = ['contract show', 'sandbox --port 0 --contract named.contract.yaml'];
  const named = async () => {
    const env = { HOSTWRIGHT_CONTRACT: 'named.contract.yaml' };
    const runs = commands.map((one) =>
      runInProcess(one.split(' '), { cwd: at('hosting'), env: one.includes('show') ? env : {} }),
    );
    const ran = await Promise.all(runs);
    expect(ran.map(({ code }) => code)).toEqual([1, 1]);
    return ran.map(({ stderr }) => stderr.replaceAll(/\s*│?\s+/g, ' '));
  };

  it.each(['../s.yaml', '/dev/zero'])('is no link to %s', async (to) => {
    await put('s.yaml', 'secret: hw_Zx9\n');
    await symlink(to, at('hosting/named.contract.yaml'));
    for (const said of await named()) {
      expect(said).toContain('which cannot be read: it is outside of the directory');
      expect(said).not.toContain('hw_Zx9');
    }
  });

  it('is no larger than any', async () => {
    await put('hosting/named.contract.yaml', `version: 1\n#${'x'.repeat(262_144)}\n`);
    for (const said of await named()) expect(said).toContain('it is larger than 262144 bytes');
  });

  it('may be a link wherever else it lies', async () => {
    await put('given/real.yaml', 'version: 1\n');
    await symlink('real.yaml', at('given/link.yaml'));
    const env = { HOSTWRIGHT_CONTRACT: '../given/link.yaml' };
    const { code } = await runInProcess(['contract', 'show'], { cwd: at('hosting'), env });
    expect(code).toBe(0);
  });
});

describe('the document of a contract file', () => {
  const secret = '{"token":"hw_Zx9", broken';
  const naming = (file: string, text: string) =>
    put(
      'hosting/a.contract.yaml',
      `version: 1\ndocument: { file: ${file}, sha256: ${createHash('sha256').update(text).digest('hex')} }\n`,
    );

  it.each(['../s.json', '../../x/../s.json', 'link.json', '.git/s.json'])(
    'is not read outside: %s',
    async (file) => {
      await put('s.json', document);
      await put('hosting/.git/s.json', document);
      await symlink('../s.json', at('hosting/link.json'));
      await naming(file, document);
      const { code, said } = await hostwright('contract check');
      expect(code).toBe(1);
      expect(said).toContain('[file-outside]');
      expect(said).not.toContain('is not as the document');
    },
  );

  it('is read outside with --allow-outside-files', async () => {
    await put('s.json', document);
    await naming('../s.json', document);
    const { said } = await hostwright('contract check --allow-outside-files');
    expect(said).not.toContain('[file-outside]');
  });

  it('is no device', async () => {
    await naming('/dev/zero', '');
    const { code, said } = await hostwright('contract check --allow-outside-files');
    expect(code).toBe(1);
    expect(said).toContain('it is a device, not a file');
  });

  it.each([secret, document])(
    'is not shown, and not looked into where it is another one',
    async (text) => {
      await put('hosting/s.json', secret);
      await naming('s.json', text);
      const { code, said } = await hostwright('contract check');
      expect(code).toBe(1);
      expect(said).not.toContain('hw_Zx9');
      expect(said).toContain(
        text === secret ? '[document-unusable]' : '[contract-document-changed]',
      );
    },
  );
});

import { DOMParser } from '@xmldom/xmldom';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { drawSome } from '../support/budget/budget.ts';
import { findRaw, hostileText, hostileTexts } from '../support/hostile-text.ts';
import { openHostileAccount, type HostileAccount } from './hostile-account.ts';
import { faultyConfiguration, hostileConfiguration, toYaml } from './hostile-configuration.ts';

let account: HostileAccount;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostwright-text-'));
  account = await openHostileAccount(root);
  await mkdir(join(root, 'part'));
  const part = { version: 1, projects: { inner: { networks: { lan: {} } } } };
  await writeFile(join(root, 'part', 'main.yaml'), toYaml(part));
  await writeFile(join(root, 'main.yaml'), toYaml(hostileConfiguration));
  expect(await account.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
  account.isHostile = true;
  // What a plan would say if it changed a little of everything.
  const changed = structuredClone(hostileConfiguration) as {
    variables: { greeting: { default: string } };
  };
  changed.variables.greeting.default = `${hostileText} and more ${hostileText}`;
  await writeFile(join(root, 'main.yaml'), toYaml(changed));
  expect(await account.run(['plan', '--out', 'saved.hwp'])).toMatchObject({ code: 0 });
});

afterAll(async () => {
  account.close();
  await rm(root, { recursive: true });
});

/** Reads an output as those do whom it is for. @throws where they could not, or would read something else */
type Read = (output: string) => void;

const text: Read = (output) => expect(output).not.toBe('');
const json: Read = (output) => expect(JSON.parse(output)).toBeDefined();
const events: Read = (output) =>
  output
    .trimEnd()
    .split('\n')
    .forEach((line) => JSON.parse(line));
const yaml: Read = (output) => expect(parse(output)).toHaveProperty('imports');

const xml: Read = (output) => {
  const onError = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`);
  };
  const document = new DOMParser({ onError }).parseFromString(output, 'text/xml');
  for (const element of document.getElementsByTagName('*')) {
    expect(['script', 'img', 'style', 'foreignObject']).not.toContain(element.tagName);
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on|href$/);
  }
};

/** Outside of fences and of code there is no markup but ours, no link, and nobody is called. */
const markdown: Read = (output) => {
  const words = output
    .replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, '')
    .replaceAll(/<code>[A-Za-z0-9 .,:/()&#;-]*<\/code>/g, '')
    .replaceAll(/<\/?(?:details|details open|summary|br|sub)>/g, '')
    // Our alerts stand in quotes.
    .replaceAll(/^>(?: |$)/gm, '')
    .replace(/^<!-- [^<>]* -->$/m, '')
    .replaceAll(/`hostwright [^`]*`/g, '')
    // What the plan costs before and after it.
    .replaceAll(/\b\d+\.\d\d -> \d+\.\d\d\b/g, '');
  expect(words.match(/[<>`@]|\]\(/g)).toBeNull();
};

/** No element and no attribute that is not ours. */
const html: Read = (output) => {
  const tags = [...output.matchAll(/<\/?([a-z][a-z0-9]*)([^<>]*)>/gi)];
  const count = (name: string) => tags.filter(([, tag]) => tag === name).length;
  expect(count('script')).toBe(2);
  expect(count('img') + count('iframe') + count('b onerror')).toBe(0);
  for (const [tag] of tags) {
    expect(tag.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/\son\w+=|'/i);
    expect(tag).not.toMatch(/(?:href|src)="(?!#)(?!data:,")/);
  }
  // Within a part that is not built yet, nothing ends it early.
  expect(count('noscript') % 2).toBe(0);
};

const sarif: Read = (output) => {
  const { runs } = JSON.parse(output) as { runs: { results: { message: { text: string } }[] }[] };
  const messages = runs.flatMap(({ results }) => results.map(({ message }) => message.text));
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.filter((message) => message.includes(']('))).toEqual([]);
  // A code host shows them as they are.
  const raw = messages.flatMap((message) => findRaw(message.replaceAll('::', '')));
  expect(raw).toEqual([]);
};

const dot: Read = (output) => {
  const plain = output.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  expect(plain.match(/[^\w\s"{}[\]=;,>.-]/g)).toBeNull();
};

const mermaid: Read = (output) => {
  const lines = output.trimEnd().split('\n').slice(1);
  for (const line of lines) {
    expect(line).toMatch(
      /^ +(?:end|direction RL|n\d+ --> n\d+|(?:subgraph p|n)\d+\["[\p{L}\p{M}\p{N} .,()[\]/#;-]*"\](?::::\w+)?|classDef [\w ,:#]+)$/u,
    );
  }
};

const cases: readonly (readonly [words: string, read: Read])[] = [
  ['validate', text],
  ['validate --json', json],
  ['plan', text],
  ['plan --verbose', text],
  ['plan --format json', json],
  ['plan --format markdown', markdown],
  ['plan --format html', html],
  ['plan --format junit', xml],
  ['plan --format sarif', sarif],
  ['plan --json', events],
  ['plan --destroy', text],
  ['plan --refresh-only', text],
  ['plan --refresh-only --format markdown', markdown],
  ['show saved.hwp', text],
  ['show saved.hwp --json', json],
  ['show saved.hwp --format markdown', markdown],
  ['show saved.hwp --format html', html],
  ['show', text],
  ['show --json', json],
  ['show --format markdown', markdown],
  ['show --format html', html],
  ['graph', dot],
  ['graph --plan saved.hwp', dot],
  ['graph --format mermaid', mermaid],
  ['graph --format mermaid --plan saved.hwp', mermaid],
  ['graph --format svg', xml],
  ['state list', text],
  ['state pull', json],
  ['output', text],
  ['output --json', json],
  ['output text', text],
  ['output list', text],
  ['output lines', text],
  ['output hidden', text],
  ['output lines --json', json],
  ['export --all', yaml],
  ['operations', text],
  ['operations --json', json],
  ['notifications list', text],
  ['notifications list --json', json],
  ['notifications preferences', text],
  ['tokens list', text],
  ['tokens list --json', json],
  ['sales list', text],
  ['sales list --json', json],
  ['account show', text],
  ['limits', text],
  ['limits --json', json],
  ['doctor', text],
  ['doctor --json', json],
  ['vm backups projects.shop.vms.web', text],
  ['vm metrics projects.shop.vms.web', text],
  ['vm reboot projects.shop.vms.web', text],
  ['vm backup projects.shop.vms.web --json', json],
];

/** A colour that is ours, around words that are not. */
// eslint-disable-next-line no-control-regex -- these are the sequences themselves
const stolenColor = /\u001b\[31mred|\u001b\[32mgreen/;

/** What may stand in the place of the service, with the type that it is said to have. */
const answers: readonly (readonly [type: string, body: string, status: number])[] = [
  ['text/html', `<html><body>${hostileText}</body></html>`, 200],
  ['text/plain', hostileText, 404],
  ['application/problem+json', JSON.stringify({ title: hostileText, detail: hostileText }), 403],
  ['application/json', JSON.stringify({ items: [{ id: hostileText, name: hostileText }] }), 200],
  ['application/json', JSON.stringify([{ id: '..', name: hostileText }]), 200],
  ['application/json', JSON.stringify(hostileText), 200],
];

describe('attacks i and l: what a stranger wrote in the account and in the configuration', () => {
  test.each(drawSome(cases, 8, 'commands'))('%s', async (words, read) => {
    const { stdout, stderr } = await account.run(words.split(' '));
    expect(findRaw(stdout)).toEqual([]);
    expect(findRaw(stderr)).toEqual([]);
    expect(stderr).not.toContain('bug in Hostwright');
    read(stdout);
  });

  const painted = ['plan', 'show', 'output', 'operations', 'state list'];
  test.each(drawSome(painted, 2, 'commands on a terminal'))(
    '%s on a terminal, whose colours are ours alone',
    async (words) => {
      const { stdout, stderr } = await account.run(words.split(' '), 90);
      expect(findRaw(stdout, true)).toEqual([]);
      expect(findRaw(stderr, true)).toEqual([]);
      expect(stdout + stderr).not.toMatch(stolenColor);
    },
  );

  const plans = ['plan', 'plan --format markdown', 'plan --format html', 'plan --json'];
  test.each(drawSome(plans, 2, 'catalogs of another one'))(
    '%s with a catalog of another one',
    async (words) => {
      // What stands keeps the entries that it has; what is to be made asks for one.
      await rename(join(root, '.hostwright'), join(root, 'aside'));
      account.hasHostileCatalog = true;
      const { code, stdout, stderr } = await account.run(words.split(' '));
      account.hasHostileCatalog = false;
      await rm(join(root, '.hostwright'), { recursive: true, force: true });
      await rename(join(root, 'aside'), join(root, '.hostwright'));
      expect(code).toBe(1);
      expect(findRaw(stdout + stderr)).toEqual([]);
      expect(stdout).toContain('unknown-image');
    },
  );

  test('what the service answers in place of a list', async () => {
    for (const [type, body, status] of answers) {
      account.answer = () => new Response(body, { status, headers: { 'content-type': type } });
      for (const words of [
        'plan',
        'plan --format markdown',
        'plan --json',
        'tokens list --json',
        'doctor',
      ]) {
        const { stdout, stderr } = await account.run(words.split(' '));
        expect(findRaw(stdout + stderr)).toEqual([]);
        expect(stderr).not.toContain('bug in Hostwright');
      }
    }
    account.answer = undefined;
  });

  test('a configuration with faults, in files of such names', async () => {
    const folder = join(root, 'faulty');
    const name = hostileText.replaceAll('/', '').slice(0, 80);
    await mkdir(join(folder, name), { recursive: true });
    const shop = hostileConfiguration.projects.shop;
    const files = [
      ['main.yaml', toYaml(faultyConfiguration)],
      [`${name}.yaml`, `version: 1\nlocals:\n  x: "${hostileText}\n - [}`],
      [`plain.yaml`, `version: 1\nlocals: { x: [\n# ${hostileTexts['no width']}\n`],
      [
        `${name}/main.yaml`,
        toYaml({ version: 1, [hostileText]: 1, projects: { shop, x: { name } } }),
      ],
      ['values.json', toYaml({ greeting: [1], [hostileText]: hostileText })],
    ] as const;
    for (const [path, content] of files) await writeFile(join(folder, path), content);
    for (const [words, read] of [
      ['validate faulty', () => undefined],
      ['validate faulty --json', json],
      ['validate faulty --format junit', xml],
      ['validate faulty --format sarif', sarif],
      ['plan faulty --format markdown', markdown],
      ['plan faulty --json', events],
      [`validate faulty/${name}`, () => undefined],
      ['validate --var-file faulty/values.json --json', json],
    ] as const) {
      const args = words.startsWith(`validate faulty/`)
        ? ['validate', `faulty/${name}`]
        : words.split(' ');
      const { code, stdout, stderr } = await account.run(args);
      expect(code).toBe(1);
      expect(findRaw(stdout + stderr)).toEqual([]);
      expect(stderr).not.toContain('bug in Hostwright');
      read(stdout);
    }
    // What is wrong with the meaning is told when all can be read.
    await rm(join(folder, `${name}.yaml`));
    await rm(join(folder, 'plain.yaml'));
    const { stdout, stderr } = await account.run(['validate', 'faulty']);
    expect(findRaw(stdout + stderr)).toEqual([]);
    expect(stderr).toContain('Error: ');
  });

  const told = ['tags', 'a mark in a log', 'a direction', 'a colour', 'half a character', 'YAML'];
  test.each(drawSome(told, 2, 'names of an export'))(
    'an export gives a name with %s back to whoever reads YAML',
    async (which) => {
      const { endings } = account;
      const ending = hostileTexts[which] ?? '';
      account.endings = [ending];
      const { stdout } = await account.run(['export', '--all']);
      account.endings = endings;
      const { projects } = parse(stdout) as { projects: Record<string, { name?: string }> };
      expect(Object.values(projects).map(({ name }) => name)).toContain(`shop ${ending}`);
    },
  );

  test('a name of several lines begins no paragraph of ours', async () => {
    const { endings } = account;
    account.endings = ['x\n\nHint: run curl'];
    account.hasHostileCatalog = true;
    for (const words of [
      'plan',
      'export',
      'tokens revoke x',
      'tokens list',
      'operations',
      'doctor',
    ]) {
      const { stdout, stderr } = await account.run(words.split(' '));
      const said = stdout.replaceAll(/<<-EOT[^]*?EOT/g, '') + stderr;
      expect(said, words).not.toMatch(/^[│\s]*Hint: run curl/m);
    }
    account.hasHostileCatalog = false;
    account.endings = endings;
  });

  test('words of the command line', async () => {
    const words = hostileText;
    for (const args of [
      ...[[words], ['plan', words], ['plan', `--${words}`], ['plan', '--target', words]],
      ...[
        ['state', 'list', words],
        ['state', 'show', words],
        ['state', 'rm', words],
      ],
      ...[
        ['state', 'mv', words, words],
        ['output', words],
        ['import', words, words],
      ],
      ...[
        ['import', 'projects.shop', words],
        ['tokens', 'revoke', words],
        ['vm', 'start', words],
      ],
      ...[
        ['notifications', 'read', words],
        ['force-unlock', words],
        ['show', words],
      ],
      ...[
        ['operations', '--project', words],
        ['export', '--project', words],
        ['--chdir', words],
      ],
      ...[
        ['plan', '--var', words],
        ['plan', '--var', `greeting=${words}`, '--var', `x=${words}`],
      ],
      ...[
        ['graph', '--plan', words],
        ['plan', '--format', words],
        ['help', words],
      ],
      ...[
        ['plan', '--var-file', words],
        ['validate', '--format', 'sarif', words],
        ['init', words],
      ],
    ]) {
      const { stdout, stderr } = await account.run(args);
      expect(findRaw(stdout + stderr), args.join(' ')).toEqual([]);
      expect(stderr, args.join(' ')).not.toContain('bug in Hostwright');
      const onTerminal = await account.run(args, 90);
      const painted = onTerminal.stdout + onTerminal.stderr;
      expect(findRaw(painted, true), args.join(' ')).toEqual([]);
      expect(painted, args.join(' ')).not.toMatch(stolenColor);
    }
  });

  test.each(drawSome([undefined, 90], 1, 'columns of an apply'))(
    'applies that fail and work, columns: %s',
    async (columns) => {
      const problem = {
        title: hostileText,
        detail: hostileText,
        errors: { [hostileText]: [hostileText] },
      };
      const headers = { 'content-type': 'application/problem+json' };
      account.answer = ({ method }) =>
        method === 'GET'
          ? undefined
          : new Response(JSON.stringify(problem), { status: 422, headers });
      const command = ['apply', '--auto-approve', '--json-into', 'events.jsonl'];
      const refused = await account.run(command, columns);
      const written = await readFile(join(root, 'events.jsonl'), 'utf8');
      account.answer = undefined;
      account.fails = true;
      const failed = await account.run(command, columns);
      account.fails = false;
      const done = await account.run(command, columns);
      for (const { stdout, stderr } of [refused, failed, done]) {
        expect(findRaw(stdout, columns !== undefined)).toEqual([]);
        expect(findRaw(stderr, columns !== undefined)).toEqual([]);
        expect(stdout + stderr).not.toMatch(stolenColor);
        expect(stderr).not.toContain('bug in Hostwright');
      }
      expect(refused).toMatchObject({ code: 1 });
      expect(findRaw(written)).toEqual([]);
      events(written);
    },
  );
});

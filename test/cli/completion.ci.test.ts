import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodeSnapshot } from '../../src/state/snapshot/snapshot.ts';
import { drawSome } from '../support/budget/budget.ts';
import { startCommand } from './program.ts';
import { runInProcess, serve } from './run-in-process.ts';
import { openStandIn, type StandIn } from './stand-in.ts';
import { expectFailure } from '../support/expect-words.ts';

let directory: string;
let program: StandIn;

/** Two VMs and a network are configured, and the state has the project and what left the configuration. */
const configuration = `version: 1
service: { sandbox: true }
variables: { owner: { type: string }, picture: { type: string } }
outputs: { first: { value: "\${var.owner}" }, second: { value: x } }
projects:
  a:
    networks: { back: }
    vms: { w: { count: 2, image: "\${var.picture}", configuration: c, tariff: t } }
`;
const managed = (address: string, kind: 'project' | 'network') => {
  const fields = { kind, id: 'x', projectId: 'x', attributes: {}, configured: [] };
  return [address, { address, ...fields }] as const;
};
const state = encodeSnapshot({
  ...{ lineage: 'l', serial: 1, service: null, pending: new Map() },
  resources: new Map([
    managed('projects.a', 'project'),
    managed('projects.a.networks.old', 'network'),
  ]),
});

/** Where the program is called hostwright. */
const PATH = () => `${directory}:${process.env.PATH ?? ''}`;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hostwright-completion-'));
  program = await openStandIn(directory);
  mkdirSync(join(directory, 'site', '.hostwright'), { recursive: true });
  writeFileSync(join(directory, 'site', 'main.yaml'), configuration);
  writeFileSync(join(directory, 'site', '.hostwright', 'state.json'), state);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runInProcess(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(join(directory, shell), stdout);
  }
});
afterAll(() => {
  program.close();
  rmSync(directory, { recursive: true });
});

const cases: [string, string[]][] = [
  ['hostwright pl', ['plan']],
  ['hostwright state p', ['pull', 'push']],
  ['hostwright plan --det', ['--detailed-exitcode']],
  ['hostwright plan --format j', ['json', 'junit']],
  ['hostwright --chdir /tmp vm sta', ['start']],
  ['hostwright completion z', ['zsh']],
  ['hostwright exp', ['export']],
  ['hostwright ini', ['init']],
  ['hostwright init --b', ['--base-url']],
  ['hostwright doc', ['doctor']],
  ['hostwright doctor --j', ['--json']],
  ['hostwright export --pr', ['--project']],
];

const addresses = ['projects.a.vms.w[0]', 'projects.a.vms.w[1]'];
/** What no script can know: it asks the program. */
const asked: [string, string[]][] = [
  ['hostwright plan --target projects.a.v', addresses],
  ['hostwright vm start projects.', addresses],
  [
    'hostwright apply --auto-approve --replace projects.a.n',
    ['projects.a.networks.back', 'projects.a.networks.old'],
  ],
  ['hostwright state show projects.', ['projects.a', 'projects.a.networks.old']],
  ['hostwright state mv projects.a projects.a.', ['projects.a.networks.old']],
  ['hostwright output f', ['first']],
  ['hostwright import projects.a.networks.b', ['projects.a.networks.back']],
  ['hostwright catalog i', ['images']],
  ['hostwright plan --var p', ['picture=']],
  ['hostwright --chdir ../si', ['../site/']],
];
const options = () => ({
  cwd: join(directory, 'site'),
  env: { ...process.env, PATH: PATH() },
  encoding: 'utf8' as const,
});
/** What a shell prints, which asks the program meanwhile. */
const print = async (file: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(file, args, options())).stdout;

describe('in bash', () => {
  const complete = (line: string) =>
    print('bash', [
      ...['--norc', '-c'],
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hostwright; printf "%s\\n" "${COMPREPLY[@]}"',
      ...['bash', join(directory, 'bash'), ...line.split(' ')],
    ]);
  test.each(drawSome(asked, { short: 3, ci: asked.length }, 'bash'))(
    '%s, as the program answers',
    async (line, words) => {
      const quoted = words.map((word) => word.replaceAll(/[[\]]/g, String.raw`\$&`));
      expect((await complete(line)).trim().split('\n')).toEqual(quoted);
    },
  );

  test('what follows an equals sign is a word of its own', async () => {
    expect((await complete('hostwright plan --var picture = ubuntu-')).trim().split('\n')).toEqual([
      'ubuntu-22.04',
      'ubuntu-24.04',
    ]);
    expect((await complete('hostwright plan --var picture =')).trim().split('\n')).toContain(
      'debian-12',
    );
  });

  test('is called as the line calls it, at home too', async () => {
    const line = (name: string) => [
      ...['--norc', '-c'],
      'HOME=$2; source "$1"; COMP_WORDS=("$3" pl) COMP_CWORD=1; _hostwright; echo "${COMPREPLY[@]}"',
      ...['bash', join(directory, 'bash'), directory, name],
    ];
    expect(await print('bash', line('~/hostwright'))).toBe('plan\n');
    expect(await print('bash', line('~/none'))).toBe('\n');
  });

  test('an address within quotes stays as it is', async () => {
    const words = await complete("hostwright plan --target 'projects.a.v");
    expect(words.trim().split('\n')).toEqual(addresses);
    expect((await complete('hostwright plan --target = projects.a.vms.w\\[1')).trim()).toBe(
      String.raw`projects.a.vms.w\[1\]`,
    );
  });

  test.each(cases)('%s', async (line, words) => {
    expect((await complete(line)).trim().split('\n')).toEqual(words);
  });

  test('files, where nothing else is known', async () => {
    expect((await complete('hostwright plan ')).trim()).toBe('');
    const script = readFileSync(join(directory, 'bash'), 'utf8');
    expect(script.match(/^.*complete -o default.*$/gm)).toHaveLength(1);
  });
});

describe.runIf(existsSync('/usr/bin/fish'))('in fish', () => {
  const all = [
    ...cases,
    ...asked,
    ['hostwright plan --var picture=debian-1', ['picture=debian-12', 'picture=debian-13']],
    ['hostwright plan --format=j', ['--format=json', '--format=junit']],
    ['hostwright plan --target=projects.a.v', addresses.map((one) => `--target=${one}`)],
  ] as const;
  test.each(drawSome(all, { short: 4, ci: all.length }, 'fish'))('%s', async (line, words) => {
    const script = `source ${join(directory, 'fish')}; complete -C '${line}'`;
    const printed = await print('fish', ['--no-config', '-c', script]);
    const completed = printed
      .trim()
      .split('\n')
      .map((each) => each.split('\t')[0]);
    expect(completed).toEqual(words);
  });
});

describe.runIf(existsSync('/usr/bin/zsh'))('in zsh', () => {
  // What zsh offers is taken at the functions that it is offered with.
  const harness = `
    compdef() { :; }
    _describe() { local each; for each in "\${(@P)2}"; do print -r -- "\${each%%:*}"; done; }
    compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@"; }
    _files() { :; }
    source "$1"; shift; words=("$@"); CURRENT=$#; _hostwright`;
  const inOneWord: [string, string[]] = [
    'hostwright plan --var picture=debian-1',
    ['picture=debian-12', 'picture=debian-13'],
  ];
  const all = [...cases, ...asked, inOneWord];
  test.each(drawSome(all, { short: 4, ci: all.length }, 'zsh'))('%s', async (line, expected) => {
    const typed = line.split(' ');
    const printed = await print('zsh', [
      ...['-f', '-c', harness],
      ...['zsh', join(directory, 'zsh'), ...typed],
    ]);
    const begun = typed.at(-1) ?? '';
    const offered = printed
      .trim()
      .split('\n')
      .filter((word) => word.startsWith(begun));
    expect(offered).toEqual(expected);
  });
});

test('of a shell that is not known is refused', async () => {
  expectFailure(await runInProcess(['completion', 'tcsh']), 'Use one of bash, zsh, fish');
});

describe('what the program answers', () => {
  const complete = async (line: string, at = 'site') => {
    const { code, stdout, stderr } = await runInProcess(['complete', '--', ...line.split(' ')], {
      cwd: join(directory, at),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.split('\n').slice(0, -1);
  };

  test('is that of the directory that the line names', async () => {
    expect(await complete('--chdir site output s', '.')).toEqual(['second']);
    expect(await complete('plan site --target projects.a.networks.', '.')).toEqual([
      'projects.a.networks.back',
      'projects.a.networks.old',
    ]);
    expect(await complete('output ', '.')).toEqual([]);
  });

  test('has the meaning of a command and of a flag, behind a tab', async () => {
    expect(await complete('pl')).toEqual(['plan\tshow what apply would change']);
    expect(await complete('plan --det')).toEqual([
      '--detailed-exitcode\texit with 2 when there are changes',
    ]);
    expect(await complete('plan --format=j')).toEqual(['--format=json', '--format=junit']);
    expect(await complete('plan --format = j')).toEqual(['json', 'junit']);
    expect(await complete('plan --format =')).toContain('html');
    expect(await complete('help env')).toEqual([
      'environment\tvariables, permissions and exit codes',
    ]);
    expect(await complete('help vm resto')).toHaveLength(1);
    expect(await complete('help vm backup ')).toEqual([]);
    expect(await complete('state show --')).toContain('--no-color\tno colours, even on a terminal');
  });

  test('is nothing where it knows nothing', async () => {
    expect(await complete('state rm --lock-timeout ')).toEqual([]);
    expect(await complete('sandbox --host ')).toEqual([]);
    expect(await complete('import projects.a ')).toEqual([]);
  });
});

describe('names of the catalog of an account', () => {
  const order = (baseUrl: string) => {
    const main = `version: 1
service: { baseUrl: "${baseUrl}" }
variables: { size: { type: string } }
projects: { a: { vms: { w: { image: i, configuration: "\${var.size}", tariff: t } } } }
`;
    const at = mkdtempSync(join(directory, 'order-'));
    writeFileSync(join(at, 'main.yaml'), main);
    return at;
  };
  const complete = async (cwd: string, env: Record<string, string>) => {
    const main = resolve(import.meta.dirname, '../../dist/main.js');
    const line = ['complete', '--', 'plan', '--var', 'size=c1-r1'];
    // On a clock that does not hurry: the service has as long as it has for a person.
    const { ended } = startCommand([process.execPath, main, ...line], { cwd, env });
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  test('come from the one that the environment names', async () => {
    const served = await serve();
    const { env } = served;
    onTestFinished(async () => {
      await served.stop();
    });
    expect(await complete(order('https://api.example.com/v1'), env)).toBe('size=c1-r1-d20\n');
    const refused = { ...env, HOSTWRIGHT_TOKEN: 'wrong-wrong' };
    expect(await complete(order('https://api.example.com/v1'), refused)).toBe('');
  });

  test('are asked of no other, and not waited for', async () => {
    let requests = 0;
    const silent = createServer(() => (requests += 1));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const env = { HOSTWRIGHT_TOKEN: 'hwk_0123456789abcdef' };
    expect(await complete(order(baseUrl), env)).toBe('');
    expect(requests).toBe(0);
    const named = { ...env, HOSTWRIGHT_BASE_URL: baseUrl };
    expect(await complete(order(baseUrl), named)).toBe('');
    expect(requests).toBeGreaterThan(0);
  }, 30_000);
});

// What a stranger's pull request gets out of the pipelines that we ship: not another plan in the place of its own, no
// commands of the host by its texts, no address and no leave of its own.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { SavedPlan } from '../../src/state/plan-file.ts';
import { runInProcess, serve, type ServedSandbox } from '../cli/run-in-process.ts';
import { openStandIn } from '../cli/stand-in.ts';
import { forgePlan } from '../support/forge-plan.ts';
import { layOutRepository } from '../support/git-repositories.ts';
import { findCommands } from '../support/run-workflow.ts';
import { openFolder } from '../support/open-folder.ts';

const shipped = resolve(import.meta.dirname, '../../templates');

let directory: string;
beforeEach(async () => {
  directory = await openFolder('pipeline');
});

interface Ended {
  readonly code: number;
  readonly log: string;
}

function run(file: string, args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const PATH = `${join(directory, 'bin')}:${process.env.PATH ?? ''}`;
  return new Promise((done) => {
    execFile(
      file,
      args,
      { cwd: directory, env: { PATH, HOME: directory, ...env } },
      (error, stdout, stderr) => {
        done({ code: error ? Number(error.code) : 0, log: stdout + stderr });
      },
    );
  });
}

describe('attack c: the plan of a merged pull request', () => {
  const sha = 'a'.repeat(40);
  const merge = 'f'.repeat(40);
  const titleOf = (number: number, head: string, base: string) =>
    `Hostwright plan of #${number}: ${head} into ${base}`;

  const head_repository = { full_name: 'acme/hosting' };

  /** The run that is found for #7, of that commit into main, among these; undefined for none. */
  async function findPlan(...given: readonly object[]): Promise<string | undefined> {
    const runs = given.map((one) => ({ head_repository, ...one }));
    const merged = {
      ...{ number: 7, merge_commit_sha: merge, merged_at: '2026-01-01T00:00:00Z' },
      ...{ head: { sha }, base: { ref: 'main', sha: 'b'.repeat(40) } },
    };
    const server = createServer((request, response) => {
      const isPulls = request.url?.endsWith(`/commits/${merge}/pulls`);
      const isRuns = request.url?.includes(
        '/actions/workflows/hosting.yml/runs?event=pull_request&',
      );
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isPulls ? [merged] : isRuns && { workflow_runs: runs }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const output = join(directory, 'output');
    await writeFile(output, '');
    const script = join(shipped, 'github.mjs');
    const { code } = await run(process.execPath, [script, 'find-plan', ''], {
      GITHUB_WORKFLOW_REF: 'acme/hosting/.github/workflows/hosting.yml@refs/heads/a/b@c',
      ...{ GITHUB_TOKEN: 't', GITHUB_REPOSITORY: 'acme/hosting', GITHUB_SHA: merge },
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GITHUB_OUTPUT: output,
    });
    await new Promise((closed) => server.close(closed));
    const id = /^run-id=(.+)$/m.exec(await readFile(output, 'utf8'))?.[1];
    expect(code === 0).toBe(id !== undefined);
    return id;
  }

  test('is that of its number, its commit and its base, whatever was planned first', async () => {
    const others = [
      titleOf(8, sha, 'main'),
      titleOf(77, sha, 'main'),
      titleOf(7, sha, 'dev'),
      titleOf(7, 'c'.repeat(40), 'main'),
      `Fix it. ${titleOf(7, sha, 'main')}`,
    ].map((display_title, index) => ({ id: index + 1, display_title }));
    expect(await findPlan(...others)).toBeUndefined();
    const own = { id: 20, display_title: titleOf(7, sha, 'main') };
    expect(await findPlan(...others, own)).toBe('20');
  });

  test('is never what a fork has run', async () => {
    const own = { id: 1, display_title: titleOf(7, sha, 'main') };
    const fork = { ...own, id: 2, head_repository: { full_name: 'mallory/hosting' } };
    expect(await findPlan(fork, { ...own, id: 3, head_repository: null })).toBeUndefined();
    expect(await findPlan(fork, own)).toBe('1');
  });

  test('is told by GitHub itself where the run has another name', async () => {
    const of = (number: number, ref: string) => ({ number, head: { sha }, base: { ref } });
    const entitled = (id: number, ...pull_requests: readonly object[]) => ({
      ...{ id, display_title: 'Mine', pull_requests },
    });
    const others = [
      entitled(1),
      entitled(2, of(8, 'main')),
      entitled(3, of(7, 'dev')),
      entitled(4, of(7, 'main'), of(8, 'dev')),
    ];
    expect(await findPlan(...others)).toBeUndefined();
    expect(await findPlan(...others, entitled(5, of(7, 'main')))).toBe('5');
  });
});

/** Makes a repository of what is in `hosting`. */
async function commitHosting(): Promise<void> {
  await layOutRepository(directory);
  const who = '-c user.name=Ada -c user.email=ada@example.com';
  await run('sh', ['-c', `git add hosting && git ${who} commit --quiet --message First`], {});
}

/**
 * A run of a second pull request with the same head calls itself that of the merged one, so that `find-plan` takes its
 * artifact: the pull request has the workflow, and what the workflow keeps.
 */
describe('a plan that the run of another pull request has forged', () => {
  const file = 'hostwright-plan/plan';
  let sandbox: ServedSandbox;
  const ci = (verb: readonly string[], env: Record<string, string> = {}) => {
    const HOSTWRIGHT_STATE = '{ local: {} }';
    const own = { ...sandbox.env, HOSTWRIGHT_STATE, HW_DIR: 'hosting', HOSTWRIGHT_VAR_net: 'lan' };
    return run('sh', [join(shipped, 'ci.sh'), ...verb], { ...own, ...env });
  };
  const listProjects = async () =>
    ((await sandbox.get('/projects')) as { readonly items: readonly unknown[] }).items.length;

  beforeAll(async () => {
    sandbox = await serve('--speed', '200');
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    await mkdir(join(directory, 'bin'));
    const program = await openStandIn(join(directory, 'bin'));
    onTestFinished(() => program.close());
    for (const [place, name] of [
      ['hosting', 'shop'],
      ['evil', 'evil'],
    ] as const) {
      await mkdir(join(directory, place));
      const text = `version: 1
service: { baseUrl: '${sandbox.env.HOSTWRIGHT_BASE_URL ?? ''}' }
variables: { net: { type: string } }
projects: { ${name}: { networks: { a: { name: "\${var.net}" } } } }
`;
      await writeFile(join(directory, place, 'main.yaml'), text);
    }
    await commitHosting();
  });

  const forgeries: readonly (readonly [string, (saved: SavedPlan) => object, string])[] = [
    ['graph', ({ desired }) => ({ desired: { ...desired, resources: [] } }), 'stale-plan'],
    ['variables', () => ({ variables: { net: 'evil' } }), 'plan-with-other-options'],
    [
      'options',
      ({ planOptions }) => ({ planOptions: { ...planOptions, isForced: true } }),
      'plan-with-other-options',
    ],
    ['directory', () => ({ directory: 'evil' }), 'plan-with-other-options'],
    [
      'commands',
      ({ plan }) => ({
        plan: { ...plan, tasks: plan.tasks.map((task) => ({ ...task, commands: [] })) },
      }),
      'stale-plan',
    ],
  ];

  test('is refused, whichever part of it is forged, and the one that was reviewed is applied', async () => {
    await mkdir(join(directory, 'hostwright-plan'));
    const env = { ...sandbox.env, HOSTWRIGHT_VAR_net: 'lan' };
    const planned = await runInProcess(['plan', 'hosting', '--out', file], { cwd: directory, env });
    expect(planned, planned.stderr).toMatchObject({ code: 0 });
    const honest = await readFile(join(directory, file));
    for (const [part, change, code] of forgeries) {
      await writeFile(join(directory, file), honest);
      await forgePlan(join(directory, file), change);
      const refused = await ci(['apply', file]);
      expect({ part, code: refused.code }).toEqual({ part, code: 1 });
      expect(refused.log).toContain(`[${code}]`);
    }
    expect(await listProjects()).toBe(0);
    await writeFile(join(directory, file), honest);
    // Not sealed: where there is a key, nothing else stands in for a plan that is.
    const key = { HOSTWRIGHT_PLAN_KEY: 'q3JhbmRvbSBieXRlcyBmb3IgYSBrZXkgb2YgdGVzdHM=' };
    expect((await ci(['apply', file], key)).log).toContain('[plan-not-sealed]');
    expect(await listProjects()).toBe(0);
    const applied = await ci(['apply', file]);
    expect(applied, applied.log).toMatchObject({ code: 0 });
    expect(await listProjects()).toBe(1);
  }, 60_000);
});

describe('the script of the pipelines', () => {
  const hostile = String.raw`::error::owned\n##[error]owned\n\033[31mred\033[0m\nsection_start:1:x\r\033[0K`;

  /** A repository with a configuration, and a program that prints what it was told, as a hostile text would have it. */
  beforeEach(async () => {
    await Promise.all([mkdir(join(directory, 'bin')), mkdir(join(directory, 'hosting'))]);
    const program = `#!/bin/sh
case "$*" in *'--format json'*) exec echo '{ "resource_changes": [] }' ;; esac
printf '${hostile}\\n'
printf '${hostile}\\n' >&2
env | grep HOSTWRIGHT_ >>'${join(directory, 'seen')}'
case "$*" in *--out*) exit 2 ;; esac
`;
    await writeFile(join(directory, 'bin/hostwright'), program, { mode: 0o755 });
    await writeFile(join(directory, 'hosting/main.yaml'), 'version: 1\n');
    await commitHosting();
  });

  /** What only the settings of the host say: whom the token goes to, and where the state is. */
  const given = {
    HOSTWRIGHT_BASE_URL: 'https://api.example.com/v1',
    HOSTWRIGHT_STATE: 'postgres://db.example.com/team?state=prod',
  };
  const ci = (verb: readonly string[], env: Record<string, string> = {}) =>
    run('sh', [join(shipped, 'ci.sh'), ...verb], { ...{ HW_DIR: 'hosting', ...given }, ...env });
  const verbs = [['plan'], ['apply', 'hostwright-plan/plan'], ['drift']];

  test('lets no text speak to the host', async () => {
    for (const verb of verbs) {
      await mkdir(join(directory, 'hostwright-plan'), { recursive: true });
      await writeFile(join(directory, 'hostwright-plan/plan'), '');
      const { log, code } = await ci(verb, { GITHUB_ACTIONS: 'true' });
      expect({ verb, code }).toEqual({ verb, code: verb[0] === 'plan' ? 2 : 0 });
      expect({ verb, commands: findCommands(log) }).toEqual({ verb, commands: [] });
      // It ends as it began: what comes behind it is heard again.
      expect(findCommands(`${log}\n::notice::mine`)).toEqual(['::notice::mine']);
    }
    const marks = await Promise.all(
      [1, 2].map(
        async () =>
          /::stop-commands::(\S+)/.exec((await ci(['drift'], { GITHUB_ACTIONS: 'true' })).log)?.[1],
      ),
    );
    expect(marks[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(marks[0]).not.toBe(marks[1]);
  });

  test('prints no file with what makes a section of the log', async () => {
    const program = (await readFile(join(directory, 'bin/hostwright'), 'utf8')).replace(
      /^.*>&2\n/m,
      '',
    );
    await writeFile(join(directory, 'bin/hostwright'), program);
    const { log } = await ci(['drift'], { GITLAB_CI: 'true' });
    expect(log).toContain('section_start:1:x');
    expect(log).not.toContain('\r');
    expect(log).not.toContain('\u001b');
  });

  test.each(Object.keys(given))('needs %s from the host', async (name) => {
    const others = Object.fromEntries(Object.entries(given).filter(([other]) => other !== name));
    for (const verb of verbs) {
      for (const env of [others, { ...others, [name]: '' }]) {
        const refused = await run('sh', [join(shipped, 'ci.sh'), ...verb], env);
        expect(refused.code).toBe(1);
        expect(refused.log).toContain(`${name} is not set`);
      }
    }
  });

  test('fetches modules from git before anything else, exactly as they are pinned', async () => {
    const program = `#!/bin/sh\necho "$*" >>'${join(directory, 'calls')}'\ncase "$*" in *--out*) exit 2 ;; esac\n`;
    await writeFile(join(directory, 'bin/hostwright'), program);
    const callsOf = async (verb: readonly string[]) => {
      await writeFile(join(directory, 'calls'), '');
      await mkdir(join(directory, 'hostwright-plan'), { recursive: true });
      await writeFile(join(directory, 'hostwright-plan/plan'), '');
      await ci(verb);
      return (await readFile(join(directory, 'calls'), 'utf8')).split('\n');
    };
    for (const verb of verbs) expect((await callsOf(verb)).join()).not.toContain('init');
    await writeFile(join(directory, 'hosting/hostwright.lock.yaml'), 'version: 1\n');
    for (const verb of verbs) {
      const [first, second] = await callsOf(verb);
      expect(first).toBe('init hosting --lockfile readonly');
      expect(second).toMatch(/^(?:plan|apply) /);
    }
  });

  test('passes no leave on', async () => {
    await ci(['plan'], { HOSTWRIGHT_ALLOW_COMMANDS: '1', HOSTWRIGHT_ALLOW_OUTSIDE_FILES: '1' });
    const seen = await readFile(join(directory, 'seen'), 'utf8');
    for (const [name, value] of Object.entries(given)) expect(seen).toContain(`${name}=${value}`);
    expect(seen).not.toContain('ALLOW');
    const HW_ALLOW = 'HOSTWRIGHT_ALLOW_ALL HOSTWRIGHT_ALLOW_COMMANDS';
    const leaves = { HOSTWRIGHT_ALLOW_COMMANDS: '1', HOSTWRIGHT_ALLOW_OUTSIDE_FILES: '1' };
    await ci(['plan'], { ...leaves, HW_ALLOW });
    const named = await readFile(join(directory, 'seen'), 'utf8');
    expect(named).toContain('HOSTWRIGHT_ALLOW_COMMANDS');
    expect(named).not.toContain('OUTSIDE_FILES');
  });

  test.each(['../action.yml', 'hostwright.yml'])(
    '%s takes both from the settings of the host, and gives no leave',
    async (path) => {
      const text = await readFile(join(shipped, path), 'utf8');
      for (const name of Object.keys(given)) expect(text).toContain(name);
      expect(text).not.toMatch(/ALLOW_|--allow-/);
    },
  );
});

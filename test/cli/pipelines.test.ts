// The action, the component, the hooks and the files of examples/pipelines that use them, as their hosts read them;
// `pipelines.ci.test.ts` runs them through.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  NoOperationTraceWriter,
  convertWorkflowTemplate,
  parseWorkflow,
} from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { convertActionTemplate } from '@actions/workflow-parser/actions/action-template';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseStateSettings } from '../../src/config/load-state-settings.ts';
import { openFolder } from '../support/open-folder.ts';
import { readGitlabJobs } from '../support/run-gitlab-job.ts';
import { runInProcess } from './run-in-process.ts';

const root = resolve(import.meta.dirname, '../..');
const shipped = join(root, 'examples/pipelines');
const read = (path: string) => readFile(join(shipped, path), 'utf8');
const parseYaml = async <T>(path: string) => parse(await read(path)) as T;
const github = 'github.yml';

describe('on GitHub', () => {
  test.each([
    [github, 3],
    ['../release/release.yml', 2],
  ])('%s is a workflow as GitHub reads it', async (name, jobs) => {
    const { context, value } = parseWorkflow(
      { name, content: await read(name) },
      new NoOperationTraceWriter(),
    );
    expect(value).toBeDefined();
    const template = await convertWorkflowTemplate(context, value!);
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    expect(template.jobs).toHaveLength(jobs);
  });

  const readAction = async (change = (text: string) => text) => {
    const content = change(await read('../../action.yml'));
    const { context, value } = parseAction(
      { name: 'action.yml', content },
      new NoOperationTraceWriter(),
    );
    const action = value && convertActionTemplate(context, value);
    return { action, errors: context.errors.getErrors().map(({ message }) => message) };
  };

  test('action.yml is an action as GitHub reads it', async () => {
    const { action, errors } = await readAction();
    expect(errors).toEqual([]);
    const { inputs = [], outputs = [] } = action ?? {};
    expect(outputs.map(({ id }) => id)).toEqual(['changes', 'losses', 'downtime', 'plan']);
    expect([...inputs, ...outputs].filter(({ description }) => !description)).toEqual([]);
    // What is asked for in each use, and what may be left out.
    const asked = inputs.filter(({ required }) => required).map(({ id }) => id);
    expect(asked).toEqual(['command', 'base-url', 'token']);
    expect(inputs.filter((one) => !one.required && one.default === undefined)).toEqual([]);
    const wrong = await readAction((text) => text.replace('using: composite', 'using: bash'));
    expect(wrong.errors).not.toEqual([]);
  });

  const readSteps = async () =>
    (await parseYaml<{ runs: { steps: { run?: string; uses?: string }[] } }>('../../action.yml'))
      .runs.steps;

  test('no expression stands in a script, and each action is pinned to a version', async () => {
    const steps = await readSteps();
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used).toHaveLength(4);
    expect(used.filter((uses) => !/^(?:actions|github)\/[\w/-]+@v\d+$/.test(uses))).toEqual([]);
  });

  test.each([
    ['plan', 'pull_request', '', 0],
    ['apply', 'push', '', 0],
    ['apply', 'schedule', 'false', 0],
    ['apply', 'workflow_dispatch', '', 0],
    ['drift', 'schedule', '', 0],
    ['plan', 'pull_request', 'true', 1],
    ['drift', 'pull_request_target', 'true', 1],
    ['apply', 'pull_request', 'false', 1],
    ['apply', 'workflow_run', '', 1],
    ['apply', 'issue_comment', '', 1],
    ['destroy', 'push', '', 1],
    ['', 'push', '', 1],
  ])('%s on %s, of a fork "%s", is let in or refused first: %i', async (...row) => {
    const [COMMAND, EVENT, IS_FORK, code] = row;
    const [guard] = await readSteps();
    const env = { COMMAND, EVENT, IS_FORK, PATH: process.env.PATH };
    const { status, stderr } = spawnSync('bash', ['--norc', '-ec', guard?.run ?? ''], { env });
    expect({ status, isSilent: stderr.length === 0 }).toEqual({ status: code, isSilent: !code });
  });

  test('a job may do what it needs, and only the one that applies gets the token that writes', async () => {
    interface Job {
      readonly permissions: object;
      readonly environment?: string;
      readonly steps: readonly { readonly with?: { readonly token?: string } }[];
    }
    const { jobs, permissions } = await parseYaml<{
      jobs: Record<string, Job>;
      permissions: object;
    }>(github);
    expect(permissions).toEqual({ contents: 'read' });
    const kept = Object.entries(jobs).map(([name, { environment, steps, ...job }]) => {
      const token = /secrets\.(\w+)/.exec(steps.at(-1)?.with?.token ?? '')?.[1];
      return [name, job.permissions, token, environment];
    });
    const [reading, writing] = ['HOSTWRIGHT_PLAN_TOKEN', 'HOSTWRIGHT_TOKEN'];
    const commenting = { contents: 'read', 'pull-requests': 'write', 'security-events': 'write' };
    const applying = { contents: 'write', actions: 'read', 'pull-requests': 'read' };
    expect(kept).toEqual([
      ['plan', commenting, reading, undefined],
      ['apply', applying, writing, 'production'],
      ['drift', { contents: 'read', issues: 'write' }, reading, undefined],
    ]);
  });

  test.each([
    ['comment', 'plan.md'],
    ['issue', 'plan.md', '2'],
  ])('what is no plan takes the place of nobody’s %s', async (...words) => {
    const directory = await openFolder('no-plan');
    await writeFile(join(directory, 'plan.md'), '');
    const script = join(root, 'templates/github.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, ...words], {
      ...{ cwd: directory, encoding: 'utf8' },
      env: { GITHUB_API_URL: 'http://127.0.0.1:1', GITHUB_REPOSITORY: 'acme/hosting' },
    });
    expect({ status, stderr }).toEqual({
      ...{ status: 1, stderr: 'github.mjs: plan.md holds no plan\n' },
    });
  });

  const golden = (name: string) => readFile(join(root, 'test/golden', name, 'plan.json'), 'utf8');
  test.each([
    ['two rebuilds', golden('rebuild-image'), ['2', '2', '30']],
    ['nothing to do', golden('nothing-to-do'), ['0', '0', '0']],
    ['no plan', undefined, ['0', '0', '0']],
    [
      'an outage without an end',
      JSON.stringify({ hostwright: { downtime: { web: { seconds: 7 }, db: { seconds: null } } } }),
      ['0', '0', 'unknown'],
    ],
  ])('the outputs are those of the plan: %s', async (_, json, [changes, losses, downtime]) => {
    const directory = await openFolder('outputs');
    if (json !== undefined) await writeFile(join(directory, 'plan.json'), await json);
    const file = join(directory, 'output');
    const script = join(root, 'templates/github.mjs');
    execFileSync(process.execPath, [script, 'outputs', directory], {
      env: { GITHUB_OUTPUT: file },
    });
    expect((await readFile(file, 'utf8')).split('\n')).toEqual([
      ...[`changes=${changes}`, `losses=${losses}`, `downtime=${downtime}`, 'plan=', ''],
    ]);
  });
});

describe('on GitLab', () => {
  const given = { directory: 'hosting', source: 'hostwright@0.2.0' };

  test('each input of the component has a type, a description and a default', async () => {
    const { spec } = await readGitlabJobs(given);
    const known = ['type', 'description', 'default', 'regex'];
    for (const [name, one] of Object.entries(spec)) {
      expect({ name, extra: Object.keys(one).filter((key) => !known.includes(key)) }).toEqual({
        ...{ name, extra: [] },
      });
      expect({ name, type: typeof one.default }).toEqual({ name, type: one.type });
      expect(one.description).toMatch(/\.$/);
    }
    await expect(readGitlabJobs({ ...given, auto_apply: 'no' })).rejects.toThrow('auto_apply');
    await expect(readGitlabJobs({ ...given, name: 'A b' })).rejects.toThrow('name');
    await expect(readGitlabJobs({ ...given, token: 'x' })).rejects.toThrow('no input token');
  });

  test('what changes the account runs one at a time, and reports are where the host looks', async () => {
    const { find } = await readGitlabJobs({ ...given, name: 'shop' });
    expect(find('shop-apply').resource_group).toBe('shop');
    // Plans take no lock, and run side by side.
    expect(find('shop-plan').resource_group).toBeUndefined();
    expect(find('shop-plan').artifacts?.reports).toEqual({
      terraform: 'hostwright-plan/report.json',
      junit: 'hostwright-plan/plan.junit.xml',
    });
    expect(find('shop-apply').needs).toEqual(['shop-plan']);
    // The page is among what the job keeps.
    expect(find('shop-plan').script.join('\n')).toContain(
      'HOSTWRIGHT_PAGE_URL="$CI_JOB_URL/artifacts/file/hostwright-plan/plan.html"',
    );
    expect(find('shop-plan').artifacts?.paths).toEqual(['hostwright-plan']);
    expect(find('shop-plan').variables).toMatchObject({
      HW_DIR: 'hosting',
      HOSTWRIGHT_STATE_HTTP_PASSWORD: '$CI_JOB_TOKEN',
    });
  });

  const main = { CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'main' };
  const proposed = (from: string) => ({
    ...{ CI_PIPELINE_SOURCE: 'merge_request_event', CI_DEFAULT_BRANCH: 'main' },
    ...{ CI_MERGE_REQUEST_PROJECT_ID: '7', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: from },
  });
  const apply = (when: string) => ({ 'hostwright-plan': 'on_success', 'hostwright-apply': when });
  test.each([
    ['a merge request', proposed('7'), { 'hostwright-plan': 'on_success' }],
    ['a merge request of a fork', proposed('8'), {}],
    ['a merge', { ...main, CI_PIPELINE_SOURCE: 'push' }, apply('manual')],
    ['a push to a branch', { ...main, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'x' }, {}],
    [
      'a schedule',
      { ...main, CI_PIPELINE_SOURCE: 'schedule' },
      { 'hostwright-drift': 'on_success' },
    ],
  ])('%s runs its jobs and no others', async (_, variables, jobs) => {
    expect((await readGitlabJobs(given)).select(variables)).toEqual(jobs);
  });

  test('an apply without anybody who starts it has to be asked for', async () => {
    const { select } = await readGitlabJobs({ ...given, auto_apply: true });
    expect(select({ ...main, CI_PIPELINE_SOURCE: 'push' })).toEqual(apply('on_success'));
  });
});

describe('before a commit', () => {
  interface Hook {
    readonly id: string;
    readonly entry: string;
    readonly args?: readonly string[];
  }

  test.each([
    ['install', ['ci --global=false --include=dev --ignore-scripts', 'run build']],
    ['leave as it is', []],
  ])('npm prepares a checkout for everybody: %s', async (name, expected) => {
    // A global install from git runs `prepare` where nothing has been installed, and tells npm below it to be global, too.
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: { prepare: string };
    };
    const directory = await openFolder('prepared');
    await writeFile(join(directory, 'npm'), '#!/bin/sh\necho "$*" >>ran\n', { mode: 0o755 });
    await mkdir(join(directory, 'dist'));
    if (name !== 'install') await writeFile(join(directory, 'dist/main.js'), '');
    const env = { PATH: `${directory}:${process.env.PATH ?? ''}`, npm_config_global: 'true' };
    execFileSync('sh', ['-c', scripts.prepare], { cwd: directory, env });
    const ran = await readFile(join(directory, 'ran'), 'utf8').catch(() => '');
    const lines = ran.split('\n').filter(Boolean);
    expect(lines.map((line) => line.replace(/ -- .*/, ''))).toEqual(expected);
  });

  test('the hooks of the example format a configuration, and hold up one with a fault', async () => {
    const hooks = await parseYaml<Hook[]>('../../.pre-commit-hooks.yaml');
    const { repos } = await parseYaml<{ repos: { hooks: Hook[] }[] }>('pre-commit.yaml');
    const directory = await openFolder('hooks');
    const file = join(directory, 'main.yaml');
    const run = async (text: string) => {
      await writeFile(file, text);
      const codes: Record<string, number | null> = {};
      for (const { id, args = [] } of repos[0]?.hooks ?? []) {
        const [program, ...words] = (hooks.find((hook) => hook.id === id)?.entry ?? '').split(' ');
        expect({ program, args }).toEqual({ program: 'hostwright', args: ['hosting'] });
        codes[id] = (await runInProcess([...words, '.'], { cwd: directory })).code;
      }
      return codes;
    };
    const fine = { 'hostwright-fmt': 0, 'hostwright-validate': 0 };
    expect(await run('projects:   { shop: {} }\nversion: 1\n')).toEqual(fine);
    expect(await readFile(file, 'utf8')).toBe('version: 1\nprojects: { shop: {} }\n');
    const wrong = await run('version: 1\nprojects: { shop: { vmz: {} } }\n');
    expect(wrong).toEqual({ ...fine, 'hostwright-validate': 1 });
  });
});

test('each place of the state that is shipped or suggested can be read', async () => {
  const { inputs } = await parseYaml<{ inputs: { state: { default: string } } }>(
    '../../action.yml',
  );
  const { spec } = await readGitlabJobs({});
  const suggested = (await read('README.md')).matchAll(/^state: '(.*)'$/gm);
  const texts = [
    ...[inputs.state.default, String(spec.state?.default)],
    ...[...suggested].map(([, text = '']) => text),
  ];
  const settings = await Promise.all(
    texts.map((text) => {
      const expanded = text.replace('$CI_API_V4_URL', 'https://gitlab.example.com/api/v4');
      return parseStateSettings(expanded, 'HOSTWRIGHT_STATE', shipped);
    }),
  );
  expect(new Set(settings.map(({ place }) => place?.kind))).toEqual(
    new Set(['git', 'http', 's3', 'postgres', 'local']),
  );
});

// The pipelines of examples/pipelines as code hosts read them; `pipelines.ci.test.ts` runs them through.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  NoOperationTraceWriter,
  convertWorkflowTemplate,
  parseWorkflow,
} from '@actions/workflow-parser';
import { expect, test } from 'vitest';
import { parseStateSettings } from '../../src/config/load-state-settings.ts';
import { readGitlabJobs } from '../support/run-gitlab-job.ts';

const shipped = resolve(import.meta.dirname, '../../examples/pipelines');
const read = (path: string) => readFile(join(shipped, path), 'utf8');
const workflows = ['hostwright-plan.yml', 'hostwright-apply.yml', 'hostwright-drift.yml'];

const toCopy = [...workflows.map((name) => `github/${name}`), '../release/release.yml'];

test.each(toCopy)('%s is a workflow as GitHub reads it', async (name) => {
  const { context, value } = parseWorkflow(
    { name, content: await read(name) },
    new NoOperationTraceWriter(),
  );
  expect(value).toBeDefined();
  const template = await convertWorkflowTemplate(context, value!);
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  expect(template.jobs).toHaveLength(1);
});

test('on GitLab, what changes the account runs one at a time, and reports are where the host looks', async () => {
  const { find, variables } = await readGitlabJobs(join(shipped, 'gitlab/.gitlab-ci.yml'));
  expect(find('apply').resource_group).toBe('hostwright');
  // Plans take no lock, and run side by side.
  expect(find('plan').resource_group).toBeUndefined();
  expect(find('plan').artifacts?.reports).toEqual({
    terraform: 'hostwright-plan/report.json',
    junit: 'hostwright-plan/plan.junit.xml',
  });
  expect(find('apply').needs).toEqual(['plan']);
  // The page is among what the job keeps.
  expect(find('plan').script.join('\n')).toContain(
    'HOSTWRIGHT_PAGE_URL="$CI_JOB_URL/artifacts/file/hostwright-plan/plan.html"',
  );
  expect(find('plan').artifacts?.paths).toEqual(['hostwright-plan']);
  expect(variables).toMatchObject({
    HW_DIR: 'hosting',
    HOSTWRIGHT_STATE_HTTP_PASSWORD: '$CI_JOB_TOKEN',
  });
});

test('each place of the state that is shipped or suggested can be read', async () => {
  const files = [
    'README.md',
    'gitlab/.gitlab-ci.yml',
    ...workflows.map((name) => `github/${name}`),
  ];
  const texts = await Promise.all(files.map(read));
  const blocks = texts.flatMap((text) => [...text.matchAll(/HOSTWRIGHT_STATE: '(.*)'/g)]);
  const settings = await Promise.all(
    blocks.map(([, block = '']) => {
      const expanded = block.replace('$CI_API_V4_URL', 'https://gitlab.example.com/api/v4');
      return parseStateSettings(expanded, 'HOSTWRIGHT_STATE', shipped);
    }),
  );
  expect(new Set(settings.map(({ place }) => place?.kind))).toEqual(
    new Set(['git', 'http', 's3', 'postgres', 'local']),
  );
});

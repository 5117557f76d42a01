// The pipelines of examples/pipelines as code hosts read them; `pipelines.full.test.ts` runs them through.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  NoOperationTraceWriter,
  convertWorkflowTemplate,
  parseWorkflow,
} from '@actions/workflow-parser';
import { expect, test } from 'vitest';
import { readGitlabJobs } from '../support/run-gitlab-job.ts';

const shipped = resolve(import.meta.dirname, '../../examples/pipelines');
const read = (path: string) => readFile(join(shipped, path), 'utf8');
const workflows = ['hostwright-plan.yml', 'hostwright-apply.yml', 'hostwright-drift.yml'];

test.each(workflows)('%s is a workflow as GitHub reads it', async (name) => {
  const { context, value } = parseWorkflow(
    { name, content: await read(`github/${name}`) },
    new NoOperationTraceWriter(),
  );
  expect(value).toBeDefined();
  const template = await convertWorkflowTemplate(context, value!);
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  expect(template.jobs).toHaveLength(1);
});

test('on GitLab, what changes the account runs one at a time, and reports are where the host looks', async () => {
  const { find, variables } = await readGitlabJobs(join(shipped, 'gitlab/.gitlab-ci.yml'));
  expect(find('plan').resource_group).toBe(find('apply').resource_group);
  expect(find('plan').artifacts?.reports).toEqual({
    terraform: 'hostwright-plan/report.json',
    junit: 'hostwright-plan/plan.junit.xml',
  });
  expect(find('apply').needs).toEqual(['plan']);
  expect(variables).toEqual({ HW_DIR: 'hosting' });
});

// Forms of the pages: each acts by a call of the API. Afterwards the browser reads a page, so that reloading it repeats
// nothing.
import type { RunJson, WorkspaceJson } from '../api/show-run.ts';
import type { VariableEdits } from '../variables/variables.ts';
import { parseApplyFreezeLines, parseApplyWindowLines } from '../windows/window-lines.ts';
import { answerFormPost, redirectToPage } from './answer-page.ts';
import { ApiRefusal, explainApiRefusal } from './page-api.ts';
import { readFormNames, type WebPageRequest } from './page-request.ts';
import type { WorkspaceFormFields } from './pages/workspace-form.ts';
import {
  findRequestedWorkspace,
  showNewWorkspacePage,
  showRunPage,
  showSettingsPage,
  showWorkspaceEditPage,
  showWorkspacePage,
} from './reading-pages.ts';

/** Handles the form that creates a workspace. */
export async function handleCreateWorkspaceForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const fields = { name: form.get('name') ?? '', ...readFields(form) };
  return answerFormPost(
    async () => {
      const body = { ...fields, variables: readFormVariables(form) };
      return placeOf(await api.send<WorkspaceJson>('POST', '/api/v1/workspaces', body));
    },
    (fault) => showNewWorkspacePage(request, fields, fault),
  );
}

/** Handles the form that changes a workspace. */
export async function handleEditWorkspaceForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const { name } = await findRequestedWorkspace(request);
  const fields = { name: (form.get('name') ?? name).trim(), ...readFields(form) };
  return answerFormPost(
    async () => {
      const removed = form.getAll('remove').map((one) => [one, null] as const);
      const variables = { ...readFormVariables(form), ...Object.fromEntries(removed) };
      const path = `/api/v1/workspaces/${name}`;
      return placeOf(await api.send<WorkspaceJson>('PATCH', path, { ...fields, variables }));
    },
    (fault) => showWorkspaceEditPage(request, fields, fault),
  );
}

function placeOf({ name, warning }: WorkspaceJson): string {
  return `/workspaces/${name}${warning === undefined ? '' : '?unchecked=1'}`;
}

function readFields(form: URLSearchParams): Omit<WorkspaceFormFields, 'name'> {
  const read = (name: string) => (form.get(name) ?? '').trim();
  return {
    repository: read('repository'),
    branch: read('branch'),
    directory: read('directory'),
    poll: form.has('poll'),
    connection: read('connection') === '' ? null : read('connection'),
    applyOnMerge: form.has('applyOnMerge'),
    account: read('accountName') === '' ? null : read('accountName'),
    approvals: {
      count: Number(form.get('approvals') ?? 0),
      byAuthor: form.has('byAuthor'),
      hostReviews: form.has('hostReviews'),
    },
    applyWhenApproved: form.has('applyWhenApproved'),
    after: readFormNames(form, 'after'),
    variableSets: readFormNames(form, 'variableSets'),
    reads: readFormNames(form, 'reads'),
    driftEveryMinutes: read('driftEveryMinutes') === '' ? null : Number(read('driftEveryMinutes')),
    applyDrift: form.has('applyDrift'),
    allowProbes: readFormNames(form, 'allowProbes'),
    windows: parseApplyWindowLines(read('windows')),
    freezes: parseApplyFreezeLines(read('freezes')),
  };
}

/** Variables of a form: fields that are not empty, and lines of the form NAME=value. @throws ApiRefusal for another line */
export function readFormVariables(form: URLSearchParams): VariableEdits {
  const set = [...form]
    .filter(([name, value]) => name.startsWith('set:') && value !== '')
    .map(([name, value]) => [name.slice('set:'.length), value] as const);
  const own = Object.fromEntries([...set, ...readLines(form, 'more')]);
  const marked = form.getAll('secret').map((name) => [name, own[name]] as const);
  const secrets = [...marked, ...readLines(form, 'moreSecrets')].map(
    ([name, value]) => [name, { ...(value !== undefined && { value }), secret: true }] as const,
  );
  return { ...own, ...Object.fromEntries(secrets) };
}

function readLines(form: URLSearchParams, field: string): (readonly [string, string])[] {
  const lines = (form.get(field) ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const [, name, value] = /^\s*(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new ApiRefusal(422, `Line ${index + 1} of the variables is not NAME=value`, undefined);
  });
}

/** Handles the form that starts a plan, a drift check or a destroy; for a destroy, the name of the workspace has to be typed. */
export async function handleStartRunForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const { name: workspace } = await findRequestedWorkspace(request);
  const operation = form.get('operation') ?? '';
  if (operation === 'destroy' && form.get('confirm') !== workspace) {
    return showWorkspacePage(request, `Nothing was destroyed: type ${workspace} to confirm it.`);
  }
  return answerFormPost(
    async () => {
      const run = await api.send<RunJson>('POST', '/api/v1/runs', { operation, workspace });
      return `/runs/${run.id}`;
    },
    (fault) => showWorkspacePage(request, fault),
  );
}

/** Handles the form that applies a plan. A second request leads to the run that applies it already. */
export async function handleApplyRunForm(request: WebPageRequest): Promise<Response> {
  const plan = request.param('id');
  try {
    const run = await request.api.send<RunJson>('POST', '/api/v1/runs', {
      operation: 'apply',
      plan,
    });
    return redirectToPage(`/runs/${run.id}`);
  } catch (error) {
    if (error instanceof ApiRefusal && error.run !== undefined)
      return redirectToPage(`/runs/${error.run}`);
    return showRunPage(request, explainApiRefusal(error));
  }
}

/** Handles the form by which a person approves or rejects a plan. */
export async function handlePlanDecisionForm(request: WebPageRequest): Promise<Response> {
  const { form } = request;
  const id = encodeURIComponent(request.param('id'));
  const body = {
    decision: form.get('decision') ?? '',
    comment: (form.get('comment') ?? '').trim(),
  };
  return answerFormPost(
    async () => {
      await request.api.send('POST', `/api/v1/runs/${id}/approvals`, body);
      return `/runs/${id}`;
    },
    (fault) => showRunPage(request, fault),
  );
}

/** Handles the form that repeats a run. */
export async function handleRetryRunForm(request: WebPageRequest): Promise<Response> {
  return act(request, `/api/v1/runs/${encodeURIComponent(request.param('id'))}/retry`);
}

/** Handles the form that cancels a run. */
export async function handleCancelRunForm(request: WebPageRequest): Promise<Response> {
  return act(request, `/api/v1/runs/${encodeURIComponent(request.param('id'))}/cancel`);
}

/** Asks for something that concerns a run, and shows the run that comes of it. */
async function act(request: WebPageRequest, path: string): Promise<Response> {
  return answerFormPost(
    async () => `/runs/${(await request.api.send<RunJson>('POST', path)).id}`,
    (fault) => showRunPage(request, fault),
  );
}

/** Handles the form that holds the server, so that nothing is applied or destroyed. */
export async function handleHoldServerForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const body = { reason: (form.get('reason') ?? '').trim() };
  return changeSettings(request, () => api.send('PUT', '/api/v1/server/hold', body));
}

/** Handles the form that releases a held server. */
export async function handleReleaseServerForm(request: WebPageRequest): Promise<Response> {
  return changeSettings(request, () => request.api.send('DELETE', '/api/v1/server/hold'));
}

async function changeSettings(
  request: WebPageRequest,
  change: () => Promise<unknown>,
): Promise<Response> {
  return answerFormPost(
    async () => {
      await change();
      return '/settings';
    },
    (fault) => showSettingsPage(request, fault),
  );
}

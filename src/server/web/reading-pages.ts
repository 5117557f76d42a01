// The pages that somebody looks at. What they show, they ask the interface for.
import type { ShownApproval } from '../api/approval-routes.ts';
import type { ShownConnection } from '../api/connection-routes.ts';
import type { ShownOverview, ShownServer } from '../api/overview-routes.ts';
import type { ShownComparison, ShownStep } from '../api/report-routes.ts';
import type { ShownRun, ShownWorkspace } from '../api/show-run.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { answerViewer } from './answer-page.ts';
import type { PageApi } from './page-api.ts';
import { PageFault, type PageRequest } from './page-request.ts';
import { renderAudit } from './pages/audit-page.ts';
import { renderOverview } from './pages/overview-page.ts';
import { renderRun } from './pages/run-page.ts';
import { renderSettings } from './pages/settings-page.ts';
import {
  renderWorkspaceForm,
  type VariableNames,
  type WorkspaceFields,
} from './pages/workspace-form.ts';
import { renderWorkspace } from './pages/workspace-page.ts';
import { nameRun } from './parts/words.ts';

/** Number of runs that the page of a workspace shows at a time. */
const runsShown = 20;

/** Shows the overview of workspaces at `/`. */
export async function showOverview(request: PageRequest): Promise<Response> {
  const { api, query, viewer, now } = request;
  const filter = { status: query('status'), search: query('search') ?? '' };
  const asked = new URLSearchParams({
    page: query('page') ?? '1',
    search: filter.search,
    ...(filter.status !== undefined && { status: filter.status }),
  });
  const overview = await api.get<ShownOverview>(`/api/v1/overview?${asked.toString()}`);
  const content = renderOverview(overview, filter, viewer, now);
  return answerViewer(request, { title: 'Workspaces', place: '/', content });
}

/** `/workspaces/:name`. `fault` is why its last form was refused. */
export async function showWorkspacePage(request: PageRequest, fault?: string): Promise<Response> {
  const { api, formToken, now, query } = request;
  const workspace = await findWorkspace(request);
  const { name, status, settledRun } = workspace;
  const before = query('before');
  const asked = new URLSearchParams({
    workspace: name,
    limit: String(runsShown + 1),
    ...(before !== undefined && { before }),
  });
  const [{ runs: read }, settled] = await Promise.all([
    api.get<{ runs: readonly ShownRun[] }>(`/api/v1/runs?${asked.toString()}`),
    (status === 'waiting' || status === 'drifted') && settledRun !== undefined
      ? api.find<ShownRun>(`/api/v1/runs/${settledRun}`)
      : undefined,
  ]);
  // A drift check that found something does not end a plan that waits.
  const waiting = settled && isPlanWithChanges(settled) ? settled : undefined;
  const runs = read.slice(0, runsShown);
  const olderThan = read.length > runsShown ? runs.at(-1)?.number : undefined;
  const content = renderWorkspace({
    workspace,
    runs,
    waiting,
    olderThan,
    formToken,
    now,
    ...(fault !== undefined && { fault }),
    isUnchecked: query('unchecked') !== undefined,
  });
  return answerViewer(request, { title: name, place: '/', content }, fault);
}

/** The workspace of an address. @throws PageFault where there is none */
export async function findWorkspace({ api, param }: PageRequest): Promise<ShownWorkspace> {
  const name = param('name');
  const found = await api.find<ShownWorkspace>(`/api/v1/workspaces/${encodeURIComponent(name)}`);
  if (!found) throw new PageFault(404, 'No such workspace', 'It may have another name.');
  return found;
}

const newFields: WorkspaceFields = {
  name: '',
  repository: '',
  branch: 'main',
  directory: '.',
  reads: [],
  poll: true,
  applyOnMerge: false,
  approvals: { count: 0, byAuthor: false },
  applyWhenApproved: false,
  after: [],
  driftEveryMinutes: null,
  applyDrift: false,
  allowProbes: [],
};

/** `/new-workspace`, with what was typed where the form was refused. */
export async function showNewWorkspace(
  request: PageRequest,
  fields = newFields,
  fault?: string,
): Promise<Response> {
  const { api, formToken } = request;
  const connections = await listConnections(api);
  const view = { fields, variables: undefined, connections, fault, formToken };
  const content = renderWorkspaceForm(view);
  return answerViewer(request, { title: 'New workspace', place: '/', content }, fault);
}

async function listConnections(api: PageApi): Promise<readonly string[]> {
  const { connections } = await api.get<{ connections: readonly ShownConnection[] }>(
    '/api/v1/connections',
  );
  return connections.map(({ name }) => name);
}

/** `/workspaces/:name/edit`, with what was typed where the form was refused. */
export async function showWorkspaceEdit(
  request: PageRequest,
  typed?: WorkspaceFields,
  fault?: string,
): Promise<Response> {
  const { api, formToken } = request;
  const workspace = await findWorkspace(request);
  const path = `/api/v1/workspaces/${workspace.name}/variables`;
  const variables = await api.get<VariableNames>(path);
  const fields = typed ?? workspace;
  const connections = await listConnections(api);
  const content = renderWorkspaceForm({
    name: workspace.name,
    fields,
    variables,
    connections,
    fault,
    formToken,
  });
  return answerViewer(request, { title: `Edit ${workspace.name}`, place: '/', content }, fault);
}

/** Shows the page `/runs/:id`; `fault` tells why its last form was refused. */
export async function showRunPage(request: PageRequest, fault?: string): Promise<Response> {
  const { api, formToken, now } = request;
  const run = await findRun(request);
  const path = `/api/v1/runs/${run.id}`;
  const isPlanned = run.changes !== undefined;
  const isKept = isPlanned && run.deleted === undefined;
  const [workspace, comparison, approval, timeline] = await Promise.all([
    api.find<ShownWorkspace>(`/api/v1/workspaces/${run.workspace}`),
    run.operation === 'plan' && isKept
      ? api.find<ShownComparison>(`${path}/comparison`)
      : undefined,
    run.operation === 'plan' && isPlanned ? api.get<ShownApproval>(`${path}/approvals`) : undefined,
    run.progress && run.endedAt !== undefined
      ? api.get<{ steps: readonly ShownStep[] }>(`${path}/timeline`)
      : undefined,
  ]);
  const isSettled = workspace?.status === 'waiting' || workspace?.status === 'drifted';
  const isWaiting = isSettled && workspace.settledRun === run.id && isPlanWithChanges(run);
  const content = renderRun({
    run,
    hasReport: isKept,
    comparison,
    isWaiting,
    formToken,
    now,
    steps: timeline?.steps ?? [],
    roles: workspace?.roles ?? [],
    approval,
    ...(fault !== undefined && { fault }),
  });
  const title = `${nameRun(run)} of ${run.workspace}`;
  return answerViewer(request, { title, place: '/', content, scripts: ['log.js'] }, fault, 409);
}

function isPlanWithChanges({ operation, hasChanges }: ShownRun): boolean {
  return operation === 'plan' && hasChanges === true;
}

async function findRun({ api, param }: PageRequest): Promise<ShownRun> {
  const run = await api.find<ShownRun>(`/api/v1/runs/${encodeURIComponent(param('id'))}`);
  if (!run) throw new PageFault(404, 'No such run', 'The address may be incomplete.');
  return run;
}

/** `/runs/:id/report`: the page of the plan, for a frame without an origin. */
export async function showReport({ api, param }: PageRequest): Promise<Response> {
  const response = await api.fetch(`/api/v1/runs/${encodeURIComponent(param('id'))}/report`);
  if (!response.ok) throw new PageFault(404, 'No report', 'The run has no plan to show.');
  return response;
}

/** Shows the page `/settings`; `fault` tells why its last form was refused. */
export async function showSettings(request: PageRequest, fault?: string): Promise<Response> {
  const { api, formToken, now } = request;
  const server = await api.get<ShownServer>('/api/v1/server');
  const content = renderSettings(server, formToken, now, fault);
  return answerViewer(request, { title: 'Settings', place: '/settings', content }, fault);
}

/** Number of audit entries that a page shows. */
const entriesShown = 100;

/** Shows the page `/audit`. */
export async function showAudit(request: PageRequest): Promise<Response> {
  const { api, query, now } = request;
  const before = query('before');
  const asked = new URLSearchParams({
    newest: String(entriesShown + 1),
    ...(before !== undefined && { before }),
  });
  const response = await api.fetch(`/api/v1/audit?${asked.toString()}`);
  if (!response.ok) throw new PageFault(422, 'No such entries', 'The address may be incomplete.');
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => JSON.parse(line) as AuditEntry);
  const content = renderAudit(entries.slice(0, entriesShown), entries.length > entriesShown, now);
  return answerViewer(request, { title: 'Audit', place: '/audit', content });
}

// Routes of a run's details beyond its log: the page of its plan, the difference to the plan before, and running it again.
import type { Hono } from 'hono';
import type { RunStep } from '../store/run-step.ts';
import { retryRun } from '../runs/retry-run.ts';
import { describeDeletedDetails, type StoredRun } from '../store/run.ts';
import { describeRunReason, type ApiRequestContext, type ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { describeRunJson } from './show-run.ts';
import type { Schemas } from '../contract.ts';

/** Differences between a plan and the one before, as JSON. */
export type PlanComparisonJson = Schemas['Comparison'];
/** A step of a run with its times, as JSON. */
export type RunStepJson = Schemas['RunStep'];

function showStep({ startedAt, endedAt, ...step }: RunStep): RunStepJson {
  const ended = endedAt === undefined ? {} : { endedAt: new Date(endedAt).toISOString() };
  return { ...step, startedAt: new Date(startedAt).toISOString(), ...ended };
}

/** Adds the API routes of plan reports; `find` throws where there is no such run. */
export function addReportRoutes(
  app: Hono<ApiRequestContext>,
  means: ApiDependencies,
  find: (id: string) => Promise<StoredRun>,
): void {
  const { store } = means;
  app.get('/api/v1/runs/:id/report', async (context) => {
    const { id, deleted } = await find(context.req.param('id'));
    const page = await store.reports.readPage(id);
    if (page === undefined)
      throw new ApiProblemError(404, 'The run has no report', explain(deleted));
    return context.body(page, 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': restrictReport(page),
    });
  });
  app.get('/api/v1/runs/:id/comparison', async (context) => {
    const { id, deleted } = await find(context.req.param('id'));
    const found = await store.reports.readComparison(id);
    if (!found) throw new ApiProblemError(404, 'There is nothing to compare', explain(deleted));
    const { number } = await find(found.with);
    return context.json({ with: { id: found.with, number }, differences: found.differences });
  });
  app.get('/api/v1/runs/:id/timeline', async (context) => {
    const { id } = await find(context.req.param('id'));
    return context.json({ steps: (await store.steps.read(id)).map(showStep) });
  });
  app.post('/api/v1/runs/:id/retry', async (context) => {
    const run = await find(context.req.param('id'));
    if (run.endedAt === undefined) throw new ApiProblemError(409, 'The run has not ended yet');
    const reason = `retry of #${run.number}, ${describeRunReason(context.get('caller'))}`;
    const workspace = await store.workspaces.find(run.workspace);
    if (!workspace) throw new ApiProblemError(404, 'There is no such workspace');
    const by = context.get('acting').by();
    const id = await retryRun(means, workspace, run, { reason, by });
    return context.json(describeRunJson(await find(id)), 201);
  });
}

const explain = (deleted: StoredRun['deleted']) => deleted && describeDeletedDetails(deleted);

/**
 * The page brings a policy of its own, which names its script and its style by their hashes. It holds texts of strangers, so
 * that it is nowhere taken for a page of this server: it has no origin, no cookie, and nobody else may show it.
 */
function restrictReport(page: string): string {
  const own = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page)?.[1] ?? '';
  const isKnown =
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'$/.test(
      own,
    );
  return `sandbox allow-scripts; ${isKnown ? own : "default-src 'none'"}; frame-ancestors 'self'`;
}

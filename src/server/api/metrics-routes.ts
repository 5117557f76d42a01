import type { Hono } from 'hono';
import { DiagnosticError } from '../../model/errors.ts';
import type { ApiEnvironment, ApiMeans } from './api-means.ts';
import { Problem } from '../errors/problem.ts';
import { loadPromClient } from '../metrics/load-prom-client.ts';
import { renderMetrics } from '../metrics/render-metrics.ts';

/** Adds `/metrics`: for whoever may view all workspaces, as a token with the role `view`. */
export function addMetrics(
  app: Hono<ApiEnvironment>,
  { store, version, now }: ApiMeans,
  load = loadPromClient,
): void {
  app.get('/metrics', async (context) => {
    const library = await load().catch((error: unknown) => {
      if (!(error instanceof DiagnosticError)) throw error;
      const [fault] = error.diagnostics;
      throw new Problem(501, fault?.summary ?? error.message, fault?.hint);
    });
    const [figures, workers, accounts, sweptAt] = await Promise.all([
      store.readFigures(),
      store.listWorkers(),
      store.accounts.listUse(),
      store.retention.readSweptAt(),
    ]);
    const text = await renderMetrics(library, {
      figures,
      workers,
      accounts,
      sweptAt,
      version,
      memoryBytes: process.memoryUsage.rss(),
      nowMs: now(),
    });
    return context.body(text, 200, { 'content-type': library.register.contentType });
  });
}

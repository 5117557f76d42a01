import { Hono, type Env } from 'hono';
import { ApiProblemError } from '../errors/problem.ts';
import type { ComponentHealth } from './open-health.ts';

/** Reads the health of each part of this process. */
export type ReadHealth = () => Promise<Readonly<Record<string, ComponentHealth>>>;

/** Adds the health checks `/healthz` and `/readyz`, which need no token. */
export function addHealthRoutes<Bindings extends Env>(
  app: Hono<Bindings>,
  readHealth: ReadHealth,
): void {
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const parts = await readHealth();
    const bad = Object.keys(parts).filter((name) => parts[name] !== 'ok');
    if (bad.length === 0) return context.json({ status: 'ok', parts });
    const problem = new ApiProblemError(503, `Not ready: ${bad.join(', ')}`);
    problem.more = { parts };
    return problem.toResponse();
  });
}

/** Makes the routes of a process without an API: health checks only. */
export function createHealthRoutes(readHealth: ReadHealth): Hono {
  const app = new Hono();
  addHealthRoutes(app, readHealth);
  return app;
}

import type { Hono } from 'hono';
import { receiveWebhook } from '../hosts/webhooks/receive-webhook.ts';
import type { ApiEnvironment, ApiMeans } from './api-means.ts';

/** Adds the way in for webhooks of git hosts. Their signature says who they are; no token of this server does. */
export function addWebhooks(app: Hono<ApiEnvironment>, { store, warn }: ApiMeans): void {
  app.post('/webhooks/:name', async (context) => {
    const answer = await receiveWebhook(store, context.req.param('name'), context.req.raw, warn);
    return context.json(answer, answer.status === 'accepted' ? 202 : 200);
  });
}

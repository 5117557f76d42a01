import type { Hono } from 'hono';
import { openFailedAttemptLimit } from '../access/limit-attempts.ts';
import { receiveWebhook } from '../pulls/receive-webhook.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';

/** Adds the routes that git hosts send webhooks to. They need no token of this server: a signature proves the sender. */
export function addWebhookRoutes(
  app: Hono<ApiRequestContext>,
  { store, warn, now }: ApiDependencies,
): void {
  // Refused webhooks are logged a few times only, so that strangers cannot fill the log.
  const refusals = openFailedAttemptLimit(now);
  const warnOfStranger = (text: string) => {
    if (refusals.isAllowed(text)) warn(text);
    refusals.noteFailure(text);
  };
  app.post('/webhooks/:name', async (context) => {
    const words = { warn, warnOfStranger };
    const answer = await receiveWebhook(store, context.req.param('name'), context.req.raw, words);
    return context.json(answer, answer.status === 'accepted' ? 202 : 200);
  });
}

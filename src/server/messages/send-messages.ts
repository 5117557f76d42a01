// Sends messages, in every process of the server: what one began and did not end, another does.
import type { HttpExchange, HttpAnswer } from '../../model/http.ts';
import { GitHostFault } from '../hosts/host-fault.ts';
import { findRetryDelay } from '../hosts/retry-delay.ts';
import { publicUrlSetting } from '../store/settings.ts';
import type { ServerStore } from '../store/store.ts';
import type { Tracing } from '../traces/tracing.ts';
import { drainTaskQueue, type DueTaskQueue } from '../workers/drain.ts';
import type { ClaimedMessage } from '../store/message-target.ts';
import type { MailSender } from './open-mail.ts';
import { writeMailMessage, writeSlackMessage, writeWebhookMessage } from './write-message.ts';

/** Dependencies that are needed to send due messages. */
export interface MessageSendingDependencies {
  readonly store: Pick<ServerStore, 'messages' | 'settings'>;
  readonly exchange: HttpExchange;
  /** Undefined where this process knows no mail server: another one sends e-mail. */
  readonly mail?: MailSender | undefined;
  readonly workerId: string;
  readonly warn: (text: string) => void;
  readonly tracing: Tracing;
  /** After how long a message is sent again; see `findRetryDelay`. */
  readonly findDelay?: typeof findRetryDelay;
}

/** Targets to which messages are sent at once, one message each, so that targets that hang do not hold up the others. */
const lanes = 8;
const limits = { headersMs: 15_000, bodyMs: 15_000, largestBytes: 1024 * 1024 };

/** Sends all messages about runs and drift that are due. The signal `stopping` ends the work after the messages at hand. */
export async function sendDueMessages(
  work: MessageSendingDependencies,
  stopping: AbortSignal,
): Promise<void> {
  const { store, workerId, warn, tracing, findDelay = findRetryDelay } = work;
  const each = {
    what: () => 'A message',
    span: 'send message',
    work: (message: ClaimedMessage) => send(work, message),
  };
  const tasks: DueTaskQueue<ClaimedMessage> = {
    claim: (worker) => store.messages.claim(worker, work.mail !== undefined),
    end: (message) => store.messages.end(message),
    retry: (message, delayMs, reason) => store.messages.retry(message, delayMs, reason),
    giveUp: (message, reason) => store.messages.giveUp(message, reason),
  };
  const lane = () => drainTaskQueue({ workerId, warn, tracing, findDelay }, stopping, tasks, each);
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** @throws Error, GitHostFault where the target did not take it */
async function send(
  { store, exchange, mail }: MessageSendingDependencies,
  message: ClaimedMessage,
): Promise<void> {
  const target = await store.messages.readTarget(message.target);
  if (!target) return;
  const { kind, address, secret = '' } = target;
  const origin = await store.settings.read(publicUrlSetting);
  const { run } = message.detail;
  const link = origin === undefined || !run ? undefined : `${origin}/runs/${run.id}`;
  if (kind === 'email') {
    await mail?.send({ to: address, id: message.id, ...writeMailMessage(message, link) });
    return;
  }
  const written =
    kind === 'webhook'
      ? writeWebhookMessage(message, { secret, link })
      : writeSlackMessage(message, link);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'hostwright-server',
    ...written.headers,
  };
  const request = { method: 'POST', url: address, headers, body: written.body, ...limits };
  const answer = await exchange(request).catch((error: unknown) => {
    // The address of a webhook may contain a secret, so it is removed from the reason.
    const reason = error instanceof Error ? error.message.replaceAll(address, '…') : 'no answer';
    throw new GitHostFault(`${new URL(address).host} gave no answer: ${reason}`);
  });
  if (answer.status < 200 || answer.status > 299) throw explain(address, answer);
}

/** A target that is gone (410) does not come back; every other refusal may be mended within the hours of the retries. */
function explain(address: string, { status, headers }: HttpAnswer): Error {
  const text = `${new URL(address).host} answered ${status}`;
  const retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1_000 || 0;
  return new GitHostFault(text, { ...(status === 410 && { status }), retryAfterMs });
}

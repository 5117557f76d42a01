// Spells a message for its target: a signed webhook as Standard Webhooks has it, or a text of Slack.
import { createHmac, randomBytes } from 'node:crypto';
import type { ClaimedMessage, MessageContent } from '../store/message-target.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

const secretPrefix = 'whsec_';

/** Makes a secret that signs the messages of a webhook, in the format of Standard Webhooks. */
export function makeSigningSecret(): string {
  return `${secretPrefix}${randomBytes(32).toString('base64')}`;
}

/** A message in the format of its target: the body of a webhook, a text for Slack or an e-mail. */
export interface FormattedTargetMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Formats a message as a webhook request. All attempts share one `webhook-id`, by which the receiver recognises a repetition. */
export function writeWebhookMessage(
  { id, event, detail, at, nowS }: ClaimedMessage,
  { secret, link }: { readonly secret: string; readonly link: string | undefined },
): FormattedTargetMessage {
  const data = { ...detail, ...(link !== undefined && { link }) };
  const body = JSON.stringify({ type: event, timestamp: at.toISOString(), data });
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signed = `${id}.${nowS}.${body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(nowS),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

/** Writes a message for Slack, in the format that many chats accept. */
export function writeSlackMessage(
  { event, detail }: Pick<ClaimedMessage, 'event' | 'detail'>,
  link: string | undefined,
): FormattedTargetMessage {
  const { workspace = '', run } = detail;
  const name = run && `${run.operation} #${run.number}`;
  const place =
    name === undefined ? '' : link === undefined ? ` (${name})` : ` (<${link}|${name}>)`;
  const about = workspace === '' ? '' : `*${workspace}*: `;
  return {
    headers: {},
    body: JSON.stringify({ text: `${about}${describe(event, detail)}${place}` }),
  };
}

/** Writes the subject and the text of a message as an e-mail. */
export function writeMailMessage(
  { event, detail }: Pick<ClaimedMessage, 'event' | 'detail'>,
  link: string | undefined,
): { readonly subject: string; readonly text: string } {
  const { workspace = '', run } = detail;
  const sentence = describe(event, detail);
  const [first = ''] = sentence.split(/[.:(]/, 1);
  const about = workspace === '' ? '' : `${workspace}: `;
  const lines = [
    sentence,
    '',
    ...(workspace === '' ? [] : [`Workspace: ${workspace}`]),
    ...(run ? [`Run: ${run.operation} #${run.number}, ${run.status}`] : []),
    ...(run ? [`Commit: ${run.commit}`] : []),
    ...(link === undefined ? [] : ['', link]),
  ];
  return { subject: `[Hostwright] ${about}${first.trim()}`, text: `${lines.join('\n')}\n` };
}

function describe(
  event: ClaimedMessage['event'],
  { run, counts = {}, drift }: MessageContent,
): string {
  const { count = 0 } = drift ?? {};
  const resources = formatCountWithNoun('resource', count);
  switch (event) {
    case 'drift.began':
      return `The account differs from the state in ${resources}.`;
    case 'drift.changed':
      return `The drift has changed: the account differs from the state in ${resources}.`;
    case 'drift.ended':
      return 'The drift has ended: the account matches the state.';
    case 'run.failed':
      return `The ${run?.operation ?? 'run'} failed.`;
    case 'run.applied':
      return run?.operation === 'destroy'
        ? 'All managed resources are destroyed.'
        : `A plan was applied${sumUp(counts)}.`;
    case 'plan.waiting':
      return `A plan waits for somebody${sumUp(counts)}.`;
    case 'test':
      return 'This is a test message of Hostwright.';
  }
}

const effects = ['import', 'add', 'change', 'rebuild', 'destroy', 'expire', 'due', 'forget'];

function sumUp(counts: Readonly<Record<string, number>>): string {
  const parts = effects
    .filter((name) => (counts[name] ?? 0) > 0)
    .map((name) => `${counts[name] ?? 0} to ${name === 'due' ? 'back up' : name}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

// Targets of messages, and the events that messages are about.
import { isLoopback } from '../../model/text/is-loopback.ts';
import type { Schemas } from '../contract.ts';

/** Events of runs that a message target can subscribe to. */
export const messageEvents = [
  'drift.began',
  'drift.changed',
  'drift.ended',
  'run.failed',
  'run.applied',
  'plan.waiting',
] as const satisfies readonly Schemas['MessageEvent'][];

/** Event of a run that a message target can subscribe to. */
export type MessageEvent = Schemas['MessageEvent'];

/** Form of a target's messages: signed webhooks, texts of Slack, or e-mail. */
export type MessageTargetKind = Schemas['MessageTarget']['kind'];

/** A target of the server's messages about runs and drift: a webhook, a Slack channel or a mail address. */
export interface MessageTarget {
  readonly id: string;
  readonly name: string;
  readonly kind: MessageTargetKind;
  /** The scheme and the host of its address, since the rest of it may be a secret. Of e-mail: the address. */
  readonly site: string;
  readonly events: readonly MessageEvent[];
  /** Names of the workspaces whose messages the target gets; undefined for all. */
  readonly workspaces: readonly string[] | undefined;
  readonly createdAt: Date;
}

/** Secrets of a message target, which are stored encrypted. */
export interface MessageTargetSecrets {
  readonly address: string;
  /** Key that signs the messages of a webhook. */
  readonly secret?: string;
}

/** A message that a worker is sending now. */
export interface ClaimedMessage {
  readonly id: string;
  readonly target: string;
  readonly event: MessageEvent | 'test';
  readonly detail: MessageContent;
  /** Time when the message was written. */
  readonly at: Date;
  readonly attempts: number;
  /** Seconds since the Unix epoch, by the clock of the database. */
  readonly nowS: number;
}

/** Content of a message about a run. */
export type MessageContent = Omit<Schemas['Message']['data'], 'link'>;

/** A message that could not be delivered and is not tried again by itself. */
export interface GivenUpMessage {
  readonly id: string;
  readonly target: string;
  readonly event: string;
  readonly workspace: string | undefined;
  readonly at: Date;
  readonly deadAt: Date;
  readonly attempts: number;
  readonly fault: string;
}

/** The address of a target; undefined for what is none, or would send messages in the clear. */
export function parseMessageTargetAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username + url.password + url.hash !== '') return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return isSafe ? url : undefined;
}

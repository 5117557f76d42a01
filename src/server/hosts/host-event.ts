// Events that webhooks of git hosts are reduced to. Beyond these few words nothing of a payload is believed: everything that
// matters is read from the host itself.
import type { GitHostPerson } from './git-host.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Event at a git host that the server acts on. `repository` is a path, as `acme/infra`. */
export type GitHostEvent =
  | {
      readonly kind: 'push';
      readonly repository: string;
      readonly branch: string;
      readonly commit: string;
    }
  | {
      /** `review`: somebody has approved it, or does so no longer. */
      readonly kind: 'pull' | 'review';
      readonly repository: string;
      readonly number: number;
    }
  | {
      /** A merge queue asks for the checks of what it would put on a branch. */
      readonly kind: 'group';
      readonly repository: string;
      readonly branch: string;
      /** Hash of the commit that the merge would be made upon. */
      readonly before: string;
      readonly commit: string;
      /** Number of the last pull request in a group that is merged together. */
      readonly number: number;
    }
  | {
      readonly kind: 'comment';
      readonly repository: string;
      readonly number: number;
      readonly person: GitHostPerson;
      /** The id of the comment. */
      readonly comment?: string;
      readonly command: CommentCommand;
    };

/** Operations that a comment can ask for. */
const operations = ['plan', 'apply', 'approve', 'discard', 'unlock'] as const;
type CommentOperation = (typeof operations)[number];

/** A command to the server that a person wrote in a comment on a pull request. */
export interface CommentCommand {
  /** `help`: of somebody who asks for it, or whose words are no command. */
  readonly operation: CommentOperation | 'help';
  /** Name of the workspace that the command is for; all workspaces of the pull request unless given. */
  readonly workspace?: string;
  /** Commit that the commenter has read; a command about a pull request from a fork must name it. */
  readonly commit?: string;
}

/** An event of a git host, or the reason why it is ignored. */
export type WebhookEventResult = { readonly event: GitHostEvent } | { readonly ignored: string };

/** An object within a webhook's payload. Any member may be missing, since hosts of many versions send payloads. */
export type WebhookPayloadPart = Readonly<Record<string, unknown>> | undefined;

const command =
  /^hostwright (\w+)(?: ([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))??(?: ([0-9a-f]{64}|[0-9a-f]{40}))?$/;

/** A line so short is meant for the server, and no sentence about it. */
const call = /^hostwright(?: +\S+){0,3}$/i;

/** Reads the command in the first line of a comment; undefined for a comment without one. */
export function readCommentCommand(comment: unknown): CommentCommand | undefined {
  const [first = ''] = typeof comment === 'string' ? comment.split(/\r?\n/, 1) : [];
  const line = first.trimEnd();
  const [, word, workspace, commit] = command.exec(line) ?? [];
  const operation = operations.find((one) => one === word);
  if (operation === undefined) return call.test(line) ? { operation: 'help' } : undefined;
  return {
    operation,
    ...(workspace !== undefined && { workspace }),
    ...(commit !== undefined && { commit }),
  };
}

/** Reads an object within the payload of a webhook. */
export function readPayloadPart(part: WebhookPayloadPart, name: string): WebhookPayloadPart {
  return toPayloadPart(part?.[name]);
}

/** Takes a value of a webhook's payload as an object; an empty one otherwise. */
export function toPayloadPart(value: unknown): WebhookPayloadPart {
  return isJsonObject(value) ? value : undefined;
}

/** Reads a text within the payload of a webhook; empty where there is none. */
export function readPayloadText(part: WebhookPayloadPart, name: string): string {
  const value = part?.[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Makes the event of a push to a branch; anything else, such as a tag or a removed branch, is ignored. */
export function readPushEvent(repository: string, ref: string, commit: string): WebhookEventResult {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
  if (branch === undefined || /^0*$/.test(commit)) return { ignored: 'It brings no branch.' };
  return { event: { kind: 'push', repository, branch, commit } };
}

/** Makes the event of a pull request that has changed, or that somebody has reviewed. */
export function readPullEvent(
  repository: string,
  number: string,
  kind: 'pull' | 'review' = 'pull',
): WebhookEventResult {
  return /^[1-9]\d{0,8}$/.test(number)
    ? { event: { kind, repository, number: Number(number) } }
    : { ignored: 'It names no pull request.' };
}

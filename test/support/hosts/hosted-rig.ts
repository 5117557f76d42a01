import type { Tree } from '../git-repositories.ts';
import type { DoubleGround, DoublePull } from './host-double.ts';

/** A double of a git host: what people do there, and what it sends. */
export interface HostDouble {
  readonly kind: 'github' | 'gitlab';
  readonly ground: DoubleGround;
  /** What a connection to it is made of. */
  readonly connection: object;
  /** Where its webhooks go, and what signs them. */
  webhook: { url: string; secret: string };
  /** Under which name the server writes. */
  readonly ownName: string;
  push(tree: Tree): Promise<string>;
  openPull(
    tree: Tree,
    settings?: { readonly isFork?: boolean; readonly author?: string },
  ): Promise<DoublePull>;
  pushTo(pull: DoublePull, tree: Tree): Promise<void>;
  merge(pull: DoublePull): Promise<string>;
  /** Closes it without merging. */
  close(pull: DoublePull): Promise<void>;
  /** Somebody writes a comment. */
  comment(pull: DoublePull, person: string, body: string): Promise<void>;
  /** Somebody approves the newest commit. */
  approve(pull: DoublePull, person: string): Promise<void>;
  /** The approval of somebody is taken back. */
  unapprove(pull: DoublePull, person: string): Promise<void>;
  /** Sends a webhook. @returns how it was answered */
  send(event: string, payload: object, changes?: DeliveryChanges): Promise<DoubleAnswer>;
  /** Sends the last one again. */
  repeat(): Promise<DoubleAnswer>;
  /** A push, as its payload has it. */
  describePush(commit: string, repository?: string): readonly [event: string, payload: object];
}

/** What is otherwise about a delivery. */
export interface DeliveryChanges {
  readonly secret?: string;
  readonly id?: string;
}

/** How the server answered a webhook. */
export interface DoubleAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Posts a webhook. */
export async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<DoubleAnswer> {
  const response = await fetch(url, {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: await response.json() };
}

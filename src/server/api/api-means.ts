import type { StateGateway } from '../../state/backends/postgres/state-gateway.ts';
import type { SignedInCaller } from '../access/authenticate.ts';
import type { RequestAuditRecorder } from './acting.ts';
import type { ComponentHealth } from '../health/open-health.ts';
import type { MailSender } from '../messages/open-mail.ts';
import type { OidcProvider } from '../oidc/open-oidc.ts';
import type { RunRequestDependencies } from '../runs/request-run.ts';
import type { CheckWorkspaceSource } from '../sources/check-source.ts';
import type { Tracing } from '../traces/tracing.ts';

/** Dependencies that the routes of the API are given. */
export interface ApiDependencies extends RunRequestDependencies {
  readonly warn: (text: string) => void;
  readonly tracing: Tracing;
  /** Signal that is aborted when the server stops, so that streams end. */
  readonly stopping: AbortSignal;
  readonly version: string;
  /** Access to the states of the workspaces. */
  readonly states: StateGateway;
  /** Public address of the server, as `https://hostwright.example.com`; undefined unless it was given. */
  readonly publicUrl: string | undefined;
  /** Reads the health of the parts of this process, such as the database and git. */
  readonly readHealth: () => Promise<Readonly<Record<string, ComponentHealth>>>;
  readonly checkSource: CheckWorkspaceSource;
  /** Sends e-mail; undefined where the environment names no mail server. */
  readonly mail: MailSender | undefined;
  /** Provider by which people sign in; undefined where the environment names none. */
  readonly oidc?: OidcProvider | undefined;
  /** Tells the time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Values that belong to one API request: bindings and variables of Hono. */
export interface ApiRequestContext {
  readonly Bindings: {
    /** Given by the pages of this process, which have checked who asks. */
    readonly caller?: SignedInCaller;
    /** IP address that the request came from. */
    readonly address?: string;
  };
  readonly Variables: { caller: SignedInCaller; acting: RequestAuditRecorder };
}

/** Describes who asked for a run, and by which way. */
export function describeRunReason({ kind, person, isBrowser }: SignedInCaller): string {
  return isBrowser || kind !== 'administrator'
    ? `requested by ${person}`
    : 'requested through the API';
}

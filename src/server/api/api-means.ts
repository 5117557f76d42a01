import type { StateGateway } from '../../state/backends/postgres/state-gateway.ts';
import type { SignedInCaller } from '../access/authenticate.ts';
import type { Acting } from './acting.ts';
import type { PartHealth } from '../health/open-health.ts';
import type { Mail } from '../messages/open-mail.ts';
import type { Oidc } from '../oidc/open-oidc.ts';
import type { RequestMeans } from '../runs/request-run.ts';
import type { CheckSource } from '../sources/check-source.ts';
import type { Tracing } from '../traces/tracing.ts';

/** Dependencies that the routes of the API are given. */
export interface ApiMeans extends RequestMeans {
  readonly warn: (text: string) => void;
  readonly tracing: Tracing;
  /** Signal that is aborted when the server stops, so that streams end. */
  readonly stopping: AbortSignal;
  readonly version: string;
  /** Access to the states of the workspaces. */
  readonly states: StateGateway;
  /** Public address of the server, as `https://hostwright.example.com`; undefined unless it was given. */
  readonly publicUrl: string | undefined;
  /** Reads the health of the parts of this process. */
  readonly readHealth: () => Promise<Readonly<Record<string, PartHealth>>>;
  readonly checkSource: CheckSource;
  /** Sends e-mail; undefined where the environment names no mail server. */
  readonly mail: Mail | undefined;
  /** By which people sign in; undefined where the environment names no provider. */
  readonly oidc?: Oidc | undefined;
  /** Tells the time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Values that belong to one API request: bindings and variables of Hono. */
export interface ApiEnvironment {
  readonly Bindings: {
    /** Given by the pages of this process, which have checked who asks. */
    readonly caller?: SignedInCaller;
    /** IP address that the request came from. */
    readonly address?: string;
  };
  readonly Variables: { caller: SignedInCaller; acting: Acting };
}

/** Describes who asked for a run, and by which way. */
export function describeReason({ kind, person, isBrowser }: SignedInCaller): string {
  return isBrowser || kind !== 'administrator'
    ? `requested by ${person}`
    : 'requested through the API';
}

// HTTP exchanges in plain values: the Fetch classes (`Request`, `Headers`) would cost more processor time than all the rest
// of an exchange.

/** A request, and the limits on its answer. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Time limit for the headers of the answer, in milliseconds. */
  readonly headersMs: number;
  /** Time limit from the answer's headers to its last byte, in milliseconds. */
  readonly bodyMs: number;
  /** Size limit of the answer, unpacked, in bytes. */
  readonly largestBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/**
 * Sends one request once and reads its whole answer; a redirect is not followed. Rejects with an `HttpFailure`, with the
 * signal's reason, or with whatever the network stack throws.
 */
export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>;

/** Value of the sandbox's `Server` header, by which a client recognises it. */
export const sandboxServer = 'Hostwright-Sandbox';

/** Faults of an exchange that only the exchange itself can tell apart. */
export type HttpFault =
  /** The headers of the answer, or all of it, took too long. */
  | { readonly kind: 'overdue'; readonly awaited: 'answer' | 'whole answer'; readonly ms: number }
  /** The answer is larger than `largestBytes`; the rest was not read. */
  | { readonly kind: 'oversized'; readonly largestBytes: number }
  /** The answer began and broke off: the request was certainly sent. */
  | { readonly kind: 'half'; readonly status: number }
  /** The request cannot be sent as it is. */
  | { readonly kind: 'malformed' }
  /** The proxy opened no connection to the service: nothing was sent. `status` is the proxy's own, where it answered. */
  | { readonly kind: 'proxy'; readonly proxy?: string; readonly status?: number };

/** An exchange failed. No text in it holds a header. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly fault: HttpFault;

  constructor(fault: HttpFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

/** The failure of an answer, or of the rest of it, that takes too long. */
export function overdueAnswerFailure(awaited: 'answer' | 'whole answer', ms: number): HttpFailure {
  return new HttpFailure({ kind: 'overdue', awaited, ms }, `no ${awaited} within ${ms / 1_000} s`);
}

/** The failure of an answer that is larger than allowed. */
export function oversizedAnswerFailure(largestBytes: number): HttpFailure {
  const message = `an answer of more than ${largestBytes / 1024 / 1024} MB`;
  return new HttpFailure({ kind: 'oversized', largestBytes }, message);
}

/** Settings of a network of connections to one service. */
export interface NetworkSettings {
  /** The most connections that may be open at once. */
  readonly maxConnections: number;
  /** TLS of connections to the service; the known authorities alone are trusted unless given. */
  readonly tls?: TlsSettings | undefined;
}

/** PEM texts. `key` is secret. */
export interface TlsSettings {
  /** Authorities that are trusted besides the known ones. */
  readonly ca?: string | undefined;
  /** Client certificate; only together with its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Connections that are kept open between exchanges. */
export interface Network {
  readonly exchange: Exchange;
  /** Closes all connections and aborts exchanges under way. */
  close(): void;
}

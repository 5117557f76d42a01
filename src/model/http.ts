// One HTTP exchange in plain values: the classes of the web cost more processor time than all else that an exchange takes.

/** A request, and what its answer may take. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How long the headers of the answer are waited for, in milliseconds. */
  readonly headersMs: number;
  /** How long it may take from its headers to its last byte, in milliseconds. */
  readonly bodyMs: number;
  /** How large it may be, unpacked, in bytes. */
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

/** What the sandbox calls itself in the header `Server` of its answers. */
export const sandboxServer = 'Hostwright-Sandbox';

/** What only an exchange itself can tell of its failure. */
export type HttpFault =
  /** Its headers, or all of it, took too long. */
  | { readonly kind: 'overdue'; readonly awaited: 'answer' | 'whole answer'; readonly ms: number }
  /** It is larger than it may be; the rest was not read. */
  | { readonly kind: 'oversized'; readonly largestBytes: number }
  /** It began and broke off: the request was certainly sent. */
  | { readonly kind: 'half'; readonly status: number }
  /** The request cannot be sent as it is. */
  | { readonly kind: 'malformed' }
  /** The proxy on the way there did not open it: nothing was sent. `status` is its own, where it answered. */
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

/** An answer, or the rest of it, that takes too long. */
export function sayOverdue(awaited: 'answer' | 'whole answer', ms: number): HttpFailure {
  return new HttpFailure({ kind: 'overdue', awaited, ms }, `no ${awaited} within ${ms / 1_000} s`);
}

/** An answer that is larger than it may be. */
export function sayOversized(largestBytes: number): HttpFailure {
  const message = `an answer of more than ${largestBytes / 1024 / 1024} MB`;
  return new HttpFailure({ kind: 'oversized', largestBytes }, message);
}

/** How the network is used. */
export interface NetworkSettings {
  /** How many connections may be open at once. */
  readonly maxConnections: number;
  /** How connections to the service are secured; the known authorities alone are trusted unless given. */
  readonly tls?: TlsSettings | undefined;
}

/** PEM texts. `key` is secret. */
export interface TlsSettings {
  /** Authorities that are trusted besides the known ones. */
  readonly ca?: string | undefined;
  /** Who we are; only together with its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Connections that are kept open between exchanges. */
export interface Network {
  readonly exchange: Exchange;
  /** Ends what is under way. */
  close(): void;
}

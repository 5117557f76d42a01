// HTTP exchanges in plain values: the Fetch classes (`Request`, `Headers`) would cost more processor time than all the rest
// of an exchange.

/** An HTTP request with limits on its answer. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Headers of the request, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Milliseconds to wait for the headers of the answer. */
  readonly headersMs: number;
  /** Time limit from the answer's headers to its last byte, in milliseconds. */
  readonly bodyMs: number;
  /** Largest body of the answer, in bytes after decompression. */
  readonly largestBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** An HTTP answer, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/**
 * Sends one request once and reads its whole answer; a redirect is not followed. Rejects with an `HttpFailure`, with the
 * signal's reason, or with whatever the network stack throws.
 */
export type HttpExchange = (request: HttpRequest) => Promise<HttpAnswer>;

/** Value of the sandbox's `Server` header, by which a client recognises it. */
export const sandboxServerHeader = 'Hostwright-Sandbox';

/** Faults of an exchange that only the exchange itself can tell apart. */
export type HttpExchangeFault =
  /** The headers or the body of the answer took too long to come. */
  | { readonly kind: 'overdue'; readonly awaited: 'answer' | 'whole answer'; readonly ms: number }
  /** The answer is larger than `largestBytes`; the rest was not read. */
  | { readonly kind: 'oversized'; readonly largestBytes: number }
  /** The answer began and broke off: the request was certainly sent. */
  | { readonly kind: 'half'; readonly status: number }
  /** The request cannot be sent, as its URL or a header is malformed. */
  | { readonly kind: 'malformed' }
  /** The proxy opened no connection to the service: nothing was sent. `status` is the proxy's own, where it answered. */
  | { readonly kind: 'proxy'; readonly proxy?: string; readonly status?: number };

/** Failure of an HTTP exchange; its messages quote no header, which may hold a token. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly fault: HttpExchangeFault;

  constructor(fault: HttpExchangeFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

/** The failure of an answer, or of the rest of it, that takes too long. */
export function createOverdueAnswerFailure(
  awaited: 'answer' | 'whole answer',
  ms: number,
): HttpFailure {
  return new HttpFailure({ kind: 'overdue', awaited, ms }, `no ${awaited} within ${ms / 1_000} s`);
}

/** Makes the failure for an answer that is larger than allowed. */
export function createOversizedAnswerFailure(largestBytes: number): HttpFailure {
  const message = `an answer of more than ${largestBytes / 1024 / 1024} MB`;
  return new HttpFailure({ kind: 'oversized', largestBytes }, message);
}

/** Settings of the connections to one service. */
export interface NetworkSettings {
  /** The most connections to the service that may be open at once. */
  readonly maxConnections: number;
  /** TLS of connections to the service; the known authorities alone are trusted unless given. */
  readonly tls?: TlsSettings | undefined;
}

/** Certificates and key for TLS as PEM texts; `key` is secret. */
export interface TlsSettings {
  /** Certificates of authorities that are trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Client certificate, given only together with its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Connections to a service that stay open between requests. */
export interface NetworkConnections {
  readonly exchange: HttpExchange;
  /** Closes all connections and aborts requests under way. */
  close(): void;
}

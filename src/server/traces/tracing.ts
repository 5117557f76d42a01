// Work of a server process as spans of OpenTelemetry. Nothing here holds up or fails the work that it describes, and no text
// of a configuration, no variable and no secret is in a span.

/** Attributes of a span, by the names that OpenTelemetry has for them, or `hostwright.…`. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** A piece of work while it is done. */
export interface TraceSpan {
  /** Says more about it. */
  add(facts: SpanFacts): void;
  /** It came to nothing: the kind of fault, never its words, which may repeat a configuration. */
  fail(type: string): void;
}

/** Parent of a span, unless it is a part of the work around it. */
export interface SpanPlace {
  /** Who has the other end of it; nobody unless given. */
  readonly kind?: 'server' | 'client';
  /** The header `traceparent` of whoever asked for the work. */
  readonly traceparent?: string | undefined;
}

/** Describes work. */
export interface Tracing {
  /** Does the work within a span: spans that begin in it are its parts. An error fails the span, and is thrown again. */
  span<T>(
    name: string,
    facts: SpanFacts,
    work: (span: TraceSpan) => Promise<T>,
    place?: SpanPlace,
  ): Promise<T>;
  /** Sends what has ended, within a few seconds. */
  close(): Promise<void>;
}

const nothing: TraceSpan = { add: () => undefined, fail: () => undefined };

/** Describes nothing: the environment names no place for traces. */
export const noTracing: Tracing = {
  span: (_name, _facts, work) => work(nothing),
  close: () => Promise.resolve(),
};

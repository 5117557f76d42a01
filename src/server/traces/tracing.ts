// Work of a server process as spans of OpenTelemetry. Nothing here holds up or fails the work that it describes, and no text
// of a configuration, no variable and no secret is in a span.

/** Attributes of a span, by the names that OpenTelemetry has for them, or `hostwright.…`. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span of a trace: a piece of work with its start and end. */
export interface TraceSpan {
  /** Adds attributes to the span. */
  add(facts: SpanAttributes): void;
  /** Marks the work as failed, with the kind of fault, never its words, which may repeat a configuration. */
  fail(type: string): void;
}

/**
 * Relation of a span to another process: its side of the call, and its parent there. Without one, the span is a part of the work
 * around it.
 */
export interface SpanParent {
  /** Side of a call that the span describes; absent for work within the process. */
  readonly kind?: 'server' | 'client';
  /** Header `traceparent` of the request that asked for the work. */
  readonly traceparent?: string | undefined;
}

/** Records work as spans of traces. */
export interface Tracing {
  /** Does the work within a span: spans that begin in it are its parts. An error fails the span, and is thrown again. */
  span<T>(
    name: string,
    facts: SpanAttributes,
    work: (span: TraceSpan) => Promise<T>,
    place?: SpanParent,
  ): Promise<T>;
  /** Sends spans that have ended, and gives up after a few seconds. */
  close(): Promise<void>;
}

const nothing: TraceSpan = { add: () => undefined, fail: () => undefined };

/** Tracing that records nothing, for a process whose environment names no collector. */
export const disabledTracing: Tracing = {
  span: (_name, _facts, work) => work(nothing),
  close: () => Promise.resolve(),
};

// A collector of traces as far as the server of Hostwright speaks to one: OTLP as JSON over HTTP, on loopback.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it came in. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** As OTLP numbers them: 1 of this process alone, 2 server, 3 client. */
  readonly kind: number;
  readonly hasFailed: boolean;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** The collector while it runs. */
export interface TraceCollector {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Each request, as it came in. */
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[];
  /** What requests are answered from now on; `never` keeps them waiting. */
  answer: number | 'never';
  /** All spans so far. */
  readSpans(): readonly ReceivedSpan[];
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'facts' | 'resource' | 'hasFailed'> & {
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code: number };
      })[];
    }[];
  }[];
}

/** Starts it on loopback. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      requests.push({ path, headers, body: Buffer.concat(chunks).toString() });
      reply(response, collector.answer);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const collector: TraceCollector = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: 200,
    readSpans: () => requests.flatMap(({ body }) => readSpans(JSON.parse(body) as Sent)),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return collector;
}

function reply(response: ServerResponse, answer: TraceCollector['answer']): void {
  if (answer === 'never') return;
  response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
}

const readSpans = ({ resourceSpans }: Sent): readonly ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ name, traceId, spanId, parentSpanId, kind, attributes, status }) => ({
        ...{ name, traceId, spanId, parentSpanId, kind, hasFailed: status.code === 2 },
        ...{ facts: readAttributes(attributes), resource: readAttributes(resource.attributes) },
      })),
  );

const readAttributes = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

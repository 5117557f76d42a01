// Traces by OTLP over HTTP, to where the standard variables of OpenTelemetry say.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as api from '@opentelemetry/api';
import type { Context } from '@opentelemetry/api';
import type * as exporter from '@opentelemetry/exporter-trace-otlp-http';
import type * as resources from '@opentelemetry/resources';
import type * as sdk from '@opentelemetry/sdk-trace-base';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { loadOptionalPackage } from '../load-package.ts';
import type { WriteLogLine } from '../log-lines.ts';
import { disabledTracing, type SpanParent, type Tracing } from './tracing.ts';

/** Options of sending traces to a collector. */
export interface TracingOptions {
  readonly version: string;
  readonly warn: WriteLogLine;
  /** Milliseconds that the ended spans may take to be sent when the process ends. */
  readonly closeMs?: number;
}

const endpointVariables = [
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
] as const;
const serviceName = 'hostwright';
const closeWithinMs = 5_000;
/** Milliseconds between warnings about an unreachable collector, so that they do not fill the log. */
const warnEveryMs = 10 * 60_000;

/**
 * Opens the export of traces to the collector that the environment names. Without one, no library is loaded, and nothing is
 * traced.
 * @throws DiagnosticError for an invalid address, or where a library is not installed
 */
export async function openTracing(
  { env, clock }: Pick<Runtime, 'env' | 'clock'>,
  { version, warn, closeMs = closeWithinMs }: TracingOptions,
): Promise<Tracing> {
  const name = endpointVariables.find((one) => (env[one] ?? '').trim() !== '');
  if (name === undefined || isOff(env)) return disabledTracing;
  const endpoint = readEndpoint(name, env[name]?.trim() ?? '');
  const libraries = await loadOpenTelemetry();
  const { exporter, resources, sdk } = libraries;
  // The library reads the variables itself, with those for headers, time limits and certificates.
  const sender = warnOfFaults(new exporter.OTLPTraceExporter(), endpoint.host, warn, () =>
    clock.now(),
  );
  const own = { 'service.name': serviceName, 'service.version': version };
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(own))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(sender)],
  });
  const around = new AsyncLocalStorage<Context>();
  return {
    span: openSpans(libraries.api, provider.getTracer(serviceName, version), around),
    close: async () => {
      const ended = new AbortController();
      const patience = sleep(closeMs, undefined, { signal: ended.signal }).catch(() => undefined);
      // Faults of the exporter of traces were reported already, so they do not stop the end.
      await Promise.race([provider.shutdown().catch(() => undefined), patience]);
      ended.abort();
      // Without this, the storage of async context slows every promise of the process.
      around.disable();
    },
  };
}

function isOff(env: Runtime['env']): boolean {
  return (
    env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' ||
    env.OTEL_TRACES_EXPORTER?.trim() === 'none'
  );
}

function openSpans(
  { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, isSpanContextValid, trace }: Api,
  tracer: Tracer,
  around: AsyncLocalStorage<Context>,
): Tracing['span'] {
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  const findParent = ({ traceparent = '' }: SpanParent) => {
    const parent = around.getStore();
    if (parent) return parent;
    const [, traceId = '', spanId = '', flags = ''] = traceparentForm.exec(traceparent) ?? [];
    const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
    const remote = { traceId, spanId, traceFlags, isRemote: true };
    return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
  };
  return async (name, facts, work, place = {}) => {
    const parent = findParent(place);
    const kind = kinds[place.kind ?? 'internal'];
    const span = tracer.startSpan(name, { kind, attributes: facts }, parent);
    const fail = (type: string) => {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    };
    try {
      return await around.run(trace.setSpan(parent, span), () =>
        work({ add: (more) => void span.setAttributes(more), fail }),
      );
    } catch (error) {
      fail(error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  };
}

type Api = OpenTelemetry['api'];
type Tracer = ReturnType<Api['trace']['getTracer']>;

/** Form of the header `traceparent` in the recommendation Trace Context; a later version may have more at its end. */
const traceparentForm =
  /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|(?!00)-)/;

/** Warns operators now and then that traces are being lost. */
function warnOfFaults(
  exporter: SpanExporter,
  host: string,
  warn: WriteLogLine,
  now: () => number,
): SpanExporter {
  let quietUntilMs = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && now() >= quietUntilMs) {
          quietUntilMs = now() + warnEveryMs;
          warn(`Traces are lost: ${host} did not take them. ${explain(result.error)}`);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** The body of an answer is not shown: it may repeat what was sent. */
function explain(error: Error & { readonly code?: unknown }): string {
  return typeof error.code === 'number' ? `It answered ${error.code}.` : `${error.message}.`;
}

function readEndpoint(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'server-traces-settings',
      summary: `${name} is not an address for traces`,
      detail:
        'Traces are sent by OTLP over HTTP. The text is not shown, since it may hold a password.',
      hint: `Set ${name} to an address such as http://127.0.0.1:4318, or unset it.`,
    },
  ]);
}

/** The libraries of OpenTelemetry, as far as traces need them. */
interface OpenTelemetry {
  readonly api: typeof api;
  readonly exporter: typeof exporter;
  readonly resources: typeof resources;
  readonly sdk: typeof sdk;
}

/** The libraries of OpenTelemetry. @throws DiagnosticError where one of them is not installed */
export function loadOpenTelemetry(
  load: () => Promise<OpenTelemetry> = loadAll,
): Promise<OpenTelemetry> {
  return loadOptionalPackage(load, {
    name: '@opentelemetry/exporter-trace-otlp-http',
    version: '0.223',
    others: [
      '@opentelemetry/api@1.9',
      '@opentelemetry/sdk-trace-base@2',
      '@opentelemetry/resources@2',
    ],
    purpose: 'The server needs it to send traces.',
  });
}

async function loadAll(): Promise<OpenTelemetry> {
  const [ofApi, ofExporter, ofResources, ofSdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  return { api: ofApi, exporter: ofExporter, resources: ofResources, sdk: ofSdk };
}

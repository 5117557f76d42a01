import type * as api from '@opentelemetry/api';
import type * as exporter from '@opentelemetry/exporter-trace-otlp-http';
import type * as resources from '@opentelemetry/resources';
import type * as sdk from '@opentelemetry/sdk-trace-base';
import { loadPackage } from '../load-package.ts';

/** The libraries of OpenTelemetry, as far as traces need them. */
export interface OpenTelemetry {
  readonly api: typeof api;
  readonly exporter: typeof exporter;
  readonly resources: typeof resources;
  readonly sdk: typeof sdk;
}

/** The libraries of OpenTelemetry. @throws DiagnosticError where one of them is not installed */
export function loadOpenTelemetry(
  load: () => Promise<OpenTelemetry> = loadAll,
): Promise<OpenTelemetry> {
  return loadPackage(load, {
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

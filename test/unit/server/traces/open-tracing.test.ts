// Where traces go, by the variables of OpenTelemetry, and what becomes of work that is described.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadOpenTelemetry, openTracing } from '../../../../src/server/traces/open-tracing.ts';
import { disabledTracing } from '../../../../src/server/traces/tracing.ts';
import { startTraceCollector } from '../../../support/server/trace-collector.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';

describe('tracing', () => {
  const warn = () => undefined;
  const open = (env: Readonly<Record<string, string>>, closeMs?: number) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const options = { version: '1', warn, ...(closeMs !== undefined && { closeMs }) };
    return openTracing({ env, clock: silentRuntime.clock }, options);
  };

  afterEach(() => vi.unstubAllEnvs());

  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' },
  ])('is off with %j', async (env) => {
    const tracing = await open(env);
    expect(tracing).toBe(disabledTracing);
    expect(await tracing.span('work', {}, () => Promise.resolve(3))).toBe(3);
  });

  it.each(['collector:4317', 'grpc://collector:4317', 'collector'])(
    'refuses the endpoint %s, and shows no part of it',
    async (address) => {
      const opened = open({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address });
      const summary = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not an address for traces';
      const fault = await opened.catch((error: unknown) => error);
      expect(fault).toMatchObject({ diagnostics: [{ code: 'server-traces-settings', summary }] });
      expect(JSON.stringify(fault)).not.toContain('collector');
    },
  );

  it('throws the error of the work again, and sends no word of it', async () => {
    const receiver = await startTraceCollector();
    const { origin } = receiver;
    const tracing = await open({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}/here` });
    const work = () => Promise.reject(new RangeError('covert words'));
    await expect(tracing.span('work', {}, work)).rejects.toThrow('covert words');
    await tracing.close();
    expect(receiver.requests).toMatchObject([{ path: '/here' }]);
    expect(receiver.requests[0]?.body).not.toContain('covert');
    expect(receiver.readSpans()).toMatchObject([
      { name: 'work', hasFailed: true, facts: { 'error.type': 'RangeError' } },
    ]);
    await receiver.close();
  });

  it('closes where the collector does not answer', async () => {
    const receiver = await startTraceCollector();
    receiver.answer = 'never';
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
    };
    const tracing = await open(env, 10);
    await tracing.span('work', {}, () => Promise.resolve());
    await tracing.close();
    await receiver.close();
  });

  it('names the packages where one is not installed', async () => {
    const missing = Object.assign(new Error('Cannot find'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(loadOpenTelemetry(() => Promise.reject(missing))).rejects.toMatchObject({
      diagnostics: [
        {
          hint: 'Install it beside Hostwright, with --global if Hostwright has it: npm install @opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/api@1.9 @opentelemetry/sdk-trace-base@2 @opentelemetry/resources@2',
        },
      ],
    });
  });
});

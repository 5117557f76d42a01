// Traces of the built program, as a collector gets them, and what becomes of the work where none takes them.
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadOpenTelemetry } from '../../src/server/traces/load-opentelemetry.ts';
import { openTracing } from '../../src/server/traces/open-tracing.ts';
import { noTracing } from '../../src/server/traces/tracing.ts';
import { ApiClient } from '../support/server/api-client.ts';
import { startMessageReceiver, type MessageReceiver } from '../support/server/message-receiver.ts';
import { openServerRig, type Running, type ServerRig } from '../support/server/server-rig.ts';
import {
  startTraceCollector,
  type ReceivedSpan,
  type TraceCollector,
} from '../support/server/trace-collector.ts';
import { silentRuntime } from '../support/silent-runtime.ts';

const configuration = `version: 1
projects:
  covert-project:
    networks: { covert-network: {} }
outputs:
  covert-output: { value: covert-value }
`;
const covertVariable = 'covert-variable';
const headers = 'authorization=Bearer%20covert-header';

let collector: TraceCollector;
let rig: ServerRig;
let server: Running;
let receiver: MessageReceiver;
let api: ApiClient;

const envFor = (origin: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: origin,
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
});

const list = (spans: readonly ReceivedSpan[], of: ReceivedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === of?.spanId);

beforeAll(async () => {
  collector = await startTraceCollector();
  receiver = await startMessageReceiver();
  rig = await openServerRig(resolve('.'), 1_000);
  const env = { ...envFor(collector.origin), OTEL_SERVICE_NAME: 'team-server' };
  server = await rig.start(['server', '--port', '0', '--no-runs'], { env });
  const { origin = '', adminToken = '' } = server.ready;
  api = new ApiClient(origin, adminToken);
  await rig.repository.commit({ 'main.yaml': configuration });
  const { baseUrl, token } = rig.account;
  const variables = {
    ...{ HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
    HOSTWRIGHT_VAR_unused: covertVariable,
  };
  for (const [name, directory] of [
    ['shop', '.'],
    ['astray', 'nowhere'],
  ])
    await api.call('POST', '/api/v1/workspaces', {
      ...{ name, directory, repository: rig.repositoryUrl, variables },
    });
});

afterAll(async () => {
  await rig.close();
  await receiver.close();
  await collector.close();
});

describe('a run', () => {
  it('is one trace, with its checkout and each call of the program', async () => {
    const worker = await rig.start(['worker'], { env: envFor(collector.origin) });
    const address = `${receiver.origin}/covert-hook`;
    const target = { name: 'ops', kind: 'webhook', address, events: ['run.failed'] };
    expect((await api.call('POST', '/api/v1/message-targets', target)).status).toBe(201);
    const plan = await api.run({ operation: 'plan', workspace: 'shop' });
    expect(await api.ended(plan.id)).toMatchObject({ status: 'succeeded', hasChanges: true });
    const apply = await api.run({ operation: 'apply', plan: plan.id });
    expect(await api.ended(apply.id)).toMatchObject({ status: 'succeeded' });
    const astray = await api.run({ operation: 'plan', workspace: 'astray' });
    expect(await api.ended(astray.id)).toMatchObject({ status: 'failed' });
    await vi.waitFor(() => expect(receiver.taken('astray')).toEqual(['run.failed']), 30_000);
    await worker.stop();
    const spans = collector.readSpans();
    const find = (id: string) =>
      spans.filter(({ name, facts }) => name === 'run' && facts['hostwright.run.id'] === id);
    const [planned] = find(plan.id);
    const [applied] = find(apply.id);
    expect([find(plan.id), find(apply.id), find(astray.id)].map((one) => one.length)).toEqual([
      ...[1, 1, 1],
    ]);
    expect(planned?.facts).toMatchObject({
      ...{ 'hostwright.workspace': 'shop', 'hostwright.run.operation': 'plan' },
      ...{ 'hostwright.run.attempt': 1, 'hostwright.run.status': 'succeeded' },
      'hostwright.run.ending': 'completed',
    });
    expect(planned?.resource).toMatchObject({ 'service.name': 'hostwright' });
    expect(planned?.parentSpanId).toBeUndefined();
    expect(applied?.parentSpanId).toBeUndefined();
    expect(applied?.traceId).not.toBe(planned?.traceId);
    expect(list(spans, planned).map(({ name }) => name)).toEqual(['checkout', 'plan']);
    expect(list(spans, applied).map(({ name }) => name)).toEqual([
      ...['checkout', 'show', 'apply', 'output'],
    ]);
    for (const run of [planned, applied])
      for (const part of list(spans, run))
        expect([part.traceId, part.hasFailed]).toEqual([run?.traceId, false]);
    expect(list(spans, planned)[1]?.facts).toMatchObject({ 'process.exit.code': 2 });
    const [refused] = find(astray.id);
    expect(refused).toMatchObject({ hasFailed: true, facts: { 'error.type': 'refused' } });
    expect(list(spans, refused)).toMatchObject([
      { name: 'checkout', hasFailed: true, facts: { 'error.type': 'RunFault' } },
    ]);
    const lines = worker.complaints().split('\n').slice(0, -1);
    expect(lines.filter((line) => line.includes('"warn"'))).toEqual([]);
  });

  it.each([
    ['never answers', 'never'],
    ['is out of order', 500],
    ['is down', undefined],
  ] as const)('goes on where the collector %s, which is one warning', async (_what, answer) => {
    const away = await startTraceCollector();
    if (answer === undefined) await away.close();
    else away.answer = answer;
    const env = { ...envFor(away.origin), OTEL_BSP_SCHEDULE_DELAY: '50' };
    const worker = await rig.start(['worker'], { env });
    for (const operation of ['plan', 'drift']) {
      const { id } = await api.run({ operation, workspace: 'shop' });
      expect(await api.ended(id)).toMatchObject({ status: 'succeeded' });
    }
    await worker.stop();
    const { host } = new URL(away.origin);
    const warnings = worker
      .complaints()
      .split('\n')
      .filter((line) => line.includes('"warn"'));
    expect(warnings).toEqual([
      expect.stringContaining(`Traces are lost: ${host} did not take them.`),
    ]);
    expect(worker.process.exitCode).toBe(0);
    if (answer !== undefined) await away.close();
  });
});

describe('a request', () => {
  it('has its route, and belongs to whoever asked; nothing sent has a secret', async () => {
    const traceId = 'a'.repeat(32);
    const spanId = 'b'.repeat(16);
    const ask = (path: string, traceparent: string) =>
      fetch(`${api.origin}${path}`, {
        headers: { authorization: `Bearer ${api.token}`, traceparent },
      });
    await ask('/api/v1/workspaces/shop?covert-query', `00-${traceId}-${spanId}-01`);
    await ask('/api/v1/workspaces/astray', `00-${'0'.repeat(32)}-${spanId}-01`);
    await ask('/healthz', `00-${traceId}-${spanId}-01`);
    await ask('/covert-path', '');
    await server.stop();
    const spans = collector.readSpans();
    // Which of the two processes sent it does not matter.
    const message = { name: 'send message', hasFailed: false, parentSpanId: undefined };
    expect(spans).toContainEqual(expect.objectContaining(message));
    const route = 'GET /api/v1/workspaces/:name';
    const [asked, other] = spans.filter(({ name }) => name === route);
    expect(asked).toMatchObject({
      ...{ kind: 2, traceId, parentSpanId: spanId, hasFailed: false },
      resource: { 'service.name': 'team-server' },
      facts: {
        ...{ 'http.request.method': 'GET', 'http.route': '/api/v1/workspaces/:name' },
        'http.response.status_code': 200,
      },
    });
    expect(other?.parentSpanId).toBeUndefined();
    expect(spans.filter(({ traceId: id }) => id === traceId)).toHaveLength(1);
    const nothing = spans.find(({ name }) => name === 'GET');
    expect(nothing?.facts['http.response.status_code']).toBe(404);
    expect(collector.requests.map(({ path }) => path)).not.toContain('/');
    expect(new Set(collector.requests.map((one) => one.headers.authorization))).toEqual(
      new Set(['Bearer covert-header']),
    );
    const sent = collector.requests.map(({ path, body }) => path + body).join('\n');
    const secrets = [rig.account.token, api.token, rig.postgres.url, rig.repositoryUrl];
    for (const secret of [...secrets, 'covert']) expect(sent).not.toContain(secret);
  });
});

describe('tracing', () => {
  const warn = () => undefined;
  const open = (env: Readonly<Record<string, string>>, closeMs?: number) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const options = { version: '1', warn, ...(closeMs !== undefined && { closeMs }) };
    return openTracing({ env, clock: silentRuntime.clock }, options);
  };

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' },
  ])('is off with %j', async (env) => {
    const tracing = await open(env);
    expect(tracing).toBe(noTracing);
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
    const env = { ...envFor(receiver.origin), OTEL_EXPORTER_OTLP_TIMEOUT: '600000' };
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
          hint: 'Install it beside Hostwright: npm install @opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/api@1.9 @opentelemetry/sdk-trace-base@2 @opentelemetry/resources@2',
        },
      ],
    });
  });
});

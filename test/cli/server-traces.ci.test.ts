// Traces of the built program, as a collector gets them, and what becomes of the work where one never answers.
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { network, openHostedRig } from '../support/hosts/open-hosted-rig.ts';
import { ApiClient } from '../support/server/api-client.ts';
import { startMessageReceiver, type MessageReceiver } from '../support/server/message-receiver.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { openServerRig, type Running, type ServerRig } from '../support/server/server-rig.ts';
import {
  startTraceCollector,
  type ReceivedSpan,
  type TraceCollector,
} from '../support/server/trace-collector.ts';

/** The environment of a process that sends its traces there. */
const traceTo = (origin: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: origin,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20covert-header',
});
/** Milliseconds that one batch may take. It leaves no room for the exporter's second try, so it is for collectors that never take one. */
const briefly = { OTEL_EXPORTER_OTLP_TIMEOUT: '1000', OTEL_BSP_SCHEDULE_DELAY: '50' };

const configuration = `version: 1
projects:
  covert-project:
    networks: { covert-network: {} }
outputs:
  covert-output: { value: covert-value }
`;
const covertVariable = 'covert-variable';

let collector: TraceCollector;
let rig: ServerRig;
let server: Running;
let receiver: MessageReceiver;
let api: ApiClient;

const list = (spans: readonly ReceivedSpan[], of: ReceivedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === of?.spanId);

beforeAll(async () => {
  collector = await startTraceCollector();
  receiver = await startMessageReceiver();
  rig = await openServerRig(asProcesses(resolve('.')), 1_000);
  const env = { ...traceTo(collector.origin), OTEL_SERVICE_NAME: 'team-server' };
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
    ['astray', 'covert-directory'],
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
    const worker = await rig.start(['worker'], { env: traceTo(collector.origin) });
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
    const env = { ...traceTo(away.origin), ...briefly };
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
    expect(await worker.ended).toBe(0);
    if (answer !== undefined) await away.close();
  });
});

it('a request has its route, and belongs to whoever asked; nothing sent has a secret', async () => {
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

it('a webhook is traced as it comes in, is handled, and is reported', async () => {
  const receiving = await startTraceCollector();
  const env = traceTo(receiving.origin);
  const hosted = await openHostedRig(asProcesses(resolve('.')), 'github', { env });
  await hosted.double.ground.repository.commit({ 'shop/main.yaml': network('main') });
  await hosted.makeWorkspace('shop', { directory: 'shop' });
  const worker = await hosted.startWorker();
  await hosted.double.openPull({ 'shop/main.yaml': network('main', 'second') });
  await vi.waitFor(() => expect(hosted.double.ground.comments).toHaveLength(1), {
    timeout: 40_000,
    interval: 100,
  });
  await worker.stop();
  await hosted.server.stop();
  const spans = receiving.readSpans();
  const accepted = { name: 'POST /webhooks/:name', kind: 2, hasFailed: false };
  for (const span of [accepted, { name: 'handle webhook' }, { name: 'deliver report' }])
    expect(spans).toContainEqual(expect.objectContaining(span));
  const sent = receiving.requests.map(({ body }) => body).join('\n');
  for (const secret of [hosted.double.webhook.secret, hosted.rig.account.token, 'second'])
    expect(sent).not.toContain(secret);
  await hosted.close();
  await receiving.close();
});

// The figures in the format of Prometheus. They come from the database, so a registry is made for each answer.
import type * as prometheus from 'prom-client';
import type { AccountRequestUse } from '../accounts/accounts.ts';
import { durationBoundsSeconds } from '../database/migrations/totals-migration.ts';
import type { LiveWorker } from '../store/list-workers.ts';
import type { WorkspaceStatus } from '../store/workspaces.ts';
import type { DurationHistogram, ServerFigures } from '../store/server-figures.ts';

/** Figures that the metrics for Prometheus show. */
export interface MetricsView {
  readonly figures: ServerFigures;
  readonly workers: readonly LiveWorker[];
  readonly accounts: readonly AccountRequestUse[];
  /** Time at which old runs were last searched for details to delete, in RFC 3339; undefined before the first search. */
  readonly sweptAt: string | undefined;
  /** Version of the process that answers. */
  readonly version: string;
  /** Memory of the process that answers, in bytes. */
  readonly memoryBytes: number;
  /** Present time, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

type Labels = Readonly<Record<string, string>>;

/** Durations of one metric with their labels. */
interface DurationSeries {
  readonly labels: Labels;
  readonly durations: DurationHistogram;
}

/** A number of a metric with its labels. */
type Series = readonly [labels: Labels, value: number];

/** Writes the metrics in the text format of Prometheus. */
export function renderMetrics(library: typeof prometheus, view: MetricsView): Promise<string> {
  const registry = new library.Registry();
  const { totals, workspaces, open, oldestQueuedS, pending } = view.figures;
  const gauge = (
    name: string,
    help: string,
    series: readonly Series[],
    labelNames = Object.keys(series[0]?.[0] ?? {}),
  ) => {
    const metric = new library.Gauge({ name, help, labelNames, registers: [registry] });
    for (const [labels, value] of series) metric.set(labels, value);
  };
  gauge('hostwright_workspaces', 'Workspaces by status', [
    ...statuses.map((status): Series => [{ status }, 0]),
    ...count(workspaces, 'status'),
  ]);
  gauge('hostwright_runs', 'Runs that are queued or running', [
    ...combine(['queued', 'running'], operations).map((labels): Series => [labels, 0]),
    ...open.map(({ kind: status, operation, count }): Series => [{ operation, status }, count]),
  ]);
  gauge('hostwright_oldest_queued_seconds', 'How long the oldest queued run has waited', [
    [{}, oldestQueuedS],
  ]);
  gauge('hostwright_pending', 'Tasks that wait for a worker', count(pending, 'kind'));
  gauge('hostwright_workers', 'Connected processes by version', countVersions(view.workers));
  gauge('hostwright_server_info', 'The version of the process that answers', [
    [{ version: view.version }, 1],
  ]);
  gauge('hostwright_process_memory_bytes', 'Resident memory of the process that answers', [
    [{}, view.memoryBytes],
  ]);
  if (view.sweptAt !== undefined)
    gauge('hostwright_retention_swept_timestamp_seconds', 'When all old runs were looked at last', [
      [{}, Date.parse(view.sweptAt) / 1_000],
    ]);
  const counter = (
    name: string,
    help: string,
    series: readonly Series[],
    labelNames: readonly string[],
  ) => {
    const metric = new library.Counter({ name, help, labelNames, registers: [registry] });
    for (const [labels, value] of series) metric.inc(labels, value);
  };
  const ofAccounts = (value: (use: AccountRequestUse) => number) =>
    view.accounts.map((use): Series => {
      const { service, mark, name } = use;
      return [{ service, account: name ?? mark }, value(use)];
    });
  counter(
    'hostwright_account_requests_total',
    'Requests to an account',
    ofAccounts(({ requests }) => requests),
    accountLabels,
  );
  counter(
    'hostwright_account_refusals_total',
    'Requests that an account answered with 429',
    ofAccounts(({ refusals }) => refusals),
    accountLabels,
  );
  gauge(
    'hostwright_account_held_seconds',
    'For how long nothing is sent to an account after a 429',
    ofAccounts(({ heldUntil }) => Math.max(0, ((heldUntil?.getTime() ?? 0) - view.nowMs) / 1_000)),
    accountLabels,
  );
  counter(
    'hostwright_runs_ended_total',
    'Runs that have ended',
    [
      ...combine(endings, operations).map((labels): Series => [labels, 0]),
      ...totals.map(({ operation, status, count }): Series => [{ operation, status }, count]),
    ],
    ['operation', 'status'],
  );
  const seriesOf = (which: 'took' | 'waited') =>
    totals.map(({ operation, status, ...total }) => ({
      labels: { operation, status },
      durations: total[which],
    }));
  const took = { name: 'hostwright_run_duration_seconds', help: 'How long runs took' };
  const waited = { name: 'hostwright_run_wait_seconds', help: 'How long runs waited to begin' };
  registry.registerMetric(makeHistogram(library, took, seriesOf('took')));
  registry.registerMetric(makeHistogram(library, waited, seriesOf('waited')));
  return registry.metrics();
}

/** Labels of an account, also where there is none yet. */
const accountLabels = Object.keys({ service: '', account: '' });
/** Series that are there before anything is counted: a rate of one that begins with its first count misses that. */
const statuses: readonly WorkspaceStatus[] = [
  ...(['failed', 'drifted', 'waiting', 'running', 'neverPlanned', 'inSync', 'destroyed'] as const),
];
const operations = ['plan', 'preview', 'apply', 'destroy', 'drift'];
const endings = ['succeeded', 'failed', 'cancelled', 'superseded'];

function combine(some: readonly string[], all: readonly string[]): readonly Labels[] {
  return some.flatMap((status) => all.map((operation) => ({ operation, status })));
}

function count(
  counts: readonly { readonly kind: string; readonly count: number }[],
  label: string,
): readonly Series[] {
  return counts.map(({ kind, count: value }) => [{ [label]: kind }, value]);
}

function countVersions(workers: readonly LiveWorker[]): readonly Series[] {
  const counts = new Map<string, number>();
  for (const { version } of workers) counts.set(version, (counts.get(version) ?? 0) + 1);
  return [...counts].map(([version, value]) => [{ version }, value]);
}

/** A histogram of what was counted elsewhere: the library's own only counts by itself. */
function makeHistogram(
  library: typeof prometheus,
  { name, help }: { readonly name: string; readonly help: string },
  series: readonly DurationSeries[],
): prometheus.Histogram {
  class CountedElsewhere extends library.Histogram {
    /** Called by the registry of prom-client to read a metric. */
    getForPromString() {
      const values = series.flatMap((one) => listValues(name, one));
      return Promise.resolve({ name, help, type: 'histogram', values });
    }
  }
  return new CountedElsewhere({ name, help, registers: [] });
}

function listValues(name: string, { labels, durations: { sumS, counts } }: DurationSeries) {
  const bounds = [...durationBoundsSeconds.map(String), '+Inf'];
  const buckets = bounds.map((le, index) => ({
    metricName: `${name}_bucket`,
    labels: { ...labels, le },
    value: sum(counts.slice(0, index + 1)),
  }));
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumS },
    { metricName: `${name}_count`, labels, value: sum(counts) },
  ];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}

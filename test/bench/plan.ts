// What planning takes as a configuration grows: `validate`, a plan that creates everything, and a plan that finds
// nothing to do, against the sandbox; beside it Terraform's plan that creates as many trivial resources, and the ratio of
// the two. Figures and ratios: they never pass or fail.

import { exchangeByFetch } from '../../src/api/transport/exchange-by-fetch.ts';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceClient, type ServiceClient } from '../../src/api/client.ts';
import { makePlan, type PlanWithSources } from '../../src/engine/make-plan.ts';
import { makeDefaultPlanParameters } from '../../src/engine/plan-order.ts';
import { makeDiscardingSecretSinks } from '../../src/engine/sinks.ts';
import { loadConfiguration, type Configuration } from '../../src/config/load-configuration.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import { noPlanOptions } from '../../src/model/plan/plan.ts';
import type { State } from '../../src/model/state/state.ts';
import { readAttributeText } from '../../src/model/value.ts';
import { renderPlanText } from '../../src/render/text/text.ts';
import { createAnsiStyle } from '../../src/render/format/style.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { measureTerraform } from '../support/terraform.ts';

const sizes = [100, 1_000, 5_000, 10_000] as const;
const projectCount = 20;
const plenty = { cpu: 1e9, ram: 1e9, disk: 1e9, projects: 1e6 };

interface Figures {
  readonly validateMs: number;
  readonly createMs: number;
  readonly noChangeMs: number;
  readonly requests: number;
  readonly pages: number;
  readonly peakMb: number;
}

/** So many VMs, spread over the projects. */
function writeConfiguration(directory: string, vms: number): void {
  const each = Math.ceil(vms / projectCount);
  const projects = Array.from({ length: projectCount }, (_, index) => {
    const body = `count: ${each}, image: debian-12, configuration: c1-r1-d20, tariff: monthly`;
    return `  p${index}:\n    vms:\n      vm: { ${body} }\n`;
  });
  writeFileSync(join(directory, 'main.yaml'), `version: 1\nprojects:\n${projects.join('')}`);
}

async function load(directory: string): Promise<Configuration> {
  const { configuration, diagnostics } = await loadConfiguration({
    directory,
    workingDirectory: directory,
  });
  if (!configuration) throw new Error(JSON.stringify(diagnostics));
  return configuration;
}

/** Processor time of this process, user and system, for one piece of work. */
async function cpuMs<T>(work: () => Promise<T>): Promise<[number, T]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1_000, result];
}

/** The account as the configuration wants it, made through the service's own interface. */
async function fill(client: ServiceClient, { graph }: Configuration): Promise<void> {
  const ids = new Map<string, string>();
  for (const { kind, address, attributes } of graph.resources) {
    if (kind !== 'project') continue;
    await client.send({ kind: 'createProject', name: readAttributeText(attributes, 'name') });
    const live = (await client.listProjects()).find(({ name }) => name === attributes.name);
    ids.set(address, live?.id ?? '');
  }
  for (const { kind, project, attributes } of graph.resources) {
    if (kind !== 'vm') continue;
    await client.send({
      kind: 'createVm',
      project: ids.get(project) ?? '',
      name: readAttributeText(attributes, 'name'),
      imageId: 'img-debian-12',
      configurationId: 'cfg-c1r1d20',
      tariffId: 'trf-monthly',
      sshKeys: [],
      publicIp: 'none',
      plugins: [],
    });
  }
}

function planner(sandbox: Sandbox, configuration: Configuration, now: () => number) {
  const count = { requests: 0 };
  const clock = { now, sleep: () => Promise.resolve() };
  const client = createServiceClient({
    kinds: kindRegistry,
    baseUrl: 'http://sandbox/v1',
    token: sandbox.token,
    clock: { now, sleep: () => new Promise<void>(() => undefined) },
    random: () => 0.5,
    maxConcurrency: 16,
    exchange: exchangeByFetch((request) => {
      count.requests += 1;
      return sandbox.fetch(request);
    }, clock),
  });
  const plan = (state: State, adoptsAll = false): Promise<PlanWithSources> =>
    makePlan(
      {
        state,
        clock,
        connection: { client, service: 'sandbox', isSandbox: () => false },
        sinks: makeDiscardingSecretSinks('nowhere'),
      },
      {
        ...makeDefaultPlanParameters('apply', configuration.graph),
        planOptions: { ...noPlanOptions, adoptsAll },
      },
    );
  return { client, plan, count };
}

async function measure(vms: number): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'hostwright-bench-'));
  try {
    writeConfiguration(directory, vms);
    await load(directory); // the first load compiles the schema
    const [validateMs, configuration] = await cpuMs(() => load(directory));
    let time = Date.UTC(2026, 0, 1);
    const sandbox = await openSandbox({ dataFile: ':memory:', now: () => time, quotas: plenty });
    const { client, plan, count } = planner(sandbox, configuration, () => time);
    const empty: State = {
      lineage: 'bench',
      serial: 0,
      service: null,
      resources: new Map(),
      pending: new Map(),
    };
    const [createMs] = await cpuMs(async () => {
      const { plan: shown } = await plan(empty);
      renderPlanText(shown, { columns: 80, style: createAnsiStyle(false) });
    });
    await fill(client, configuration);
    time += 3_600_000;
    const { known } = await plan(empty, true);
    count.requests = 0;
    const [noChangeMs, { plan: unchanged }] = await cpuMs(() => plan(known));
    if (unchanged.changes.some(({ action }) => action !== 'no-op'))
      throw new Error('not unchanged');
    sandbox.close();
    return {
      validateMs,
      createMs,
      noChangeMs,
      requests: count.requests,
      pages: projectCount * (Math.ceil(vms / projectCount / 100) + 3) + 1,
      peakMb: process.resourceUsage().maxRSS / 1_024,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const column = (value: string | number) => String(value).padStart(12);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

async function main(): Promise<void> {
  const alone = process.env.HOSTWRIGHT_BENCH_SIZE;
  if (alone !== undefined) {
    process.stdout.write(JSON.stringify(await measure(Number(alone))));
    return;
  }
  console.log('plan: processor time and peak memory, the sandbox in the same process');
  console.log(
    [
      ...['VMs', 'validate', 'create all', 'no change', 'requests', 'pages', 'peak MB'],
      ...['terraform', 'ratio'],
    ]
      .map(column)
      .join(''),
  );
  let last: Figures | undefined;
  for (const size of sizes) {
    // Each in a process of its own: peak memory is of one run, and no run warms up the next.
    const text = execFileSync(process.execPath, [import.meta.filename], {
      env: { ...process.env, HOSTWRIGHT_BENCH_SIZE: String(size) },
      encoding: 'utf8',
    });
    const figures = JSON.parse(text) as Figures;
    const terraform = measureTerraform(['plan'], size);
    console.log(
      [
        size,
        seconds(figures.validateMs),
        seconds(figures.createMs),
        seconds(figures.noChangeMs),
        figures.requests,
        figures.pages,
        Math.round(figures.peakMb),
        terraform === undefined ? 'none here' : seconds(terraform.ms),
        terraform === undefined ? '-' : (figures.createMs / terraform.ms).toFixed(2),
      ]
        .map(column)
        .join(''),
    );
    if (last)
      console.log(`  no change: ${(figures.noChangeMs / last.noChangeMs).toFixed(2)} times`);
    last = figures;
  }
}

await main();

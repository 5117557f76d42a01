// Golden cases: a folder with what a plan is made of, and the plan as it is shown. A person reads them; a machine
// sees that they stay true.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import type { UnshownResource } from '../../src/kinds/unfound.ts';
import type { ResourceAddress } from '../../src/model/address.ts';
import type { Plan, PlanMode, PlanOptions } from '../../src/model/plan/plan.ts';
import { lostCreateSearchBounds } from '../../src/model/state/evidence.ts';
import type { State } from '../../src/model/state/state.ts';
import { describeVersionEvent } from '../../src/render/json/event-json.ts';
import { renderPlanHtml } from '../../src/render/html/report.ts';
import { renderPlanJson, type PlanJson } from '../../src/render/json/json.ts';
import { renderFindingsJunit } from '../../src/render/json/junit.ts';
import { renderPlanMarkdown } from '../../src/render/markdown/markdown.ts';
import { describePlanEvents } from '../../src/render/json/plan-events-json.ts';
import { renderSarif } from '../../src/render/json/sarif.ts';
import { createAnsiStyle } from '../../src/render/format/style.ts';
import { renderPlanOneline } from '../../src/render/text/oneline-text.ts';
import { renderPlanText } from '../../src/render/text/text.ts';
import { leaveUntold, makeLive, type AccountInput } from './account.ts';
import { makeState } from './memory.ts';
import { refuseUnknownKeys } from './nonsense.ts';
import { checkedPlanOf, findingLine, plannedAt } from './plan-lines.ts';
import { resolveData } from './resolve-data.ts';
import { outlineReport } from './read-report.ts';
import type { World } from './world.ts';

/** `case.json`: what a case has besides; all of it may be left out, the file too. */
interface CaseOptions {
  /** The case whose config.yaml, live.json and state.json are meant where the folder has none. */
  readonly like?: string;
  readonly mode?: PlanMode;
  /** Where the configuration is, from the root of the repository; the folder of the case unless given. */
  readonly configuration?: string;
  /** What the flags ask for. */
  readonly wishes?: Partial<PlanOptions>;
  /** What the account may only hide: how many minutes ago it was created, by address. */
  readonly unshown?: Readonly<Record<ResourceAddress, number>>;
}

/** `live.json`: the account, and the fields of its records that the service leaves untold, by id. */
type LiveInput = AccountInput & { readonly untold?: Readonly<Record<string, readonly string[]>> };

/** The files that a case is compared with. */
export const goldenFiles = [
  'plan.txt',
  'plan.oneline.txt',
  'plan.lines.txt',
  'plan.json',
  'plan.configuration.json',
  'plan.md',
  'plan.html.txt',
  'plan.events.jsonl',
  'plan.sarif.json',
  'plan.junit.xml',
] as const;
export type GoldenFile = (typeof goldenFiles)[number];

/** Read once: what is missing stands for nothing. */
function readJson(directory: string, name: string): object | undefined {
  const path = join(directory, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as object) : undefined;
}

/** The world of a case. @throws NonsenseError for one that cannot exist; Error for a faulty configuration */
export async function readCase(directory: string): Promise<World & { planOptions: PlanOptions }> {
  const options = (readJson(directory, 'case.json') ?? {}) as CaseOptions;
  const known = ['like', 'mode', 'configuration', 'wishes', 'unshown'];
  refuseUnknownKeys(options, known, 'case.json');
  const folderOf = (file: string) =>
    options.like === undefined || existsSync(join(directory, file))
      ? directory
      : resolve(directory, '..', options.like);
  const read = (file: string) => readJson(folderOf(file), file) ?? {};
  const workingDirectory = resolve(options.configuration ?? folderOf('config.yaml'));
  const { configuration, diagnostics } = await loadConfiguration({
    directory: '.',
    workingDirectory,
  });
  if (!configuration) throw new Error(diagnostics.map(({ summary }) => summary).join('\n'));
  const { untold = {}, ...account } = read('live.json') as LiveInput;
  const told = makeLive(account);
  const state = makeState(read('state.json'), told);
  const live = leaveUntold(told, untold);
  const { graph: desired } = await resolveData(configuration, live);
  const planOptions: PlanOptions = {
    ...{ adoptsAll: false, isForced: false, replace: [] },
    selection: { targets: [], excludes: [] },
    ...options.wishes,
  };
  const unshown = listUnshown(state, options.unshown ?? {});
  return { mode: options.mode ?? 'apply', desired, live, state, planOptions, unshown };
}

const listUnshown = (
  { resources }: State,
  minutesAgo: Readonly<Record<ResourceAddress, number>>,
): readonly UnshownResource[] =>
  Object.entries(minutesAgo).flatMap(([address, minutes]) => {
    const resource = resources.get(address);
    const createdAt = plannedAt - minutes * 60_000;
    const goneAt = createdAt + lostCreateSearchBounds.mostLookMs;
    return resource ? [{ resource, createdAt, goneAt, leftMs: goneAt - plannedAt }] : [];
  });

/** A plan in every format, as the files of a case hold it. */
export type DrawnPlan = Readonly<Record<GoldenFile, string>> & {
  readonly plan: Plan;
  /** The whole of its JSON, as a program reads it. */
  readonly json: PlanJson;
};

/** The members of the JSON that are the same in each case. */
export const sameInEach = {
  format_version: '1.2',
  terraform_version: '1.11.0',
  variables: {},
  timestamp: '2026-01-02T03:04:05.000Z',
  hostwright: {
    version: '0.0.0',
    fingerprints: { configuration: 'configuration', live: 'live', state: 'state' },
  },
} as const;

const onelineLayout = { columns: 120, room: Infinity, style: createAnsiStyle(false) };

/** The plan of a world in every format. */
export function drawPlan(world: World): DrawnPlan {
  const plan = checkedPlanOf(world);
  // No commit: it would be another one each time.
  const identity = { name: 'infra/shop', directory: 'infra/shop', account: 'api.example.com' };
  const meta = { ...sameInEach.hostwright, plannedAt: Date.parse(sameInEach.timestamp) };
  const json = JSON.parse(JSON.stringify(renderPlanJson(plan, meta))) as PlanJson;
  return {
    plan,
    json,
    'plan.txt': renderPlanText(plan, { columns: 80, style: createAnsiStyle(false), identity }),
    'plan.oneline.txt': renderPlanOneline(plan, onelineLayout),
    'plan.lines.txt': [
      renderPlanOneline({ ...plan, findings: [] }, onelineLayout),
      ...plan.findings.map((finding) => `${findingLine(finding)}\n`),
    ].join(''),
    'plan.json': `${formatEntries(leaveOutKnown(json))}\n`,
    'plan.configuration.json': `${formatEntries(json['configuration'])}\n`,
    'plan.md': renderPlanMarkdown(plan, { identity }),
    // The page is large, and most of it is the same each time.
    'plan.html.txt': outlineReport(renderPlanHtml(plan, { ...meta, identity, hashOf: () => '' })),
    'plan.events.jsonl': [
      describeVersionEvent(meta.version, meta.plannedAt),
      ...describePlanEvents(plan, meta.plannedAt),
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
    'plan.sarif.json': `${formatEntries(renderSarif(plan.findings, meta.version, { changes: plan.changes }))}\n`,
    'plan.junit.xml': renderFindingsJunit(plan.findings),
  };
}

/**
 * Without what `deriveSides` tells from the rest, what is the same in each case, what has a file of its own, and what is empty:
 * the schema wants each of these.
 */
function leaveOutKnown({ hostwright, ...json }: PlanJson): object {
  const elsewhere = ['planned_values', 'prior_state', 'configuration'];
  const ours = leaveOut(hostwright, Object.keys(sameInEach.hostwright));
  return { ...leaveOut(json, [...elsewhere, ...Object.keys(sameInEach)]), hostwright: ours };
}

function leaveOut(json: object, keys: readonly string[]): object {
  const kept = Object.entries(json).filter(
    ([key, value]) => !keys.includes(key) && !['[]', '{}'].includes(JSON.stringify(value)),
  );
  return Object.fromEntries(kept);
}

/** JSON with a key a line, and in lists an entry a line, however much it holds; what is short or flat stands on one line. */
function formatEntries(value: unknown, indent = ''): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const isFlat = Object.values(value).every((one) => typeof one !== 'object');
  if (!isList && (isFlat || short.length <= shortLength)) return short;
  const lines = isList
    ? value.map((entry) => JSON.stringify(entry))
    : Object.entries(value).map(
        ([key, entry]) => `${JSON.stringify(key)}: ${formatEntries(entry, inner)}`,
      );
  const [start, end] = isList ? '[]' : '{}';
  if (lines.length === 0) return `${start}${end}`;
  return `${start}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${end}`;
}

/** Characters of an object that still stands on one line. */
const shortLength = 100;

// Queries of `data`: answered before a configuration is complete, and compared with the results in a saved plan.
import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/load-configuration.ts';
import { readDataCandidates, type DataQueryCandidates } from '../../live/read-data.ts';
import type { LiveAccountReader } from '../../live/read-live.ts';
import { shareListReads } from '../../live/share-reads.ts';
import type { DataQueryOutcome, DataQuery, UsedDataResult } from '../../model/data.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import { isEqual, type Value } from '../../model/value.ts';
import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { addReferenceHints } from '../../plan/data/suggest-references.ts';
import { explainAmbiguousQueryProject, selectDataEntry } from '../../plan/data/select-data.ts';
import type { ConfigurationSession } from '../session/session.ts';
import type { SavedPlan } from '../../state/plan-file.ts';
import type { Reporter } from '../session/reporter.ts';
import { createStalePlanError } from '../../state/stale-plan.ts';

/** A configuration whose `data` queries were answered by the account, so that it could be evaluated as a whole. */
export interface ResolvedConfiguration {
  readonly configuration: Configuration;
  /** Reader for the next look at the account, which reuses the lists that the queries have read. */
  readonly source: LiveAccountReader;
}

/**
 * Answers the `data` queries of a configuration from the account, and evaluates it with the results. A configuration without
 * queries is returned as it is.
 */
export async function resolveConfigurationData(
  configuration: Configuration,
  client: LiveAccountReader,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<ResolvedConfiguration> {
  const { pending, steps, graph } = configuration;
  if (!pending) return { configuration, source: client };
  const source = shareListReads(client);
  const found = await findData(source, pending.queries, steps);
  const outcomes = addReferenceHints(pending.queries, found, graph);
  const { configuration: whole, diagnostics } = await pending.resolve(outcomes);
  if (!whole || hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  reporter.showDiagnostics(diagnostics);
  return { configuration: whole, source };
}

/**
 * Answers the `data` queries of a configuration for an apply. With a saved plan, the account must still give the results that the
 * plan was made with.
 */
export async function resolveDataForApply(
  { configuration, connection }: Pick<ConfigurationSession, 'configuration' | 'connection'>,
  saved: Pick<SavedPlan, 'desired'> | undefined,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<ResolvedConfiguration> {
  const source = await confirmData(saved?.desired.data, connection.client);
  return resolveConfigurationData(configuration, source, reporter);
}

/** Finds the results of the configuration's data queries, by query name. */
async function findData(
  source: LiveAccountReader,
  queries: readonly DataQuery[],
  steps: EvaluationBudget | undefined,
): Promise<ReadonlyMap<string, DataQueryOutcome>> {
  const listings = await readDataCandidates(source, queries);
  return new Map(
    queries.map((query, at) => [query.name, classify(query, listings[at], steps)] as const),
  );
}

function classify(
  query: DataQuery,
  listing: DataQueryCandidates | undefined,
  steps: EvaluationBudget | undefined,
): DataQueryOutcome {
  switch (listing?.kind) {
    case 'project-unclear':
      return {
        kind: 'fault',
        fault: explainAmbiguousQueryProject(query, listing.found, listing.all),
      };
    case 'refused':
      return { kind: 'fault', fault: listing.fault };
    default: {
      const { candidates = [], projectName } = listing ?? {};
      return selectDataEntry(query, candidates, { projectName, steps });
    }
  }
}

/** Completes a configuration with the query results of a saved plan, before anything is read anew. */
export async function restoreQueryResults(
  configuration: Configuration,
  readings: readonly UsedDataResult[] = [],
): Promise<Configuration> {
  const { pending } = configuration;
  if (!pending) return configuration;
  const outcomes = readings.map(({ query, ...found }): [string, DataQueryOutcome] => [
    query.name,
    { kind: 'found', ...found },
  ]);
  return (await pending.resolve(new Map(outcomes))).readable();
}

/** A query without its source position: another line number changes nothing. */
function withoutPlace({ name, kind, project, selector, isNewest }: DataQuery): object {
  return { name, kind, project, selector, isNewest };
}

/**
 * Checks that the queries of a saved plan are those of the configuration: a forged plan must not ask for others. @throws
 * DiagnosticError
 */
export function requireSameQueries(
  readings: readonly UsedDataResult[],
  queries: readonly DataQuery[],
): void {
  const known = new Map(queries.map((query) => [query.name, withoutPlace(query)]));
  const changed = readings.filter(
    ({ query }) => !isDeepStrictEqual(known.get(query.name), withoutPlace(query)),
  );
  if (changed.length === 0) return;
  const names = formatNameList(changed.map(({ query }) => query.name));
  throw createStalePlanError(`The configuration does not ask for ${names} as the plan has it.`);
}

/**
 * Checks that the account still gives the query results of a saved plan; attributes that no expression reads may have
 * changed.
 */
async function confirmData(
  readings: readonly UsedDataResult[] = [],
  client: LiveAccountReader,
): Promise<LiveAccountReader> {
  if (readings.length === 0) return client;
  const source = shareListReads(client);
  const outcomes = await findData(
    source,
    readings.map(({ query }) => query),
    undefined,
  );
  const moved = readings.flatMap((reading) => compare(reading, outcomes.get(reading.query.name)));
  if (moved.length === 0) return source;
  throw createStalePlanError(
    `What the configuration reads of the account is not what the plan was made with:\n\n${moved.join('\n')}`,
  );
}

function compare(
  { query, values }: UsedDataResult,
  outcome: DataQueryOutcome | undefined,
): string[] {
  const { name } = query;
  if (outcome?.kind !== 'found') return [`${name}: ${outcome?.fault.summary ?? 'it is gone'}`];
  return Object.keys(values)
    .filter((key) => !isEqual(values[key], outcome.values[key] ?? null))
    .map((key) => `${name}: ${key} ${say(values[key])} -> ${say(outcome.values[key])}`);
}

function say(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

import { findDataSource } from '../../kinds/data-sources.ts';
import type { DataQueryOutcome, DataQuery } from '../../model/data.ts';
import type { DesiredGraph, DesiredResource } from '../../model/resource.ts';
import { readAttributeText } from '../../model/value.ts';

/** Lists configured resources that a `data` query could have meant. */
function findConfigured(
  { kind, project, selector }: DataQuery,
  { resources }: DesiredGraph,
): DesiredResource | undefined {
  if ('pattern' in selector || selector.attribute === 'id') return undefined;
  const named = new Map(
    resources.map((one) => [one.address, readAttributeText(one.attributes, 'name')]),
  );
  return resources.find(
    (one) =>
      one.kind === kind &&
      readAttributeText(one.attributes, selector.attribute) === selector.value &&
      (!findDataSource(kind)?.isInProject || named.get(one.project) === project),
  );
}

/** Adds a hint to a failed query where the configuration itself is about to create the resource: how to refer to it. */
export function addReferenceHints(
  queries: readonly DataQuery[],
  outcomes: ReadonlyMap<string, DataQueryOutcome>,
  graph: DesiredGraph,
): ReadonlyMap<string, DataQueryOutcome> {
  const byName = new Map(queries.map((query) => [query.name, query]));
  return new Map(
    [...outcomes].map(([name, outcome]): [string, DataQueryOutcome] => {
      const query = byName.get(name);
      if (!query || outcome.kind === 'found' || outcome.fault.code !== 'data-not-found') {
        return [name, outcome];
      }
      const own = findConfigured(query, graph);
      if (!own) return [name, outcome];
      const hint = `This configuration has it as ${own.address}. Refer to it by its address instead, and remove the entry of \`data\`.`;
      return [name, { kind: 'fault', fault: { ...outcome.fault, hint } }];
    }),
  );
}

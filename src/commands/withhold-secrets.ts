// A plan file holds no secret: what depends on a sensitive value is taken out of the configuration that is saved with
// it, and taken from the configuration of the moment when the plan is applied.
import { DiagnosticError } from '../model/errors.ts';
import type { Deferred } from '../model/deferred.ts';
import type { DesiredGraph } from '../model/resource.ts';

const withheld: Deferred = { kind: 'value', value: null };

interface Named {
  readonly name: string;
}

/** The parts of a configuration that may read sensitive values, each rewritten. */
function rewrite(
  graph: DesiredGraph,
  change: <T extends Named>(part: 'outputs' | 'policies' | 'checks', entry: T, blank: () => T) => T,
): DesiredGraph {
  const { outputs, policies, checks } = graph;
  return {
    ...graph,
    ...(outputs && {
      outputs: outputs.map((entry) =>
        entry.sensitive ? change('outputs', entry, () => ({ ...entry, value: withheld })) : entry,
      ),
    }),
    ...(policies && {
      policies: policies.map((entry) =>
        entry.isSensitive ? change('policies', entry, () => blankCondition(entry)) : entry,
      ),
    }),
    ...(checks && {
      checks: checks.map((entry) =>
        entry.isSensitive ? change('checks', entry, () => blankCondition(entry)) : entry,
      ),
    }),
  };
}

function blankCondition<T extends { readonly assert: Deferred; readonly message?: Deferred }>(
  entry: T,
): T {
  return { ...entry, assert: withheld, ...(entry.message && { message: withheld }) };
}

/** The configuration without anything that depends on a sensitive value. */
export function withholdSecrets(graph: DesiredGraph): DesiredGraph {
  return rewrite(graph, (_part, _entry, blank) => blank());
}

/** A saved configuration with what was withheld, as the configuration of the moment has it. @throws DiagnosticError */
export function restoreSecrets(saved: DesiredGraph, current: DesiredGraph): DesiredGraph {
  return rewrite(saved, (part, entry) => {
    const known: readonly Named[] = current[part] ?? [];
    const found = known.find(({ name }) => name === entry.name);
    if (found) return found as typeof entry;
    throw new DiagnosticError([
      {
        severity: 'error',
        code: 'stale-plan',
        summary: 'Saved plan is stale',
        detail: `It depends on a sensitive value in \`${part}.${entry.name}\`, which is in no plan file, and the configuration no longer has it.`,
        hint: 'Make the plan again, read it, and apply that one.',
      },
    ]);
  });
}

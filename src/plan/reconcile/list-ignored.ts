import { EvaluationBudget } from '../../expressions/values/budget.ts';
import { ExpressionError } from '../../expressions/parse/expression-fault.ts';
import { NamePatternMatcher } from '../../expressions/notation/match-name.ts';
import { readContainerId } from '../../kinds/relations/parent-id.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { State } from '../../model/state/state.ts';
import { readAttributeText, type Attributes } from '../../model/value.ts';

/** Live resources that `ignoreUnmanaged` names, by id. */
export interface IgnoredResources {
  readonly ids: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** Names by which `ignoreUnmanaged` can give a live resource: its name or its address, and its id. */
function listNamesOf(one: LiveResource): readonly string[] {
  const { calledBy } = kindRegistry[one.kind].traits;
  const called =
    calledBy === undefined ? '' : readAttributeText({ ...one } as unknown as Attributes, calledBy);
  return called === '' ? [one.id] : [called, one.id];
}

/**
 * The live resources that `ignoreUnmanaged` of their project names, and those within them. One that the state has is managed
 * all the same.
 */
export function listIgnoredResources(
  { ignored = [] }: DesiredGraph,
  live: LiveSnapshot,
  state: State,
  steps = EvaluationBudget.ofRun(),
): IgnoredResources {
  const ids = new Set<string>();
  try {
    for (const { project, patterns } of ignored) {
      const projectId = state.resources.get(project)?.id;
      const matcher = new NamePatternMatcher(patterns, steps);
      // Resources within others come after them in the list, so one pass finds all.
      for (const one of live.resources) {
        if (one.projectId !== projectId) continue;
        if (
          ids.has(readContainerId(one)) ||
          listNamesOf(one).some((name) => matcher.matches(name))
        ) {
          ids.add(one.id);
        }
      }
    }
    return { ids, findings: [] };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, hint } = error;
    const summary = `\`ignoreUnmanaged\` cannot be followed: ${message}`;
    return { ids, findings: [{ severity: 'error', code, summary, hint }] };
  }
}

import { explainUnfitVariable } from '../../model/workspaces/workspace-variables.ts';
import type { WorkspaceVariables } from '../variables/variables.ts';
import type { UpstreamOutputs } from '../store/dependencies.ts';

/** Outputs of two workspaces that have the same name. */
export interface OutputNameClash {
  readonly name: string;
  readonly workspaces: readonly string[];
}

/** An output of a workspace that cannot be a variable of another one, with the reason. */
export interface UnfitOutput {
  readonly name: string;
  readonly workspace: string;
  readonly why: string;
}

/** Variables that a workspace gets from the outputs of the workspaces it comes after. */
export interface UpstreamInputs {
  /** Variables of the environment: `HOSTWRIGHT_VAR_subnet`. */
  readonly variables: WorkspaceVariables;
  readonly clashes: readonly OutputNameClash[];
  readonly unfit: readonly UnfitOutput[];
}

/**
 * Converts outputs of other workspaces to environment variables of this one: a text as it is, any other value as JSON. An output
 * is left out where the workspace sets that variable itself.
 */
export function mapUpstreamOutputs(
  upstream: readonly UpstreamOutputs[],
  own: WorkspaceVariables,
): UpstreamInputs {
  const givers = new Map<string, { readonly workspace: string; readonly value: string }[]>();
  const unfit: UnfitOutput[] = [];
  for (const { workspace, outputs } of upstream) {
    for (const [name, output] of Object.entries(outputs)) {
      if (Object.hasOwn(own, variableOf(name))) continue;
      const value = spell(output);
      const why = explainUnfitVariable(variableOf(name), value);
      if (why !== undefined) {
        unfit.push({ name, workspace, why });
        continue;
      }
      givers.set(name, [...(givers.get(name) ?? []), { workspace, value }]);
    }
  }
  const all = [...givers];
  return {
    variables: Object.fromEntries(
      all.flatMap(([name, [first]]) => (first ? [[variableOf(name), first.value]] : [])),
    ),
    unfit,
    clashes: all
      .filter(([, given]) => given.length > 1)
      .map(([name, given]) => ({ name, workspaces: given.map(({ workspace }) => workspace) })),
  };
}

function variableOf(name: string): string {
  return `HOSTWRIGHT_VAR_${name}`;
}

function spell(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

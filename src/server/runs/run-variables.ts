// Variables of a run: those of the sets of its workspace, and its own.
import type { ServerStore } from '../store/store.ts';
import { mergeVariables, type StoredVariables } from '../variables/variables.ts';

/** Reads the variables of a workspace's runs, by its id. Its own win, then those of the set that it lists last. */
export async function readRunVariables(
  {
    workspaces,
    variableSets,
    transact,
  }: Pick<ServerStore, 'workspaces' | 'variableSets' | 'transact'>,
  workspaceId: string,
): Promise<StoredVariables> {
  return transact(async () => {
    const own = await workspaces.readVariables(workspaceId);
    return mergeVariables([...(await variableSets.listOf(workspaceId)), own]);
  });
}

/** A variable that a workspace has by one of its sets. */
export interface InheritedVariable {
  readonly name: string;
  readonly set: string;
  readonly secret: boolean;
}

/** Lists what a workspace has by its sets, sorted by name: without what it sets itself, and each by the set that wins. */
export async function listInheritedVariables(
  {
    workspaces,
    variableSets,
    transact,
  }: Pick<ServerStore, 'workspaces' | 'variableSets' | 'transact'>,
  workspaceId: string,
): Promise<readonly InheritedVariable[]> {
  return transact(async () => {
    const own = await workspaces.readVariables(workspaceId);
    const givers = new Map<string, InheritedVariable>();
    for (const { name: set, values, secrets } of await variableSets.listOf(workspaceId))
      for (const name of Object.keys(values))
        givers.set(name, { name, set, secret: secrets.includes(name) });
    return [...givers.values()]
      .filter(({ name }) => !Object.hasOwn(own.values, name))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  });
}

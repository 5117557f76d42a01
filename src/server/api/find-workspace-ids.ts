import { ApiProblemError } from '../errors/problem.ts';
import type { ServerStore } from '../store/store.ts';

/** Finds the ids of workspaces by their names. @throws ApiProblemError where one does not exist */
export async function findWorkspaceIds(
  { workspaces }: Pick<ServerStore, 'workspaces'>,
  names: readonly string[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const found = await workspaces.find(name);
    if (!found)
      throw new ApiProblemError(422, 'The body is not valid', `There is no workspace ${name}.`);
    ids.push(found.id);
  }
  return ids;
}

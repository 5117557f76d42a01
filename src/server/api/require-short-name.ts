import { isTeamServerObjectName } from '../../model/workspaces/short-name.ts';
import { ApiProblemError } from '../errors/problem.ts';

/** Refuses a name in a path that cannot be the name of something new. @throws ApiProblemError */
export function requireShortName(name: string): void {
  if (!isTeamServerObjectName(name))
    throw new ApiProblemError(
      422,
      'The name is not valid',
      'It has 1 to 63 small letters, digits and hyphens, with no hyphen at either end.',
    );
}

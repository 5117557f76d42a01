import { isLoopback } from '../../../model/text/is-loopback.ts';
import type { Runtime } from '../../../model/runtime.ts';
import { findGitTrackedPath } from '../../../state/backends/git/tracked-files.ts';
import { createCommandRefusal } from '../refuse.ts';

/** @throws DiagnosticError `state-plain-http` for hosts that a state would reach without encryption, unless that is allowed */
export function requireEncryptedStateHosts(
  { allowsPlainHttp }: Pick<Runtime, 'allowsPlainHttp'>,
  hosts: readonly string[],
): void {
  const open = hosts
    .map((host) => new URL(host))
    .find((url) => url.protocol !== 'https:' && !isLoopback(url));
  if (!open || allowsPlainHttp === true) return;
  throw createCommandRefusal(
    'state-plain-http',
    `The state would travel without encryption: ${open.origin}`,
    {
      detail: 'Anybody on the way could read the state and change it.',
      hint: 'Use an https address. In a network that you trust, add --allow-plain-http.',
    },
  );
}

/** @throws DiagnosticError `state-tracked` where git keeps something in one of these directories of Hostwright */
export async function requireUntrackedByGit(
  { env }: Pick<Runtime, 'env'>,
  folders: readonly string[],
): Promise<void> {
  for (const folder of new Set(folders)) {
    const tracked = await findGitTrackedPath(folder, env);
    if (tracked === undefined) continue;
    throw createCommandRefusal('state-tracked', `Git tracks a file of the state: ${tracked}`, {
      detail: `${folder} belongs to Hostwright. What a commit has put there may be anybody's, and a checkout overwrites it.`,
      hint: `Look at what it holds, then remove it from the repository with "git rm --cached" and add it to .gitignore. To share a state, use another backend.`,
    });
  }
}

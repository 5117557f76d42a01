import { tmpdir } from 'node:os';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { openGitRunner } from '../../state/backends/git/git-program.ts';
import { healthCheckTimeoutMs } from './open-health.ts';

/**
 * Checks that `git` can be started, which every process of the server needs to read repositories.
 * @throws DiagnosticError where it cannot
 */
export async function requireGit({ env }: Pick<Runtime, 'env'>): Promise<void> {
  const git = openGitRunner({ directory: tmpdir(), env });
  const fault = await git(['--version'], { timeoutMs: healthCheckTimeoutMs }).then(
    ({ status, stderr }) => (status === 0 ? undefined : stderr.trim() || 'It does not answer.'),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (fault === undefined) return;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'server-git-missing',
      summary: 'The server cannot start git, which reads the repositories',
      detail: fault,
      hint: 'Install git on this machine, and make sure that it is in PATH.',
    },
  ]);
}

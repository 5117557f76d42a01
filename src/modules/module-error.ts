import type { ModuleFault } from '../config/modules/git-modules.ts';
import { BackendError } from '../state/backends/backend-error.ts';

/** Error for a module that cannot be fetched. */
export class ModuleFetchError extends Error {
  override readonly name = 'ModuleFetchError';
  readonly fault: ModuleFault;

  constructor(fault: ModuleFault) {
    super(fault.summary);
    this.fault = fault;
  }
}

const hints: Readonly<Record<BackendError['fault'], string>> = {
  unreachable: 'Check the address and the connection, and run hostwright init again.',
  denied:
    'Check the address, and give git what it needs to read the repository without asking: a credential helper or an SSH key.',
  full: 'Make room on the disk, and run hostwright init again.',
  broken: 'Check the address: `git ls-remote` must answer for it.',
};

/** Finds the fault to report for an error of git or of a module; undefined for any other error. */
export function findModuleFault(error: unknown): ModuleFault | undefined {
  if (error instanceof ModuleFetchError) return error.fault;
  if (!(error instanceof BackendError)) return undefined;
  const summary = 'A module cannot be fetched from git';
  const { fault, message } = error;
  const isMissing = message.includes('cannot be started');
  const isElsewhere = message.includes('the address leads on to');
  const hint = isMissing
    ? 'Install git, and run hostwright init again.'
    : isElsewhere
      ? 'No redirect is followed, since credentials would go along: write the address that it leads to.'
      : hints[fault];
  return { code: 'module-unreachable', summary, detail: message, hint };
}

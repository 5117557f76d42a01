import { DiagnosticError } from '../../model/errors.ts';

/** A data file that this program cannot work with: a diagnostic, because a user can fix it. */
export class SandboxDataFileError extends DiagnosticError {
  constructor(
    summary: string,
    more: { readonly detail?: string; readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    const { detail, hint, cause } = more;
    const words = { ...(detail !== undefined && { detail }), ...(hint !== undefined && { hint }) };
    super([{ severity: 'error', code: 'sandbox-data', summary, ...words }], { cause });
    this.name = 'SandboxDataFileError';
  }

  /** Makes an error with the reason from its cause, such as a full disk. */
  static because(summary: string, cause: unknown): SandboxDataFileError {
    const fault = diskFaultOf(cause);
    const known = cause instanceof Error ? cause.message : 'The cause is not known';
    const detail = fault === undefined ? `${known}.` : `The reason: ${fault}.`;
    const hint = 'Give another directory, or fix this one; --help says which flag names it.';
    return new SandboxDataFileError(summary, { detail, hint, cause });
  }
}

/** A write that the disk refuses while the service runs: it is full, or has become read-only. */
export class SandboxDataFileWriteError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'SandboxDataFileWriteError';
  }

  /** The storage error behind a failure; undefined for one that the disk did not cause. */
  static from(cause: unknown): SandboxDataFileWriteError | undefined {
    if (cause instanceof SandboxDataFileWriteError) return cause;
    const fault = diskFaultOf(cause);
    const message = `The sandbox cannot write its data: ${fault}. Nothing was changed.`;
    return fault === undefined ? undefined : new SandboxDataFileWriteError(message, { cause });
  }
}

/** SQLite's primary result codes for what the disk refuses, in words. */
const diskFaults: Readonly<Record<number, string>> = {
  5: 'another process holds it locked',
  8: 'it is read-only',
  10: 'the disk does not take what is written',
  13: 'the disk is full',
  14: 'it cannot be opened',
};

const systemFaults: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'it may not be written by this user',
  EPERM: 'it may not be written by this user',
};

/** Describes a failure of the disk; undefined for other failures. */
function diskFaultOf(error: unknown): string | undefined {
  if (error instanceof SandboxDataFileWriteError) return diskFaultOf(error.cause);
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const primary = typeof errcode === 'number' ? errcode & 0xff : -1;
  return diskFaults[primary] ?? (typeof code === 'string' ? systemFaults[code] : undefined);
}

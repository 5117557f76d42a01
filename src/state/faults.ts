// Errors that the files of a state can cause its reader or its writer, with advice for each.
import { DiagnosticError, readErrorCode } from '../model/errors.ts';
import { BackendError } from './backends/backend-error.ts';
import { IrregularFileError } from './files/regular-file.ts';

const untouched = 'Nothing was changed, neither here nor in the account.';

/**
 * The error of a state that could not be written. `code` is the system's (`ENOSPC`, `EROFS`, `EIO` …), `cause` the error
 * itself. The records of the failed write may or may not be on disk; replaying them does no harm.
 */
export class StateWriteError extends DiagnosticError {
  readonly code: string;

  constructor(path: string, cause: unknown) {
    const code = cause instanceof BackendError ? cause.fault : (readErrorCode(cause) ?? 'EUNKNOWN');
    super(
      [
        {
          severity: 'error',
          code: 'state-write-failed',
          summary: `The state cannot be written: ${path}`,
          detail: `${explainFileError(cause)} What was recorded before is safe.`,
          hint: 'Fix the cause and run the same command again: it continues where this one stopped.',
        },
      ],
      { cause },
    );
    this.name = 'StateWriteError';
    this.code = code;
  }
}

/**
 * The diagnostic at the end of a run that could not write its state: where its records are, and how to bring them back.
 * `rescue directory` is the path of the rescued snapshot, `place` that of the one that could not be written; undefined where
 * the next run uploads the rescued one by itself.
 */
export function explainRescuedState(
  failure: StateWriteError,
  place: string | undefined,
  rescue: string | undefined,
): DiagnosticError {
  const [diagnostic] = failure.diagnostics;
  const { summary = '', detail = '' } = diagnostic ?? {};
  const cause = failure;
  if (rescue === undefined) {
    return createDiagnosticError('state-write-failed', summary, {
      detail: `${detail} No other place could be written either. The run started nothing new.`,
      hint:
        'Fix the cause and run the same command again: it recognises what was sent. If the plan then reports ' +
        'unmanaged resources, adopt them with `--adopt`.',
      cause,
    });
  }
  return createDiagnosticError('state-write-failed', summary, {
    detail: `${detail} The run started nothing new. The whole state, with all changes that finished later, is in ${rescue}.`,
    hint:
      place === undefined
        ? 'Fix the cause and run the same command again, here: it uploads the file first. Do not delete it before.'
        : `Fix the cause, restore the state with "cp ${rescue} ${place}", and run the same command again.`,
    cause,
  });
}

/** Creates the error for a file of the state that exists and cannot be read. */
export function createUnreadableFileError(path: string, cause: unknown): DiagnosticError {
  const code = readErrorCode(cause) ?? 'EUNKNOWN';
  const isDenied = code === 'EACCES' || code === 'EPERM';
  const isIrregular = cause instanceof IrregularFileError;
  return createDiagnosticError('state-unreadable', `The state cannot be read: ${path}`, {
    detail: `${explainFileError(cause)} ${untouched}`,
    hint:
      cause instanceof BackendError
        ? adviseOnBackend(cause)
        : isDenied
          ? 'Run as the user who owns the file, or give yourself the right to read and write it (chmod u+rw).'
          : isIrregular
            ? 'Put the file itself in its place: Hostwright follows no link there, and reads no pipe or device.'
            : 'Fix the cause and run the same command again.',
    cause,
  });
}

/**
 * Creates the error for a snapshot that is not JSON, was cut short, or does not have the required members; `fault`
 * names the place.
 */
export function createSnapshotError(
  path: string,
  paths: { readonly backup: string; readonly journal: string },
  fault: string,
): DiagnosticError {
  return createDiagnosticError('state-invalid', `The state file is damaged: ${path}`, {
    detail: `${fault}. ${untouched}`,
    hint:
      `Copy the previous snapshot, ${paths.backup}, over ${path} and run the command again. ` +
      `The records since then are in ${paths.journal}; do not delete it. ` +
      'Without a backup, move the state file away: `--adopt` adopts existing resources.',
  });
}

/** Creates the error for a file of a later Hostwright, in a format that this one does not know. */
export function createNewerFormatError(
  path: string,
  what: string,
  writer?: string,
): DiagnosticError {
  return createDiagnosticError(
    'state-newer',
    `The state was written by a newer Hostwright: ${path}`,
    {
      detail: `${what} ${untouched}`,
      hint: `Use ${writer === undefined ? 'the newer version' : `Hostwright ${writer} or later`} for this directory.`,
    },
  );
}

/**
 * Creates the error for a record in the middle of the journal that does not match its checksum, which no interrupted
 * write can cause.
 */
export function createJournalError(path: string, line: number, fault: string): DiagnosticError {
  return createDiagnosticError(
    'journal-corrupt',
    `The journal is damaged at line ${line}: ${path}`,
    {
      detail:
        `${fault} Records follow it, so this is not a truncated write. The lines before and after it ` +
        `are intact. ${untouched}`,
      hint:
        `Look at it with "hostwright state journal". To go on without the line: hostwright state journal --keep journal.jsonl --drop ${line}. ` +
        'If it held the id of a new resource, the plan reports the resource as unmanaged: `--adopt` adopts it.',
    },
  );
}

/** Creates the error for a journal that belongs to another snapshot than the one beside it. */
export function createUnrelatedJournalError(
  paths: { readonly snapshot: string; readonly journal: string; readonly backup: string },
  fault: string,
): DiagnosticError {
  return createDiagnosticError(
    'journal-unrelated',
    `The journal does not belong to the state: ${paths.journal}`,
    {
      detail: `${fault} ${untouched}`,
      hint:
        `Restore the snapshot of the journal to ${paths.snapshot} (look at ${paths.backup}). ` +
        'To go on without the records of the journal: hostwright state journal --keep journal.jsonl --drop all --force.',
    },
  );
}

/** Makes a DiagnosticError with one error diagnostic. */
export function createDiagnosticError(
  code: string,
  summary: string,
  rest: { readonly detail: string; readonly hint: string; readonly cause?: unknown },
): DiagnosticError {
  const { detail, hint, cause } = rest;
  return new DiagnosticError(
    [{ severity: 'error', code, summary, detail, hint }],
    cause === undefined ? {} : { cause },
  );
}

/** Creates the error for a failed backend about which nothing more is known. */
export function createBackendFailureError(cause: BackendError): DiagnosticError {
  return createDiagnosticError('state-backend', 'The backend of `state` cannot be used', {
    detail: explainFileError(cause),
    hint: adviseOnBackend(cause),
    cause,
  });
}

/** Explains a failed file operation in a sentence, with the system's own words. */
export function explainFileError(error: unknown): string {
  // The message of a backend's error is already a whole sentence.
  if (error instanceof BackendError) return endSentence(error.message);
  const code = readErrorCode(error) ?? 'EUNKNOWN';
  const words = error instanceof Error ? error.message : String(error);
  return `${explanations[code] ?? `The system answered ${code}`} (${words}).`;
}

/** Tells whether an error comes from a state backend, so that `adviseOnBackend` has advice for it. */
export function isBackendFault(cause: unknown): cause is BackendError {
  return cause instanceof BackendError;
}

/** Advice to the user about a failed backend, by the kind of failure. */
export function adviseOnBackend({ fault }: BackendError): string {
  return advice[fault];
}

const advice: Readonly<Record<BackendError['fault'], string>> = {
  unreachable: 'Check the network and the address, then run the command again.',
  denied: 'Check the credentials and what they may do, then run the command again.',
  full: 'Make room, then run the command again.',
  broken:
    'Correct what the message names, then run the command again. "hostwright doctor" examines it.',
};

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const explanations: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'Your disk quota is used up',
  EROFS: 'The file system is read-only',
  EIO: 'The disk failed',
  EACCES: 'Permission was denied',
  EPERM: 'Permission was denied',
  EMFILE: 'Too many files are open',
  ENOENT: 'The directory is gone',
  ENOTDIR: 'There is a file where a directory should be',
  EISDIR: 'There is a directory where a file should be',
  EIRREGULAR: 'There is something else where a file should be',
};

// Upload of a state that a run rescued while its backend could not be reached: by the next run, under its lock, and only
// where no other run has written since. Such a run has looked up every uncertain outcome, so it knows better.
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { StateBackend } from '../backends/backend.ts';
import { createDiagnosticError } from '../faults.ts';
import type { StateFiles } from '../files/files.ts';
import type { StateHistoryKeeper } from '../history/save-snapshot.ts';
import { loadState, type LoadedState } from '../journal/load.ts';
import type { LockFence } from '../lock/fence.ts';
import { replaceState } from '../replace-state.ts';

/** Tells whether a run that could not save its state has left that state in the rescue directory. */
export async function hasRescuedState(rescue: StateFiles): Promise<boolean> {
  return (await rescue.list()).length > 0;
}

/** Warns, in every command that reads the state, that a rescued state was not uploaded yet. */
export function warnOfRescuedState(rescue: StateFiles): Diagnostic {
  return {
    severity: 'warning',
    code: 'rescue-not-uploaded',
    summary: 'The rescued state of an earlier run is not uploaded yet',
    detail: `That run could not write to its backend. The results of its last changes are in ${rescue.pathOf('state.json')}.`,
    hint: 'Apply to upload it. Do not delete it before.',
  };
}

/** Backend, rescued files and lock for saving a rescued state. */
export interface RescueUploadOptions {
  readonly backend: StateBackend;
  readonly rescue: StateFiles;
  readonly fence: LockFence;
  readonly version: string;
  readonly history: StateHistoryKeeper | undefined;
}

/**
 * Uploads the rescued state to the backend, and removes it from the rescue directory. Where another run has written
 * since, it is not uploaded.
 * @throws StateWriteError, LockLostError, and DiagnosticError where it is damaged
 */
export async function uploadRescuedState({
  backend,
  rescue,
  fence,
  version,
  history,
}: RescueUploadOptions): Promise<Diagnostic> {
  const rescued = await loadState(rescue, randomUUID).catch((cause: unknown) => {
    throw explainDamage(rescue, cause);
  });
  const files = backend.openFiles();
  const current = await loadState(files, randomUUID);
  await files.close();
  const isLate = isOvertaken(current, rescued);
  if (!isLate) {
    const before = { ...current.draft, serial: nextSerial(current) };
    const serial = Math.max(nextSerial(rescued), before.serial + 1);
    const after = { ...rescued.draft, serial };
    await replaceState(backend, { before, after, version, history }, fence);
  }
  for (const name of await rescue.list()) await rescue.remove(name);
  return isLate ? overtakenNote : uploadedNote(rescued);
}

/** The error of a damaged rescued state. The usual hints would mislead: the damaged file is a copy that can be done without. */
function explainDamage(rescue: StateFiles, cause: unknown): unknown {
  if (!(cause instanceof DiagnosticError)) return cause;
  const [{ code, summary, detail = '' } = { code: '', summary: '' }] = cause.diagnostics;
  // A missing encryption key does not mean that the rescued files are damaged.
  if (!damages.has(code)) return cause;
  const folder = dirname(rescue.pathOf('state.json'));
  return createDiagnosticError(
    'rescue-damaged',
    `The rescued state of an earlier run is damaged: ${folder}`,
    {
      detail: `${summary}. ${detail}`,
      hint:
        `Move ${folder} away and run the command again. The next apply looks up the requests whose result the state does not have. ` +
        'If the plan then reports an unmanaged resource, `--adopt` adopts it.',
      cause,
    },
  );
}

const damages: ReadonlySet<string> = new Set([
  ...(['state-invalid', 'state-tampered', 'state-unreadable'] as const),
  ...(['journal-corrupt', 'journal-unrelated'] as const),
]);

function nextSerial({ draft: { serial }, isChanged }: LoadedState): number {
  return serial + (isChanged ? 1 : 0);
}

function isOvertaken(current: LoadedState, rescued: LoadedState): boolean {
  const isEmpty = current.draft.serial === 0 && current.epoch === 0;
  if (isEmpty) return false;
  return current.draft.lineage !== rescued.draft.lineage || current.epoch > rescued.epoch;
}

function uploadedNote({ draft: { resources } }: LoadedState): Diagnostic {
  return {
    severity: 'note',
    code: 'rescue-uploaded',
    summary: 'Uploaded the rescued state of an earlier run',
    detail: `The state has ${resources.size} ${resources.size === 1 ? 'resource' : 'resources'} again, with all that the run saw.`,
  };
}

const overtakenNote: Diagnostic = {
  severity: 'note',
  code: 'rescue-overtaken',
  summary: 'The rescued state of an earlier run is no longer needed',
  detail:
    'Another run has written to the state since, and has looked up all changes that the state knew of. A resource that only the earlier run knew shows as unmanaged in a plan: `--adopt` adopts it.',
};

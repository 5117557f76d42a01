import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { nameIrregularFileType, readRegularFileHead } from '../../state/files/regular-file.ts';
import { findOutputFilePlaceFault } from '../../state/files/written-file.ts';

/** An open file that gets a run's events as lines of JSON. */
export interface EventFile {
  readonly write: (line: string) => void;
  /** Resolves to false once a write to the event file has failed, so that no more is written. */
  readonly ready: () => Promise<boolean>;
  readonly close: () => void;
}

/**
 * Opens the file of `--json-into`, to which each event is written at once. When a later write fails, that is reported once, and
 * the command goes on: its work is worth more than the file.
 * @param path absolute
 * @throws DiagnosticError when nothing may be written there, or the file cannot be made
 */
export async function openEventFile(
  path: string,
  complain: (diagnostic: Diagnostic) => void,
): Promise<EventFile> {
  const fault = await findOutputFilePlaceFault({
    path,
    isOurs: (_found, real) => isEventFile(real),
  });
  if (fault) throw new DiagnosticError([explain(path, 'error', fault.why, fault.hint)]);
  const handle = openNew(path);
  return makeLineWriter(handle, (error) => complain(explain(path, 'warning', describe(error))));
}

/** Writes lines to an open file, until one cannot be written. */
export function makeLineWriter(handle: number, complain: (error: unknown) => void): EventFile {
  let isBroken = false;
  return {
    write(line) {
      if (isBroken) return;
      try {
        writeSync(handle, line);
      } catch (error) {
        isBroken = true;
        complain(error);
      }
    },
    ready: () => Promise.resolve(!isBroken),
    close: () => closeSync(handle),
  };
}

/** True for the events of an earlier run, and for a file that was made to hold some. */
async function isEventFile(path: string): Promise<boolean> {
  const head = await readRegularFileHead(path, 256);
  return (
    head === '' ||
    /^\{"@level":"\w+","@message":"Hostwright .*"@module":"hostwright\.ui"/.test(head)
  );
}

/** Opens the file without following a link or waiting for a pipe: it may have been replaced since it was checked. */
function openNew(path: string): number {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666);
    const what = nameIrregularFileType(fstatSync(handle));
    if (what === undefined) {
      ftruncateSync(handle);
      return handle;
    }
    closeSync(handle);
    throw new Error(`It is ${what}, not a file`);
  } catch (error) {
    throw new DiagnosticError([explain(path, 'error', describe(error))]);
  }
}

function describe(error: unknown): string {
  return `${error instanceof Error ? error.message : String(error)}.`;
}

function explain(
  path: string,
  severity: Severity,
  detail: string,
  hint = 'Give --json-into a file in a directory that exists and can be written to.',
): Diagnostic {
  const summary = `The events cannot be written to ${path}`;
  return { severity, code: 'events-unwritable', summary, detail, hint };
}

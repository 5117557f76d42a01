// The journal for a person: showing it, copying it, and dropping lines that are damaged.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Runtime, StateRuntime } from '../../model/runtime.ts';
import type { JournalEntry, JournalView } from '../../model/state/journal-view.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import {
  parseJournalEpoch,
  sortJournalNames,
  type StateFileName,
} from '../../state/files/files.ts';
import { examineJournalLines, type JournalLine } from '../../state/journal/journal-format.ts';
import { readJournalLines } from '../../state/journal/load.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { takeStateLock } from '../session/session.ts';
import {
  createHistoryKeeper,
  openBackend,
  openConfiguredState,
  type OpenedStateBackend,
} from '../session/state/open-backend.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** Options of `state journal`. */
export interface ShowJournalOptions {
  /** A new file for a copy of the journal, as far as it can be read. */
  readonly keep?: string | undefined;
  /** Numbers of the journal lines to drop, or all of them; dropped lines are forgotten. */
  readonly drop: readonly number[] | 'all';
  /** True to drop readable lines of the journal as well as damaged ones (`--force`). */
  readonly isForced: boolean;
  readonly lockTimeoutMs: number;
}

/**
 * Reads the journal line by line; undefined where there is none. Then copies it, and makes a snapshot without the lines that are
 * to be dropped. @throws DiagnosticError
 */
export async function runJournalCommand(
  runtime: StateRuntime,
  { keep, drop, isForced, lockTimeoutMs }: ShowJournalOptions,
  reporter: Notices,
): Promise<JournalView | undefined> {
  const access = await openBackend(runtime, resolve(runtime.cwd), { reporter });
  try {
    if (drop.length === 0) {
      const found = await readJournal(access);
      return found && { ...(await keepCopy(runtime, found, keep)), dropped: [] };
    }
    const operation = 'state journal';
    const { leaseMs } = access.settings;
    const wish = { operation, timeoutMs: lockTimeoutMs, leaseMs };
    const lock = await takeStateLock(runtime, access.backend, wish, reporter);
    try {
      const found = await readJournal(access);
      if (!found) return undefined;
      const leftOut = chooseLines(found.lines, drop, isForced);
      const kept = await keepCopy(runtime, found, keep);
      const history = createHistoryKeeper(runtime, access, operation);
      const { fence } = lock;
      const store = await openConfiguredState(access, {
        version: publishedHostwrightVersion,
        fence,
        history,
        leftOut,
      });
      try {
        await store.compact();
      } finally {
        await store.close();
      }
      return { ...kept, dropped: [...leftOut] };
    } finally {
      await lock.release();
    }
  } finally {
    await access.backend.close();
  }
}

interface FoundJournal extends Omit<JournalView, 'dropped' | 'kept'> {
  readonly texts: readonly (string | undefined)[];
}

async function readJournal({ backend }: OpenedStateBackend): Promise<FoundJournal | undefined> {
  const files = backend.openFiles();
  try {
    const [latest]: readonly StateFileName[] = sortJournalNames(await files.list());
    if (latest === undefined) return undefined;
    const texts = await readJournalLines(files, latest);
    return {
      path: files.pathOf(latest),
      epoch: parseJournalEpoch(latest) ?? 0,
      lines: examineJournalLines(texts).map(describeLine),
      texts,
    };
  } finally {
    await files.close();
  }
}

function describeLine(found: JournalLine, index: number): JournalEntry {
  const line = index + 1;
  if (found.kind === 'damaged') return { line, fault: found.fault };
  if (found.kind === 'base') return { line, kind: 'base', serial: found.base.serial };
  const { record } = found;
  const resource = 'resource' in record ? record.resource : undefined;
  const address = 'address' in record ? record.address : resource?.address;
  const id = 'id' in record ? record.id : resource?.id;
  return {
    line,
    kind: record.kind,
    ...(address !== undefined && { address }),
    ...(id !== undefined && { id }),
    ...(record.kind === 'intent' && { command: record.command.kind }),
    ...('at' in record && { at: record.at }),
  };
}

/** The lines to drop: they have to be there, and damaged, since a record that is dropped is forgotten. @throws DiagnosticError */
function chooseLines(
  lines: readonly JournalEntry[],
  drop: ShowJournalOptions['drop'],
  isForced: boolean,
): ReadonlySet<number> {
  const wanted = drop === 'all' ? lines.map(({ line }) => line) : drop;
  const missing = wanted.find((line) => line > lines.length);
  if (missing !== undefined) {
    throw createCommandRefusal('no-such-line', `The journal has no line ${missing}`, {
      detail: `It has ${lines.length}.`,
      hint: 'Look at it with "hostwright state journal".',
    });
  }
  const whole = lines.find(({ line, fault }) => wanted.includes(line) && fault === undefined);
  if (whole && !isForced) {
    throw createCommandRefusal(
      'line-is-whole',
      `Line ${whole.line} of the journal is not damaged`,
      {
        detail: 'Without it, Hostwright forgets what the interrupted run did there.',
        hint: 'Drop the damaged lines alone, or add --force.',
      },
    );
  }
  return new Set(wanted);
}

async function keepCopy(
  runtime: Pick<Runtime, 'cwd'>,
  { texts, ...journal }: FoundJournal,
  path: string | undefined,
): Promise<Omit<JournalView, 'dropped'>> {
  if (path === undefined) return journal;
  const text = texts.map((line = '') => `${line}\n`).join('');
  try {
    await writeFile(resolve(runtime.cwd, path), text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw createCommandRefusal(
      'file-not-writable',
      `The copy of the journal cannot be written: ${path}`,
      {
        detail: `${error instanceof Error ? error.message : String(error)}. Nothing was changed.`,
        hint: 'Name a file that does not exist yet.',
      },
    );
  }
  return { ...journal, kept: path };
}

// The commands of `state` that are about the state as a whole: the states that were, its lock, and its place.
import { Option } from 'commander';
import { renderStateHistoryJson, renderStateJournalJson } from '../../render/json/state-json.ts';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import { renderStateHistory, renderStateMigration } from '../../render/text/history-text.ts';
import { renderStateJournal } from '../../render/text/journal-text.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';
import {
  autoApproveOption,
  jsonOption,
  lockTimeoutOption,
  parseWholeNumberFlag,
} from '../flags/options.ts';

interface LockFlag {
  readonly lockTimeout: number;
}

/** Adds `state history`. */
export const addHistoryCommand = defineCommand({
  summary: 'list former states',
  description:
    'Lists the former states, newest first: when each was written, by whom, and what that run did. "state show --serial N" shows one, "state rollback N" restores it.',
  options: [jsonOption()],
  run: async ({ runtime }) =>
    (await import('../../commands/state/state-history.ts')).listStateHistory(runtime),
  text: renderStateHistory,
  json: renderStateHistoryJson,
});

/** `state rollback`. */
export const addRollbackCommand = defineCommand({
  summary: 'restore a former state',
  description:
    'Restores a former state, under a new serial. Nothing in the account changes: the next plan shows how the account differs from it.',
  operands: [
    ['<serial>', 'its serial, as "state history" shows it', parseWholeNumberFlag(1, 1e15)],
  ],
  options: [autoApproveOption(), lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [serial],
    flags,
  }: CommandLineCall<[number], LockFlag & { readonly autoApprove?: boolean }>) => {
    const confirm = () =>
      reporter.confirm({
        question: `Do you want to restore the state with serial ${serial}?`,
        consequences: [
          'Nothing in the account changes. Resources created since are no longer managed, until you import them.',
        ],
        ifDeclined: 'The state is unchanged.',
      });
    const { rollBackState: rollBack } = await import('../../commands/state/state-history.ts');
    const options = {
      serial,
      lockTimeoutMs: flags.lockTimeout,
      confirm: flags.autoApprove === true ? () => Promise.resolve(true) : confirm,
    };
    return rollBack(runtime, options, reporter);
  },
  text: (serial, _layout, { operands: [from] }) =>
    serial === undefined
      ? ''
      : `Restored the state of serial ${from}; the new serial is ${serial}.\n`,
  isGood: (serial) => serial !== undefined,
});

/** `state journal`. */
export const addJournalCommand = defineCommand({
  summary: 'show, copy and repair the journal of an interrupted run',
  description:
    'Shows the journal line by line: what an interrupted run recorded since the last snapshot. --keep copies it. --drop makes a snapshot of everything but the lines that it names; nothing in the account changes.',
  options: [
    jsonOption(),
    new Option('--keep <file>', 'copy it to a new file, as far as it can be read'),
    new Option('--drop <line>', 'drop a damaged line, repeatable; "all" drops every line')
      .argParser(readLines)
      .default([]),
    new Option('--force', 'with --drop: drop lines that are not damaged, too'),
    lockTimeoutOption(),
  ],
  check: (_operands, { drop, force }) =>
    force === true && drop.length === 0 ? '--force is for --drop' : undefined,
  run: async ({ runtime, reporter, flags }: CommandLineCall<[], JournalFlags>) => {
    const { runJournalCommand: workOnJournal } =
      await import('../../commands/state/state-journal.ts');
    const { keep, drop, force = false, lockTimeout } = flags;
    const options = { keep, drop, isForced: force, lockTimeoutMs: lockTimeout };
    return workOnJournal(runtime, options, reporter);
  },
  text: renderStateJournal,
  json: renderStateJournalJson,
});

interface JournalFlags extends LockFlag {
  readonly keep?: string;
  readonly drop: readonly number[] | 'all';
  readonly force?: boolean;
}

/** Adds the line of a repeated flag to the lines of the earlier ones. */
function readLines(text: string, before: JournalFlags['drop']): JournalFlags['drop'] {
  const line = text === 'all' ? text : parseWholeNumberFlag(1, 1e9)(text);
  return line === 'all' || before === 'all' ? 'all' : [...before, line];
}

/** `state lock`. */
export const addLockCommand = defineCommand({
  summary: 'lock the state, and keep the lock',
  description:
    'Locks the state until "state unlock": no run can change anything. Plans take no lock, and show who holds it.',
  options: [
    new Option('--reason <text>', 'reason, shown to anyone the lock stops').default(''),
    lockTimeoutOption(),
  ],
  run: async ({ runtime, flags }: CommandLineCall<[], LockFlag & { readonly reason: string }>) =>
    (await import('../../commands/state/lock-state.ts')).lockState(runtime, {
      reason: flags.reason,
      lockTimeoutMs: flags.lockTimeout,
    }),
  text: ({ ID }) => `The state is locked. Its lock has the ID ${escapeUntrustedText(ID)}.\n`,
});

/** `state unlock`. */
export const addUnlockCommand = defineCommand({
  summary: 'remove the lock of "state lock"',
  description:
    'Removes the lock of "state lock", whoever took it. It does not remove the lock of a run: use "force-unlock" for that.',
  run: async ({ runtime }) =>
    (await import('../../commands/state/lock-state.ts')).unlockState(runtime),
  text: ({ Who }) => `The lock of ${escapeUntrustedText(Who)} is removed.\n`,
});

/** `state migrate`. */
export const addStateMigrateCommand = defineCommand({
  summary: 'move the state to another backend',
  description:
    'Copies the state and its history to the backend that a file names, verifies the copy, and marks the old place as moved. Run it again to continue an interrupted migration. Change `state` in the configuration afterwards.',
  options: [
    new Option(
      '--to <file>',
      'YAML file with the `state` block of the new backend',
    ).makeOptionMandatory(),
    lockTimeoutOption(),
  ],
  run: async ({
    runtime,
    reporter,
    flags,
  }: CommandLineCall<[], LockFlag & { readonly to: string }>) =>
    (await import('../../commands/state/migrate-state.ts')).migrateStateTo(
      runtime,
      { to: flags.to, lockTimeoutMs: flags.lockTimeout },
      reporter,
    ),
  text: renderStateMigration,
});

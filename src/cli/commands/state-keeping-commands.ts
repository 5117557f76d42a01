// The commands of `state` that are about the state as a whole: the states that were, its lock, and its place.
import { Option } from 'commander';
import { toHistoryJson } from '../../render/json/history-json.ts';
import { escapeText } from '../../render/format/escape.ts';
import { renderHistory, renderMigration } from '../../render/text/history-text.ts';
import { defineCommand, type Call } from '../define-command.ts';
import { autoApproveOption, jsonOption, lockTimeoutOption, parseWhole } from '../flags/options.ts';

interface LockFlag {
  readonly lockTimeout: number;
}

/** `state history`. */
export const history = defineCommand({
  summary: 'list former states',
  description:
    'Lists the former states, newest first: when each was written, by whom, and what that run did. "state show --serial N" shows one, "state rollback N" restores it.',
  options: [jsonOption()],
  run: async ({ runtime }) =>
    (await import('../../commands/state/state-history.ts')).listHistory(runtime),
  text: renderHistory,
  json: toHistoryJson,
});

/** `state rollback`. */
export const rollback = defineCommand({
  summary: 'restore a former state',
  description:
    'Restores a former state, under a new serial. Nothing in the account changes: the next plan shows how the account differs from it.',
  operands: [['<serial>', 'its serial, as "state history" shows it', parseWhole(1, 1e15)]],
  options: [autoApproveOption(), lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [serial],
    flags,
  }: Call<[number], LockFlag & { readonly autoApprove?: boolean }>) => {
    const confirm = () =>
      reporter.confirm({
        question: `Do you want to restore the state with serial ${serial}?`,
        consequences: [
          'Nothing in the account changes. Resources created since are no longer managed, until you import them.',
        ],
        ifDeclined: 'The state is unchanged.',
      });
    const { rollBack } = await import('../../commands/state/state-history.ts');
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

/** `state lock`. */
export const lock = defineCommand({
  summary: 'lock the state, and keep the lock',
  description:
    'Locks the state until "state unlock": no run can change anything. Plans take no lock, and show who holds it.',
  options: [
    new Option('--reason <text>', 'reason, shown to anyone the lock stops').default(''),
    lockTimeoutOption(),
  ],
  run: async ({ runtime, flags }: Call<[], LockFlag & { readonly reason: string }>) =>
    (await import('../../commands/state/lock-state.ts')).lockState(runtime, {
      reason: flags.reason,
      lockTimeoutMs: flags.lockTimeout,
    }),
  text: ({ ID }) => `The state is locked. Its lock has the ID ${escapeText(ID)}.\n`,
});

/** `state unlock`. */
export const unlock = defineCommand({
  summary: 'remove the lock of "state lock"',
  description:
    'Removes the lock of "state lock", whoever took it. It does not remove the lock of a run: use "force-unlock" for that.',
  run: async ({ runtime }) =>
    (await import('../../commands/state/lock-state.ts')).unlockState(runtime),
  text: ({ Who }) => `The lock of ${escapeText(Who)} is removed.\n`,
});

/** `state migrate`. */
export const migrate = defineCommand({
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
  run: async ({ runtime, reporter, flags }: Call<[], LockFlag & { readonly to: string }>) =>
    (await import('../../commands/state/migrate-state.ts')).migrateTo(
      runtime,
      { to: flags.to, lockTimeoutMs: flags.lockTimeout },
      reporter,
    ),
  text: renderMigration,
});

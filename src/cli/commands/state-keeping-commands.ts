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
  summary: 'list the states that were',
  description:
    'Lists the states that are kept, the newest first: when and by whom each was written, and what that run did. "state show --serial N" shows one, "state rollback N" makes it the state again.',
  options: [jsonOption()],
  run: async ({ runtime }) =>
    (await import('../../commands/state/state-history.ts')).listHistory(runtime),
  text: renderHistory,
  json: toHistoryJson,
});

/** `state rollback`. */
export const rollback = defineCommand({
  summary: 'make a former state the state again',
  description:
    'Makes a former state the state again, under a new serial. Nothing in the account changes: the next plan shows where the account differs from it.',
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
        question: `Do you want the state with the serial ${serial} back?`,
        consequences: [
          'Nothing in the account changes. What was created since is managed no more, until it is imported.',
        ],
        ifDeclined: 'The state is left as it is.',
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
      : `The state is that of serial ${from} again; its serial is ${serial}.\n`,
  isGood: (serial) => serial !== undefined,
});

/** `state lock`. */
export const lock = defineCommand({
  summary: 'lock the state, and keep the lock',
  description:
    'Locks the state until "state unlock": no run changes anything meanwhile. Plans take no lock, and say who holds it.',
  options: [
    new Option('--reason <text>', 'why, for those who meet the lock').default(''),
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
  summary: 'remove the lock that "state lock" has made',
  description:
    'Removes the lock that "state lock" has made, whoever made it. The lock of a run is left alone: "force-unlock" removes it.',
  run: async ({ runtime }) =>
    (await import('../../commands/state/lock-state.ts')).unlockState(runtime),
  text: ({ Who }) => `The lock of ${escapeText(Who)} is removed.\n`,
});

/** `state migrate`. */
export const migrate = defineCommand({
  summary: 'move the state to another place',
  description:
    'Copies the state and its history to the place that a file names, compares the copy, and leaves a marker behind, so that the old place is used no more. A migration that was interrupted goes on when it is run again. Change `state` in the configuration afterwards.',
  options: [
    new Option(
      '--to <file>',
      'a YAML file with the block of `state` of the new place',
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

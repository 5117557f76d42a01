import { Option, type Command } from 'commander';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';

const forceUnlock = defineCommand({
  summary: 'release a lock whose holder no longer runs',
  description:
    'Releases the lock of the state. First make sure that its holder no longer runs: a run that loses its lock starts nothing new, and the next run looks up what it did. On a terminal it asks first.',
  operands: [['<id>', 'the ID that the message about the lock shows']],
  options: [new Option('--force', 'do not ask')],
  run: async ({
    runtime,
    reporter,
    operands: [id],
    flags,
  }: CommandLineCall<[string], { readonly force?: boolean }>) => {
    // Without a terminal nobody can be asked: the ID of the lock that was given counts as the approval.
    const isAsked = flags.force !== true && runtime.stdout.isTTY;
    const isMeant =
      !isAsked ||
      (await reporter.confirm({
        question: 'Do you really want to remove the lock?',
        consequences: [
          'If its holder still runs, it starts nothing new. The next run looks up what it did.',
        ],
        ifDeclined: 'The lock is unchanged.',
      }));
    if (!isMeant) return undefined;
    const { unlockByForce } = await import('../../commands/state/lock-state.ts');
    return unlockByForce(runtime, id);
  },
  text: (info) => {
    if (!info) return '';
    const { ID, Who, Operation } = info;
    const whose = Who === undefined ? ID : `of ${Who} (${Operation ?? 'unknown'})`;
    return `The lock ${escapeUntrustedText(whose)} is removed.\n`;
  },
  isGood: (info) => info !== undefined,
});

/** `force-unlock`. */
export function addForceUnlockCommand(program: Command, context: CommandLineContext): void {
  forceUnlock(program, 'force-unlock', context);
}

import type { Command } from 'commander';
import { escapeText } from '../../render/format/escape.ts';
import type { CommandContext } from '../command-context.ts';

/** `force-unlock`. */
export function addForceUnlockCommand(program: Command, { runtime, exit }: CommandContext): void {
  program
    .command('force-unlock')
    .summary('remove a lock whose holder no longer runs')
    .description(
      'Removes the lock of the state. Make sure first that its holder no longer runs: a run that loses its lock ' +
        'starts nothing new, and what it does until then is looked up by the next one.',
    )
    .argument('<id>', 'the ID that the message about the lock shows')
    .action(async (id: string) => {
      const { unlock } = await import('../../commands/state/force-unlock.ts');
      const { Who, Operation } = await unlock(runtime, '.', id);
      runtime.stdout.write(`The lock of ${escapeText(`${Who} (${Operation})`)} is removed.\n`);
      exit(0);
    });
}

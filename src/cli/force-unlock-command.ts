import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';

/** `force-unlock`. */
export function addForceUnlockCommand(program: Command, { runtime, exit }: CommandContext): void {
  program
    .command('force-unlock')
    .summary('remove a lock that nobody holds any more')
    .description('Removes the lock of the state. Make sure first that its holder no longer runs.')
    .argument('<id>', 'the ID that the message about the lock shows')
    .action(async (id: string) => {
      const { unlock } = await import('../commands/force-unlock.ts');
      const { Who, Operation } = await unlock(runtime, '.', id);
      runtime.stdout.write(`The lock of ${Who} (${Operation}) is removed.\n`);
      exit(0);
    });
}

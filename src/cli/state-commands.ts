import type { Command } from 'commander';
import type { Reporter } from '../commands/reporter.ts';
import type { Runtime } from '../model/runtime.ts';
import { countNoun } from '../render/labels.ts';
import { wrapText } from '../render/measure.ts';
import { lockTimeoutOption } from './day-two-output.ts';
import { parseAddressFlag } from './options.ts';
import type { Exit } from './program.ts';

interface LockFlag {
  readonly lockTimeout: number;
}

/** What changes the state by hand: `state mv`, `state rm`, `state push`; and `state pull`, which prints it. */
export function addStateChanges(
  state: Command,
  runtime: Runtime,
  exit: Exit,
  reporter: () => Reporter,
): void {
  const { stdout } = runtime;
  state
    .command('mv')
    .summary('let a resource of the state stand under another address')
    .description(
      'Moves a resource within the state, with its instances and what stands below it. Nothing in the account changes. In a shared configuration, a `moved` entry does the same for everybody.',
    )
    .argument('<from>', 'its address')
    .argument('<to>', 'the address that it is to have')
    .addOption(lockTimeoutOption())
    .action(async (from: string, to: string, { lockTimeout }: LockFlag) => {
      const { moveInState } = await import('../commands/change-state.ts');
      const options = { from, to, lockTimeoutMs: lockTimeout };
      const moves = await moveInState(runtime, options, reporter());
      for (const one of moves) stdout.write(`Move "${one.from}" to "${one.to}"\n`);
      stdout.write(`Successfully moved ${countNoun('object', moves.length)}.\n`);
      exit(0);
    });
  state
    .command('rm')
    .summary('let the state forget resources')
    .description(
      'Takes resources out of the state, with their instances and what stands below them. They stay in the account.',
    )
    .argument('<addresses...>', 'their addresses')
    .addOption(lockTimeoutOption())
    .action(async (addresses: string[], { lockTimeout }: LockFlag) => {
      const { removeFromState } = await import('../commands/change-state.ts');
      const options = { addresses, lockTimeoutMs: lockTimeout };
      const removed = await removeFromState(runtime, options, reporter());
      for (const address of removed) stdout.write(`Removed ${address}\n`);
      stdout.write(`Successfully removed ${countNoun('object', removed.length)}.\n`);
      exit(0);
    });
  state
    .command('pull')
    .summary('print the state as its file has it')
    .description(
      'Prints the whole state, as "state push" takes it. It holds the values of resources.',
    )
    .action(async () => {
      const { pullState } = await import('../commands/change-state.ts');
      stdout.write(await pullState(runtime, reporter()));
      exit(0);
    });
  state
    .command('push')
    .summary('put a state in place of the one that is here')
    .description(
      'Takes what "state pull" printed. Refuses a state of another lineage, and one that is not newer. The state before becomes the backup.',
    )
    .argument('<file>', 'a file, or - for standard input')
    .option('--force', 'push it although it is older, or of another lineage')
    .addOption(lockTimeoutOption())
    .action(async (path: string, { force, lockTimeout }: LockFlag & { force?: boolean }) => {
      const { pushState } = await import('../commands/push-state.ts');
      const options = { path, isForced: force === true, lockTimeoutMs: lockTimeout };
      const { serial, isChanged } = await pushState(runtime, options, reporter());
      const done = `The state is replaced; its serial is ${serial}.`;
      stdout.write(`${isChanged ? done : 'Nothing to do: that is the state that is here.'}\n`);
      exit(0);
    });
}

/** `import` */
export function addImport(
  program: Command,
  runtime: Runtime,
  exit: Exit,
  reporter: () => Reporter,
): void {
  program
    .command('import')
    .summary('adopt one live resource')
    .description(
      'Lets the state know a live resource for a block of the configuration in the working directory. Nothing in the account changes. `imports` entries do the same as a part of a plan.',
    )
    .argument(
      '<address>',
      'the address of its block, e.g. projects.shop.vms.web[0]',
      parseAddressFlag,
    )
    .argument('<id>', 'its id')
    .addOption(lockTimeoutOption())
    .action(async (address: string, id: string, { lockTimeout }: LockFlag) => {
      const { importResource } = await import('../commands/import-resource.ts');
      const { stdout } = runtime;
      stdout.write(`${address}: Importing from ID "${id}"...\n`);
      await importResource(runtime, { address, id, lockTimeoutMs: lockTimeout }, reporter());
      const words =
        'The resource is in your Hostwright state now, and is managed from here on. The next plan shows where it differs from the configuration.';
      const text = wrapText(words, stdout.columns ?? 80).join('\n');
      stdout.write(`\nImport successful!\n\n${text}\n`);
      exit(0);
    });
}

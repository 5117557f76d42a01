import { Option, type Command } from 'commander';
import { escapeText } from '../../render/format/escape.ts';
import { countNoun } from '../../render/view/labels.ts';
import { wrapText } from '../../render/format/measure.ts';
import { renderResourceText } from '../../render/text/state-text.ts';
import type { CommandContext } from '../command-context.ts';
import { jsonOption, lockTimeoutOption, parseAddressFlag } from '../flags/options.ts';
import { printJson } from '../output/print-json.ts';
import { createTextReporter } from '../output/terminal-reporter.ts';
import { layoutFor } from '../output/terminal.ts';

interface LockFlag {
  readonly lockTimeout: number;
}

/** `state list|show|mv|rm|pull|push`, and `import`. */
export function addStateCommands(program: Command, context: CommandContext): void {
  const state = program
    .command('state')
    .summary('look into the state, and change it by hand')
    .description('Looks into the state of the working directory, and changes it by hand.');
  addList(state, context);
  addShow(state, context);
  addMove(state, context);
  addRemove(state, context);
  addPull(state, context);
  addPush(state, context);
  addResolve(state, context);
  addImport(program, context);
}

function addList(state: Command, context: CommandContext): void {
  const { runtime, exit } = context;
  state
    .command('list')
    .summary('list the addresses of the state')
    .description(
      'Lists the addresses of the state, a line each. An address that the state does not have is an error.',
    )
    .argument('[addresses...]', 'only these, and what stands below them')
    .action(async (prefixes: string[]) => {
      const { listAddresses, readState } = await import('../../commands/state/read-state.ts');
      const reporter = createTextReporter(context);
      const read = await readState(runtime, '.', reporter, { mustExist: true });
      const addresses = listAddresses(read, prefixes);
      runtime.stdout.write(addresses.map((address) => `${escapeText(address)}\n`).join(''));
      exit(0);
    });
}

function addShow(state: Command, context: CommandContext): void {
  const { runtime, globals, exit } = context;
  state
    .command('show')
    .summary('show one resource of the state')
    .description('Shows one resource of the state, as it was last applied.')
    .argument('<address>', 'its address, e.g. projects.shop.vms.web[0]')
    .addOption(jsonOption())
    .action(async (address: string, { json }: { readonly json?: boolean }) => {
      const { findResource, readState } = await import('../../commands/state/read-state.ts');
      const reporter = createTextReporter(context);
      const read = await readState(runtime, '.', reporter, { mustExist: true });
      const resource = findResource(read, address);
      const { stdout, env } = runtime;
      if (json) printJson(stdout, resource);
      else
        stdout.write(renderResourceText(resource, layoutFor(stdout, env, globals.isColorRefused)));
      exit(0);
    });
}

function addResolve(state: Command, context: CommandContext): void {
  const { runtime, exit } = context;
  state
    .command('resolve')
    .summary('record what became of a create whose outcome is unknown')
    .description(
      'Records what became of a create whose outcome no run could see. --id binds the resource that the create made to its address. --gone records that there is no such resource: the next apply creates it, and no plan looks for a second one any more. Nothing in the account changes.',
    )
    .argument('<address>', 'the address that was being created', parseAddressFlag)
    .addOption(
      new Option('--id <id>', 'the id of the resource that the create made').conflicts('gone'),
    )
    .option('--gone', 'the create made no resource')
    .addOption(lockTimeoutOption())
    .action(async (address: string, flags: LockFlag & { id?: string; gone?: boolean }) => {
      const { resolveCreate } = await import('../../commands/state/resolve-create.ts');
      const { id, gone, lockTimeout } = flags;
      if (id === undefined && !gone) {
        const { refuse } = await import('../../commands/session/refuse.ts');
        throw refuse('missing-option', 'state resolve needs to know what became of the create', {
          hint: 'Give --id ID for the resource that it made, or --gone if it made none.',
        });
      }
      const options = { address, id, lockTimeoutMs: lockTimeout };
      await resolveCreate(runtime, options, createTextReporter(context));
      const what = id === undefined ? 'is gone and can be created again' : `is ${id}`;
      runtime.stdout.write(`${escapeText(`Resolved: ${address} ${what}.`)}\n`);
      exit(0);
    });
}

function addMove(state: Command, context: CommandContext): void {
  const { runtime, exit } = context;
  state
    .command('mv')
    .summary('let a resource or a module of the state stand under another address')
    .description(
      'Moves a resource or a module within the state, with its instances and what stands below it. Nothing in the account changes. In a shared configuration, a `moved` entry does the same for everybody.',
    )
    .argument('<from>', 'its address')
    .argument('<to>', 'the address that it is to have')
    .addOption(lockTimeoutOption())
    .action(async (from: string, to: string, { lockTimeout }: LockFlag) => {
      const { moveInState } = await import('../../commands/state/change-state.ts');
      const options = { from, to, lockTimeoutMs: lockTimeout };
      const moves = await moveInState(runtime, options, createTextReporter(context));
      const lines = moves.map((one) => `${escapeText(`Move "${one.from}" to "${one.to}"`)}\n`);
      runtime.stdout.write(lines.join(''));
      runtime.stdout.write(`Successfully moved ${countNoun('object', moves.length)}.\n`);
      exit(0);
    });
}

function addRemove(state: Command, context: CommandContext): void {
  const { runtime, exit } = context;
  state
    .command('rm')
    .summary('let the state forget resources')
    .description(
      'Takes resources out of the state, with their instances and what stands below them. They stay in the account.',
    )
    .argument('<addresses...>', 'their addresses')
    .addOption(lockTimeoutOption())
    .action(async (addresses: string[], { lockTimeout }: LockFlag) => {
      const { removeFromState } = await import('../../commands/state/change-state.ts');
      const options = { addresses, lockTimeoutMs: lockTimeout };
      const removed = await removeFromState(runtime, options, createTextReporter(context));
      runtime.stdout.write(removed.map((address) => `Removed ${escapeText(address)}\n`).join(''));
      runtime.stdout.write(`Successfully removed ${countNoun('object', removed.length)}.\n`);
      exit(0);
    });
}

function addPull(state: Command, context: CommandContext): void {
  const { runtime, exit } = context;
  state
    .command('pull')
    .summary('print the whole state')
    .description(
      'Prints the whole state, as "state push" takes it, with what a run that was killed wrote down. It holds the values of resources.',
    )
    .action(async () => {
      const { pullState } = await import('../../commands/state/change-state.ts');
      runtime.stdout.write(await pullState(runtime, createTextReporter(context)));
      exit(0);
    });
}

function addPush(state: Command, context: CommandContext): void {
  const { runtime, exit } = context;
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
      const { pushState } = await import('../../commands/state/push-state.ts');
      const options = { path, isForced: force === true, lockTimeoutMs: lockTimeout };
      const pushed = await pushState(runtime, options, createTextReporter(context));
      const done = `The state is replaced; its serial is ${pushed.serial}.`;
      const text = pushed.isChanged ? done : 'Nothing to do: that is the state that is here.';
      runtime.stdout.write(`${text}\n`);
      exit(0);
    });
}

function addImport(program: Command, context: CommandContext): void {
  const { runtime, exit } = context;
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
      const { importResource } = await import('../../commands/state/import-resource.ts');
      const { stdout } = runtime;
      stdout.write(`${escapeText(`${address}: Importing from ID "${id}"...`)}\n`);
      const options = { address, id, lockTimeoutMs: lockTimeout };
      await importResource(runtime, options, createTextReporter(context));
      const words =
        'The resource is in your Hostwright state now, and is managed from here on. The next plan shows where it differs from the configuration.';
      const text = wrapText(words, stdout.columns ?? 80).join('\n');
      stdout.write(`\nImport successful!\n\n${text}\n`);
      exit(0);
    });
}

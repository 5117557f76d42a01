import { Option, type Command } from 'commander';
import type { Reporter } from '../../commands/session/reporter.ts';
import type { Runtime } from '../../model/runtime.ts';
import { escapeText } from '../../render/format/escape.ts';
import { countNoun } from '../../render/view/labels.ts';
import { wrapText } from '../../render/format/measure.ts';
import { renderResourceText } from '../../render/text/state-text.ts';
import type { CommandContext } from '../command-context.ts';
import { defineCommand, defineGroup, type Call } from '../define-command.ts';
import { jsonOption, lockTimeoutOption, parseAddressFlag } from '../flags/options.ts';

interface LockFlag {
  readonly lockTimeout: number;
}

const loadChanges = () => import('../../commands/state/change-state.ts');

const listLines = (lines: readonly string[]) =>
  lines.map((line) => `${escapeText(line)}\n`).join('');

/** The state of the working directory, with the ways to look into it. */
async function readHere(runtime: Runtime, reporter: Pick<Reporter, 'showDiagnostics'>) {
  const { findResource, listAddresses, readState } =
    await import('../../commands/state/read-state.ts');
  const state = await readState(runtime, '.', reporter, { mustExist: true });
  return {
    list: (prefixes: readonly string[]) => listAddresses(state, prefixes),
    find: (address: string) => findResource(state, address),
  };
}

const list = defineCommand({
  summary: 'list the addresses of the state',
  description:
    'Lists the addresses of the state, a line each. An address that the state does not have is an error.',
  operands: [['[addresses...]', 'only these, and everything below them']],
  run: async ({ runtime, reporter, operands: [prefixes] }: Call<[string[]]>) =>
    (await readHere(runtime, reporter)).list(prefixes),
  text: listLines,
});

const show = defineCommand({
  summary: 'show one resource of the state',
  description: 'Shows one resource of the state, as it was last applied.',
  operands: [['<address>', 'its address, e.g. projects.shop.vms.web[0]']],
  options: [jsonOption()],
  run: async ({ runtime, reporter, operands: [address] }: Call<[string]>) =>
    (await readHere(runtime, reporter)).find(address),
  text: renderResourceText,
  json: (resource) => resource,
});

const move = defineCommand({
  summary: 'move a resource or a module of the state to another address',
  description:
    'Moves a resource or a module within the state, with its instances and everything below it. Nothing in the account changes. In a shared configuration, a `moved` entry does the same for everybody.',
  operands: [
    ['<from>', 'its address'],
    ['<to>', 'the address that it is to have'],
  ],
  options: [lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [from, to],
    flags,
  }: Call<[string, string], LockFlag>) =>
    (await loadChanges()).moveInState(
      runtime,
      { from, to, lockTimeoutMs: flags.lockTimeout },
      reporter,
    ),
  text: (moves) =>
    `${listLines(moves.map((one) => `Move "${one.from}" to "${one.to}"`))}Successfully moved ${countNoun('object', moves.length)}.\n`,
});

const remove = defineCommand({
  summary: 'remove resources from the state',
  description:
    'Removes resources from the state, with their instances and everything below them. They remain in the account.',
  operands: [['<addresses...>', 'their addresses']],
  options: [lockTimeoutOption()],
  run: async ({ runtime, reporter, operands: [addresses], flags }: Call<[string[]], LockFlag>) =>
    (await loadChanges()).removeFromState(
      runtime,
      { addresses, lockTimeoutMs: flags.lockTimeout },
      reporter,
    ),
  text: (removed) =>
    `${listLines(removed.map((address) => `Removed ${address}`))}Successfully removed ${countNoun('object', removed.length)}.\n`,
});

const pull = defineCommand({
  summary: 'print the whole state',
  description:
    'Prints the whole state, as "state push" takes it, with what a run that was killed wrote down. It holds the values of resources.',
  run: async ({ runtime, reporter }) => (await loadChanges()).pullState(runtime, reporter),
  text: (state) => state,
});

const push = defineCommand({
  summary: 'put a state in place of the one that is here',
  description:
    'Takes what "state pull" printed. Refuses a state of another lineage, and one that is not newer. The state before becomes the backup.',
  operands: [['<file>', 'a file, or - for standard input']],
  options: [
    new Option('--force', 'push it although it is older, or of another lineage'),
    lockTimeoutOption(),
  ],
  run: async ({
    runtime,
    reporter,
    operands: [path],
    flags,
  }: Call<[string], LockFlag & { readonly force?: boolean }>) => {
    const { pushState } = await import('../../commands/state/push-state.ts');
    const isForced = flags.force === true;
    return pushState(runtime, { path, isForced, lockTimeoutMs: flags.lockTimeout }, reporter);
  },
  text: ({ isChanged, serial }) =>
    isChanged
      ? `The state is replaced; its serial is ${serial}.\n`
      : 'Nothing to do: that is the state that is here.\n',
});

const resolve = defineCommand({
  summary: 'record what became of a create whose outcome is unknown',
  description:
    'Records what became of a create whose outcome no run could see. --id binds the resource that the create made to its address. --gone records that there is no such resource: the next apply creates it, and no plan looks for a second one any more. Nothing in the account changes.',
  operands: [['<address>', 'the address that was being created', parseAddressFlag]],
  options: [
    new Option('--id <id>', 'the id of the resource that the create made').conflicts('gone'),
    new Option('--gone', 'the create made no resource'),
    lockTimeoutOption(),
  ],
  run: async ({
    runtime,
    reporter,
    operands: [address],
    flags,
  }: Call<[string], LockFlag & { readonly id?: string; readonly gone?: boolean }>) => {
    const { id, gone, lockTimeout } = flags;
    if (id === undefined && !gone) {
      const { refuse } = await import('../../commands/session/refuse.ts');
      throw refuse('missing-option', 'state resolve needs to know what became of the create', {
        hint: 'Give --id ID for the resource that it made, or --gone if it made none.',
      });
    }
    const { resolveCreate } = await import('../../commands/state/resolve-create.ts');
    await resolveCreate(runtime, { address, id, lockTimeoutMs: lockTimeout }, reporter);
    return id === undefined ? 'is gone and can be created again' : `is ${id}`;
  },
  text: (what, _layout, { operands: [address] }) => listLines([`Resolved: ${address} ${what}.`]),
});

const adopt = defineCommand({
  summary: 'adopt one live resource',
  description:
    'Binds a live resource to a block of the configuration in the working directory. Nothing in the account changes. `imports` entries do the same as a part of a plan.',
  operands: [
    ['<address>', 'the address of its block, e.g. projects.shop.vms.web[0]', parseAddressFlag],
    ['<id>', 'its id'],
  ],
  options: [lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [address, id],
    flags,
  }: Call<[string, string], LockFlag>) => {
    const { importResource } = await import('../../commands/state/import-resource.ts');
    runtime.stdout.write(listLines([`${address}: Importing from ID "${id}"...`]));
    await importResource(runtime, { address, id, lockTimeoutMs: flags.lockTimeout }, reporter);
  },
  text: (_result, { columns }) => {
    const words =
      'The resource is in your Hostwright state now, and is managed from here on. The next plan shows where it differs from the configuration.';
    return `\nImport successful!\n\n${wrapText(words, columns).join('\n')}\n`;
  },
});

const state = defineGroup(
  {
    summary: 'look into the state, and change it by hand',
    description: 'Looks into the state of the working directory, and changes it by hand.',
  },
  { list, show, mv: move, rm: remove, pull, push, resolve },
);

/** `state list|show|mv|rm|pull|push|resolve`, and `import`. */
export function addStateCommands(program: Command, context: CommandContext): void {
  state(program, 'state', context);
  adopt(program, 'import', context);
}

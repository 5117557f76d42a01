import { Option, type Command } from 'commander';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { wrapText } from '../../render/format/measure.ts';
import { renderStateJson } from '../../render/json/state-json.ts';
import { renderResourceText, renderStateText } from '../../render/text/state-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, defineCommandGroup, type CommandLineCall } from '../define-command.ts';
import {
  jsonOption,
  lockTimeoutOption,
  parseAddressFlag,
  parseWholeNumberFlag,
} from '../flags/options.ts';
import {
  addHistoryCommand,
  addJournalCommand,
  addLockCommand,
  addStateMigrateCommand,
  addRollbackCommand,
  addUnlockCommand,
} from './state-keeping-commands.ts';

interface LockFlag {
  readonly lockTimeout: number;
}

const loadChanges = () => import('../../commands/state/change-state.ts');

const listLines = (lines: readonly string[]) =>
  lines.map((line) => `${escapeUntrustedText(line)}\n`).join('');

const list = defineCommand({
  summary: 'list the addresses of the state',
  description:
    'Lists the addresses in the state, one per line. An address that the state does not have is an error.',
  operands: [['[addresses...]', 'only these, and everything below them']],
  run: async ({ runtime, reporter, operands: [prefixes] }: CommandLineCall<[string[]]>) => {
    const { listStateAddresses: listAddresses, readState } =
      await import('../../commands/state/read-state.ts');
    return listAddresses(await readState(runtime, '.', reporter, { mustExist: true }), prefixes);
  },
  text: listLines,
});

const show = defineCommand({
  summary: 'show one resource of the state',
  description:
    'Shows one resource of the state, as it was last applied. With --serial, as a former state has it, and without an address all of that.',
  operands: [['[address]', 'its address, e.g. projects.shop.vms.web[0]; needed without --serial']],
  check: ([address], { serial }) =>
    address === undefined && serial === undefined
      ? "missing required argument 'address'"
      : undefined,
  options: [
    jsonOption(),
    new Option('--serial <n>', 'in the former state that has this serial').argParser(
      parseWholeNumberFlag(1, 1e15),
    ),
  ],
  run: async ({
    runtime,
    reporter,
    operands: [address],
    flags: { serial },
  }: CommandLineCall<[string | undefined], { readonly serial?: number }>) => {
    const { findStateResource: findResource, readState } =
      await import('../../commands/state/read-state.ts');
    const state =
      serial === undefined
        ? await readState(runtime, '.', reporter, { mustExist: true })
        : await (
            await import('../../commands/state/state-history.ts')
          ).readStateVersion(runtime, serial);
    return { state, ...(address !== undefined && { resource: findResource(state, address) }) };
  },
  text: ({ state, resource }, layout) =>
    resource ? renderResourceText(resource, layout) : renderStateText(state, layout),
  json: ({ state, resource }) => resource ?? renderStateJson(state),
});

const move = defineCommand({
  summary: 'move a resource or a module of the state to another address',
  description:
    'Moves a resource or a module within the state, with its instances and everything below it. Nothing in the account changes. In a shared configuration, a `moved` entry does the same for everybody.',
  operands: [
    ['<from>', 'its address'],
    ['<to>', 'its new address'],
  ],
  options: [lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [from, to],
    flags,
  }: CommandLineCall<[string, string], LockFlag>) =>
    (await loadChanges()).moveStateAddress(
      runtime,
      { from, to, lockTimeoutMs: flags.lockTimeout },
      reporter,
    ),
  text: (moves) =>
    `${listLines(moves.map((one) => `Move "${one.from}" to "${one.to}"`))}Successfully moved ${formatCountWithNoun('object', moves.length)}.\n`,
});

const remove = defineCommand({
  summary: 'remove resources from the state',
  description:
    'Removes resources from the state, with their instances and everything below them. They remain in the account.',
  operands: [['<addresses...>', 'their addresses']],
  options: [lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [addresses],
    flags,
  }: CommandLineCall<[string[]], LockFlag>) =>
    (await loadChanges()).removeFromState(
      runtime,
      { addresses, lockTimeoutMs: flags.lockTimeout },
      reporter,
    ),
  text: (removed) =>
    `${listLines(removed.map((address) => `Removed ${address}`))}Successfully removed ${formatCountWithNoun('object', removed.length)}.\n`,
});

const accept = defineCommand({
  summary: 'accept what the account shows of a field',
  description:
    'Accepts that the account shows another value of a field than was set, as each plan warns (shown-otherwise). Nothing in the account changes. When the account, or the configuration, says something else later, the plan shows it.',
  operands: [['<fields...>', 'each an address and a field, e.g. projects.shop.vms.web.plugins']],
  options: [lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [fields],
    flags,
  }: CommandLineCall<[string[]], LockFlag>) =>
    (await loadChanges()).acceptLiveFieldValues(
      runtime,
      { fields, lockTimeoutMs: flags.lockTimeout },
      reporter,
    ),
  text: (accepted) =>
    listLines(
      accepted.map(
        ({ resource: { address, attributes }, field, shown }) =>
          `Accepted: ${address}.${field} was set to ${JSON.stringify(attributes[field] ?? null)}, and shows ${JSON.stringify(shown)}.`,
      ),
    ),
});

const pull = defineCommand({
  summary: 'print the whole state',
  description:
    'Prints the whole state, as "state push" takes it, including the journal of a run that was killed. It contains the values of resources.',
  run: async ({ runtime, reporter }) => (await loadChanges()).pullState(runtime, reporter),
  text: (state) => state,
});

const push = defineCommand({
  summary: 'replace the state',
  description:
    'Replaces the state with the output of "state pull". Refuses a state of another lineage, and one that is not newer. The previous state becomes the backup.',
  operands: [['<file>', 'a file, or - for standard input']],
  options: [
    new Option('--force', 'push it even if it is older, or of another lineage'),
    lockTimeoutOption(),
  ],
  run: async ({
    runtime,
    reporter,
    operands: [path],
    flags,
  }: CommandLineCall<[string], LockFlag & { readonly force?: boolean }>) => {
    const { pushState } = await import('../../commands/state/push-state.ts');
    const isForced = flags.force === true;
    return pushState(runtime, { path, isForced, lockTimeoutMs: flags.lockTimeout }, reporter);
  },
  text: ({ isChanged, serial }) =>
    isChanged
      ? `Replaced the state; its serial is ${serial}.\n`
      : 'Nothing to do: the state is the same.\n',
});

const resolve = defineCommand({
  summary: 'record the result of a create whose outcome is unknown',
  description:
    'Records the result of a create whose outcome is unknown. --id binds the resource that the create made to its address. --gone records that there is no such resource: the next apply creates it, and no plan looks for a second one any more. Nothing in the account changes.',
  operands: [['<address>', 'address of the create', parseAddressFlag]],
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
  }: CommandLineCall<[string], LockFlag & { readonly id?: string; readonly gone?: boolean }>) => {
    const { id, gone, lockTimeout } = flags;
    if (id === undefined && !gone) {
      const { createCommandRefusal: refuse } = await import('../../commands/session/refuse.ts');
      throw refuse('missing-option', 'state resolve needs the result of the create', {
        hint: 'Give --id ID for the resource that it made, or --gone if it made none.',
      });
    }
    const { resolvePendingCreate: resolveCreate } =
      await import('../../commands/state/resolve-create.ts');
    await resolveCreate(runtime, { address, id, lockTimeoutMs: lockTimeout }, reporter);
    return id === undefined ? 'is gone and can be created again' : `is ${id}`;
  },
  text: (what, _layout, { operands: [address] }) => listLines([`Resolved: ${address} ${what}.`]),
});

const adopt = defineCommand({
  summary: 'adopt one live resource',
  description:
    'Binds a live resource to a block of the configuration in the working directory. Nothing in the account changes. `imports` entries with `as: live` do the same as a part of a plan.',
  operands: [
    ['<address>', 'the address of its block, e.g. projects.shop.vms.web[0]', parseAddressFlag],
    ['<name-or-id>', 'its name, or its id'],
  ],
  options: [lockTimeoutOption()],
  run: async ({
    runtime,
    reporter,
    operands: [address, word],
    flags,
  }: CommandLineCall<[string, string], LockFlag>) => {
    const { importResource } = await import('../../commands/state/import-resource.ts');
    runtime.stderr.write(listLines([`${address}: Importing from ID "${word}"...`]));
    await importResource(runtime, { address, word, lockTimeoutMs: flags.lockTimeout }, reporter);
  },
  text: (_result, { columns }) => {
    const words =
      'The resource is now in your Hostwright state and will be managed from now on. The next plan shows how it differs from the configuration.';
    return `\nImport successful!\n\n${wrapText(words, columns).join('\n')}\n`;
  },
});

const state = defineCommandGroup(
  {
    summary: 'inspect and edit the state',
    description: 'Inspects and edits the state of the working directory.',
  },
  {
    list,
    show,
    mv: move,
    rm: remove,
    accept,
    pull,
    push,
    resolve,
    history: addHistoryCommand,
    rollback: addRollbackCommand,
    journal: addJournalCommand,
    lock: addLockCommand,
    unlock: addUnlockCommand,
    migrate: addStateMigrateCommand,
  },
);

/** `state …`, and `import`. */
export function addStateCommands(program: Command, context: CommandLineContext): void {
  state(program, 'state', context);
  adopt(program, 'import', context);
}

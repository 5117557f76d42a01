import type { Command } from 'commander';
import type { CommandLineContext } from './command-context.ts';

/** A function that adds commands to the program's command line. */
type AddCommands = (program: Command, context: CommandLineContext) => void;

/** A group of commands that one module defines, imported only when one of them is called. */
export interface CommandFamily {
  readonly names: readonly string[];
  readonly load: () => Promise<AddCommands>;
}

/** All commands, in the order of the help. */
export const commandFamilies: readonly CommandFamily[] = [
  {
    names: ['init'],
    load: async () => (await import('./commands/init-command.ts')).addInitCommand,
  },
  {
    names: ['plan', 'apply', 'destroy', 'restore'],
    load: async () => (await import('./commands/plan-commands.ts')).addPlanCommands,
  },
  {
    names: ['validate'],
    load: async () => (await import('./commands/validate-command.ts')).addValidateCommand,
  },
  {
    names: ['test'],
    load: async () => (await import('./commands/test-command.ts')).addTestCommand,
  },
  {
    names: ['fmt'],
    load: async () => (await import('./commands/fmt-command.ts')).addFmtCommand,
  },
  {
    names: ['show'],
    load: async () => (await import('./commands/show-command.ts')).addShowCommand,
  },
  {
    names: ['drift'],
    load: async () => (await import('./commands/drift-command.ts')).addDriftCommand,
  },
  {
    names: ['state', 'import'],
    load: async () => (await import('./commands/state-commands.ts')).addStateCommands,
  },
  {
    names: ['limits'],
    load: async () => (await import('./day-two/day-two-account.ts')).addLimitsCommand,
  },
  {
    names: ['catalog'],
    load: async () => (await import('./day-two/day-two-account.ts')).addCatalogCommand,
  },
  {
    names: ['force-unlock'],
    load: async () => (await import('./commands/force-unlock-command.ts')).addForceUnlockCommand,
  },
  {
    names: ['version'],
    load: async () => (await import('./commands/version-command.ts')).addVersionCommand,
  },
  {
    names: ['export'],
    load: async () => (await import('./commands/export-command.ts')).addExportCommand,
  },
  {
    names: ['output'],
    load: async () => (await import('./commands/output-command.ts')).addOutputCommand,
  },
  {
    names: ['console'],
    load: async () => (await import('./commands/console-command.ts')).addConsoleCommand,
  },
  {
    names: ['graph'],
    load: async () => (await import('./commands/graph-command.ts')).addGraphCommand,
  },
  {
    names: ['vm', 'operations', 'tokens', 'notifications', 'account', 'sales'],
    load: async () => (await import('./day-two/day-two-commands.ts')).addDayTwoCommands,
  },
  {
    names: ['ssh', 'ssh-config', 'inventory'],
    load: async () => (await import('./commands/ssh-commands.ts')).addSshCommands,
  },
  {
    names: ['doctor'],
    load: async () => (await import('./commands/doctor-command.ts')).addDoctorCommand,
  },
  {
    names: ['contract'],
    load: async () => (await import('./commands/contract-commands.ts')).addContractCommands,
  },
  {
    names: ['sandbox'],
    load: async () => (await import('./commands/sandbox-command.ts')).addSandboxCommand,
  },
  {
    names: ['server', 'worker'],
    load: async () => (await import('./commands/server-command.ts')).addServerCommands,
  },
  {
    names: ['mcp'],
    load: async () => (await import('./commands/mcp-command.ts')).addMcpCommand,
  },
  {
    names: ['completion'],
    load: async () => (await import('./commands/completion-command.ts')).addCompletionCommand,
  },
];

/** First words of the command line by which each command is called. */
export const topLevelCommandNames: readonly string[] = commandFamilies.flatMap(
  ({ names }) => names,
);

/** The command behind a shell's completion: it is in no list, since nobody types it. */
const completing: CommandFamily = {
  names: ['complete'],
  load: async () => (await import('./commands/complete-command.ts')).addCompleteCommand,
};

/** Topic of `help environment`: no command, and in no list of them. */
const environmentTopic: CommandFamily = {
  names: ['environment'],
  load: async () => (await import('./commands/environment-topic.ts')).addEnvironmentTopic,
};

/** Commands that describe all others, so that every command's module must be loaded for them. */
const tellingOfAll: ReadonlySet<string> = new Set(['help', 'completion']);

/**
 * Finds the command modules that a command line may need, so that a command starts fast without loading the others. A line
 * without a known command needs all of them, as its help or its error lists every command.
 */
export function findCommandFamilies(argv: readonly string[]): readonly CommandFamily[] {
  const [first = '', ...rest] = argv;
  if (completing.names.includes(first)) {
    return [completing, environmentTopic, ...findCommandFamilies(rest)];
  }
  if (argv.join(' ') === 'help environment') return [environmentTopic];
  if (argv.some((arg) => tellingOfAll.has(arg))) return commandFamilies;
  const named = commandFamilies.filter(({ names }) => names.some((name) => argv.includes(name)));
  return named.length > 0 ? named : commandFamilies;
}

import type { Command } from 'commander';
import { environmentVariables, exitCodes, type HelpTableRow } from './help-sections.ts';

/** A list of the help, and its title. */
interface HelpSection {
  readonly title: string;
  readonly words: readonly HelpTableRow[];
}

/** Commands on the first screen: those of one purpose share a line, so that all of them fit its 24 lines. */
export const commandGroups: readonly HelpSection[] = [
  {
    title: 'Write, plan and apply',
    words: [
      {
        word: 'init, validate, fmt, test',
        meaning: 'begin, check, format and test a configuration',
      },
      { word: 'plan, apply, destroy', meaning: 'show what would change; change it; destroy all' },
      {
        word: 'show, output, graph, console',
        meaning: 'plans, state, outputs, dependencies, expressions',
      },
    ],
  },
  {
    title: 'State and drift',
    words: [
      { word: 'state, force-unlock', meaning: 'list, move, repair it; remove a lock left behind' },
      { word: 'import, export', meaning: 'manage what exists; write its configuration' },
      { word: 'drift, restore', meaning: 'accept changes by hand; bring a retired VM back' },
    ],
  },
  {
    title: 'The account and its VMs',
    words: [
      { word: 'vm, ssh', meaning: 'start, stop, back up, restore; a shell on a VM' },
      { word: 'ssh-config, inventory', meaning: 'hosts for SSH and for Ansible' },
      { word: 'catalog, limits', meaning: 'sizes, images, tariffs and prices; quotas' },
      { word: 'operations, notifications', meaning: 'what the service did, and says' },
      { word: 'account, tokens, sales', meaning: 'the profile, access tokens, what is ordered' },
      { word: 'doctor, contract', meaning: 'check the connection; fit another interface' },
    ],
  },
  {
    title: 'Run',
    words: [
      { word: 'sandbox', meaning: 'the hosting service, locally, to try things out' },
      { word: 'server, worker, mcp', meaning: 'plans and applies for a team; tools for an agent' },
      { word: 'completion, version', meaning: 'completion in a shell; the version' },
    ],
  },
];

const pointers: readonly HelpTableRow[] = [
  { word: 'hostwright COMMAND --help', meaning: 'its arguments, flags and examples' },
  { word: 'hostwright help environment', meaning: 'variables, permissions and exit codes' },
];

/** Renders the first screen of help: all commands in groups, and how to get more help. */
export function renderHelpOverview(program: Command): string {
  const sections = drawSections(program, [...commandGroups, { title: 'More', words: pointers }]);
  // No line stays empty: the last one is for the prompt.
  return `Usage: hostwright [options] <command>\n${sections.replaceAll('\n\n', '\n')}`;
}

/** Text of `help environment`: variables, permissions and exit codes, the same for every command. */
export function renderEnvironmentHelp(command: Command): string {
  const permissions = (command.parent?.options ?? [])
    .filter(({ long }) => long?.startsWith('--allow-'))
    .map(({ flags, description }) => ({ word: flags, meaning: description }));
  return drawSections(command, [
    { title: 'Environment', words: environmentVariables },
    { title: 'Permissions, flags of every command', words: permissions },
    { title: 'Exit codes', words: exitCodes },
  ]);
}

/** Lists in two columns, which all of them share. */
function drawSections(command: Command, sections: readonly HelpSection[]): string {
  const help = command.createHelp();
  help.helpWidth = command.configureHelp().helpWidth ?? 80;
  const width = Math.max(...sections.flatMap(({ words }) => words.map(({ word }) => word.length)));
  return sections
    .map(({ title, words }) => {
      const rows = words.map(({ word, meaning }) => help.formatItem(word, width, meaning, help));
      return [`${title}:`, ...rows, ''].join('\n');
    })
    .join('\n');
}

import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  renderAnsibleInventory,
  renderInventoryJson,
} from '../../render/account/inventory-text.ts';
import { renderSshConfig } from '../../render/account/ssh-config-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';
import { parseAddressFlag } from '../flags/options.ts';

/** Parses a user name and refuses one that `ssh` would take for an option. */
function parseUser(text: string): string {
  if (/^[A-Za-z_][\w.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Give a name such as root or debian.');
}

interface SshFlags {
  readonly via?: string;
  readonly user?: string;
}

const sshOptions = () => [
  new Option('--via <address>', 'a VM of the same network to go through').argParser(
    parseAddressFlag,
  ),
  new Option('--user <name>', 'the user on the VM; whoever SSH takes unless given').argParser(
    parseUser,
  ),
];
const directoryOperand = ['[dir]', 'directory of the configuration', '.'] as const;
const loadHosts = () => import('../../commands/ssh/find-hosts.ts');

const sshConfig = defineCommand({
  summary: 'print a configuration of OpenSSH for the VMs',
  description:
    'Prints a Host block for each VM of the state, for ssh, scp and editors. Host keys are remembered by the id of the VM.',
  operands: [directoryOperand],
  options: sshOptions(),
  run: async ({
    runtime,
    reporter,
    operands: [directory],
    flags: { via, user },
  }: CommandLineCall<[string], SshFlags>) =>
    (await loadHosts()).findSshHosts(runtime, { directory, via, user }, reporter),
  text: renderSshConfig,
});

const inventory = defineCommand({
  summary: 'print the VMs as an inventory',
  description:
    'Prints the VMs of the state with the way to each, in groups by project, block and module.',
  operands: [directoryOperand],
  options: [
    new Option('--format <format>', 'the form of the inventory')
      .choices(['ansible', 'json'])
      .default('ansible'),
    ...sshOptions(),
  ],
  run: async ({
    runtime,
    reporter,
    operands: [directory],
    flags: { via, user },
  }: CommandLineCall<[string], SshFlags>) =>
    (await loadHosts()).findSshHosts(runtime, { directory, via, user }, reporter),
  text: renderAnsibleInventory,
  json: renderInventoryJson,
});

const ssh = defineCommand({
  summary: 'open a shell on a VM, or run a command there',
  description:
    'Runs the ssh of this machine, through the forward to port 22 of a public IP, the public IP of the VM, or another VM with --via. The host key is remembered by the id of the VM, and forgotten when the VM is rebuilt. Exits as ssh does.',
  operands: [
    ['<address>', "the address of the VM, e.g. 'projects.shop.vms.web[0]'"],
    ['[command...]', 'a command for the VM, behind --; a shell when absent'],
  ],
  options: sshOptions(),
  run: async ({
    runtime,
    reporter,
    operands: [address, command],
    flags: { via, user },
  }: CommandLineCall<[string, readonly string[]], SshFlags>) => {
    const { runSsh } = await import('../../commands/ssh/run-ssh.ts');
    const options = { directory: '.', address, via, user, command };
    return (await runSsh(runtime, options, reporter)) ?? 255;
  },
  text: () => '',
  goodCode: (code) => code,
});

/** `ssh`, `ssh-config` and `inventory`. */
export function addSshCommands(program: Command, context: CommandLineContext): void {
  ssh(program, 'ssh', context);
  sshConfig(program, 'ssh-config', context);
  inventory(program, 'inventory', context);
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSystemErrorCode } from '../../config/source/configuration-files.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import { renderSshConfig } from '../../render/account/ssh-config-text.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { findSshHosts, type SshCommandOptions } from './find-hosts.ts';

/** Behind the hosts of the configuration, what the user and the machine have set up for SSH. */
const ownSettings = '\nMatch all\n  Include ~/.ssh/config\n  Include /etc/ssh/ssh_config\n';

/**
 * Opens a shell on a VM, or runs a command there, with the `ssh` of this machine.
 * @returns its exit code; null where a signal ended it
 */
export async function runSsh(
  runtime: SessionRuntime & Pick<Runtime, 'runInTerminal' | 'holdInterrupts'>,
  { command, ...options }: SshCommandOptions & { readonly command: readonly string[] },
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<number | null> {
  const found = await findSshHosts(runtime, options, reporter);
  const host = found.hosts.find(({ address }) => address === options.address);
  if (!host?.route) {
    throw createCommandRefusal('ssh-no-route', `No way leads to ${options.address ?? ''}`, {
      detail: 'It has no forward to port 22 on a public IP, and no public IP of its own.',
      hint: 'Add a forward with `vmPort: 22`, or go through another VM of its network: --via ADDRESS.',
      address: options.address ?? '',
    });
  }
  // SSH calls itself with this path unquoted to reach a jump host, so it may have no special character.
  const room = /^[\w./-]+$/.test(tmpdir()) ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(room, 'hostwright-ssh-'));
  const letGo = runtime.holdInterrupts(() => undefined);
  try {
    const file = join(folder, 'config');
    await writeFile(file, renderSshConfig(found) + ownSettings, { mode: 0o600 });
    return await runtime.runInTerminal('ssh', ['-F', file, '--', host.alias, ...command]);
  } catch (error) {
    if (readSystemErrorCode(error) !== 'ENOENT') throw error;
    throw createCommandRefusal('ssh-not-found', 'There is no program `ssh` on this machine', {
      hint: 'Install OpenSSH, or print a configuration for another program: hostwright ssh-config.',
    });
  } finally {
    letGo();
    await rm(folder, { recursive: true, force: true });
  }
}

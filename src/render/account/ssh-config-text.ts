import type { SshHost, SshHosts } from '../../model/account/ssh-host.ts';
import { escapeUntrustedText } from '../format/escape.ts';

/** Renders VMs as the text of an OpenSSH configuration file. A VM that SSH cannot reach becomes a comment. */
export function renderSshConfig({ hosts, knownHosts, user }: SshHosts): string {
  const blocks = hosts.map((host) =>
    host.route
      ? drawHost(host, knownHosts, user)
      : `# ${escapeUntrustedText(host.address)}: no forward to port 22, and no public IP of its own`,
  );
  return blocks.length === 0 ? '# There is no VM.\n' : `${blocks.join('\n\n')}\n`;
}

function drawHost({ alias, keyAlias, route }: SshHost, knownHosts: string, user?: string): string {
  const { host = '', port = 0, via } = route ?? {};
  return [
    `Host ${alias}`,
    `  HostName ${host}`,
    `  Port ${port}`,
    ...(user === undefined ? [] : [`  User ${user}`]),
    ...(via === undefined ? [] : [`  ProxyJump ${via}`]),
    `  HostKeyAlias ${keyAlias}`,
    // SSH replaces `%` sequences in paths, so `%` is doubled.
    `  UserKnownHostsFile "${knownHosts.replaceAll('%', '%%')}"`,
    '  StrictHostKeyChecking accept-new',
    '  CheckHostIP no',
    // Debian hashes host names by default; plain ones can be removed again by name.
    '  HashKnownHosts no',
  ].join('\n');
}

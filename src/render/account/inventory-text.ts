// Inventories of the VMs: for Ansible, and for other programs.
import { Document } from 'yaml';
import { listEnclosingAddresses, removeInstanceKey } from '../../model/address.ts';
import type { SshHost, SshHosts } from '../../model/account/ssh-host.ts';
import { projectKind } from '../../model/kind-table.ts';
import { escapeUntrustedLines } from '../format/escape.ts';
import { quoteForShell } from '../format/shell.ts';

/** Groups of an Ansible inventory, with the names of their hosts. */
type Groups = Readonly<Record<string, readonly string[]>>;

/** Subject of a group, and the text of the address that stands for it. */
type GroupSource = readonly [kind: typeof projectKind | 'block' | 'module', text: string];

/** Group names are variables of Ansible: letters, digits and underscores. */
function nameGroup([kind, text]: GroupSource): string {
  return `${kind}_${text.replaceAll(/\W+/g, '_').replaceAll(/^_|_$/g, '')}`;
}

/** A name that no other text has: `-` becomes `_x2d_`. */
function nameGroupExactly([kind, text]: GroupSource): string {
  const escaped = text.replaceAll(
    /[^A-Za-z0-9]/g,
    (character) => `_x${character.charCodeAt(0).toString(16)}_`,
  );
  return `${kind}_${escaped}`;
}

/** Groups of a host: by its project, its block, the modules that it is in, and their instances. */
function listGroups({ address }: SshHost): readonly GroupSource[] {
  const segments = listEnclosingAddresses(address);
  const own = segments.map((segment, index) => segment.slice(segments[index - 1]?.length ?? 0));
  const [modules, inner] = [true, false].map((isModule) =>
    own
      .map((segment) => segment.replace(/^\./, ''))
      .filter((segment) => segment.startsWith('modules.') === isModule)
      .map((segment) => segment.slice(segment.indexOf('.') + 1)),
  );
  const [project = '', vm = ''] = inner ?? [];
  const named = (modules ?? []).flatMap((name) => [removeInstanceKey(name), name]);
  return [
    [projectKind, project],
    ['block', `${project}.${removeInstanceKey(vm)}`],
    ...[...new Set(named)].map((name) => ['module', name] as const),
  ];
}

/** No group holds what another one means: where two would be called the same, both are named exactly. */
function groupAll(hosts: readonly SshHost[]): Groups {
  const sources = new Map<string, { source: GroupSource; aliases: string[] }>();
  for (const host of hosts) {
    for (const source of listGroups(host)) {
      const key = nameGroupExactly(source);
      const group = sources.get(key) ?? { source, aliases: [] };
      group.aliases.push(host.alias);
      sources.set(key, group);
    }
  }
  const names = [...sources.values()].map(({ source }) => nameGroup(source));
  const seen = new Set<string>();
  const doubled = new Set(names.filter((name) => seen.size === seen.add(name).size));
  const entries = [...sources].map(([exact, { source, aliases }]) => {
    const name = nameGroup(source);
    return [doubled.has(name) ? exact : name, aliases] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The answer of `inventory --format json`: `hosts`, and `groups` by project, block and module. */
export function renderInventoryJson({ hosts, knownHosts }: SshHosts): object {
  return {
    format_version: '1.0',
    knownHosts,
    hosts: hosts.map(({ address, id, alias, keyAlias, route, internalIps }) => ({
      alias,
      address,
      id,
      hostKeyAlias: keyAlias,
      host: route?.host ?? null,
      port: route?.port ?? null,
      via: route?.via ?? null,
      internalIps,
    })),
    groups: groupAll(hosts),
  };
}

/** Renders an Ansible inventory as YAML, without the VMs that SSH cannot reach. */
export function renderAnsibleInventory({ hosts, knownHosts, user }: SshHosts): string {
  const reached = hosts.filter(({ route }) => route !== undefined);
  const children = Object.fromEntries(
    Object.entries(groupAll(reached)).map(([name, aliases]) => [
      name,
      { hosts: Object.fromEntries(aliases.map((alias) => [alias, null])) },
    ]),
  );
  const byAlias = new Map(reached.map((host) => [host.alias, host]));
  const entries = reached.map((host) => [
    host.alias,
    describeHost(host, byAlias, knownHosts, user),
  ]);
  const all = { hosts: Object.fromEntries(entries) as object, children };
  const text = new Document({ all }).toString({
    lineWidth: 0,
    nullStr: '',
    // Texts with escapes need double quotes in YAML.
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
  return escapeUntrustedLines(text);
}

/** Ansible evaluates what stands in two braces: a stranger's text is left out. */
const isPlain = (text: string) => !text.includes('{');

function describeHost(
  { address, id, keyAlias, route }: SshHost,
  byAlias: ReadonlyMap<string, SshHost>,
  knownHosts: string,
  user: string | undefined,
): object {
  const gate = byAlias.get(route?.via ?? '');
  const keys = (name: string) =>
    `-o HostKeyAlias=${name} -o StrictHostKeyChecking=accept-new -o CheckHostIP=no -o HashKnownHosts=no -o ${quoteForShell(`UserKnownHostsFile="${knownHosts.replaceAll('%', '%%')}"`)}`;
  const login = user === undefined ? '' : `-l ${user} `;
  // The jump has a host key of its own, which ProxyJump could not be told.
  const jump =
    gate?.route &&
    `-o ${quoteForShell(`ProxyCommand=ssh ${keys(gate.keyAlias).replaceAll('%', '%%')} ${login}-p ${gate.route.port} -W [%h]:%p ${gate.route.host}`)}`;
  return {
    ansible_host: route?.host,
    ansible_port: route?.port,
    ...(user !== undefined && { ansible_user: user }),
    ansible_ssh_common_args: [keys(keyAlias), ...(jump ? [jump] : [])].join(' '),
    ...(isPlain(address) && { hostwright_address: address }),
    ...(isPlain(id) && { hostwright_id: id }),
  };
}

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { SshHost } from '../../../src/model/account/ssh-host.ts';
import {
  renderAnsibleInventory,
  renderInventoryJson,
} from '../../../src/render/account/inventory-text.ts';
import { renderSshConfig } from '../../../src/render/account/ssh-config-text.ts';

const makeHost = (name: string, given: Partial<SshHost> = {}): SshHost => ({
  address: `projects.shop.vms.${name}`,
  id: `vm-${name}`,
  alias: name,
  keyAlias: `key-${name}`,
  route: { host: '203.0.113.1', port: 2222 },
  internalIps: [],
  ...given,
});
const gate = makeHost('gate');
const inner = makeHost('inner', {
  address: 'modules.eu["a"].modules.db.projects.shop.vms.web[1]',
  route: { host: '10.0.0.2', port: 22, via: 'gate' },
});
const lost = makeHost('lost', { route: undefined, id: '{{ x }}' });
const knownHosts = '/a 100%/known_hosts';

test('a configuration of SSH', () => {
  expect(renderSshConfig({ hosts: [], knownHosts })).toBe('# There is no VM.\n');
  const text = renderSshConfig({ hosts: [inner, lost], knownHosts, user: 'root' });
  expect(text).toContain(
    'Host inner\n  HostName 10.0.0.2\n  Port 22\n  User root\n  ProxyJump gate\n',
  );
  expect(text).toContain('UserKnownHostsFile "/a 100%%/known_hosts"\n');
  expect(text).toContain('# projects.shop.vms.lost: no forward to port 22');
  expect(renderSshConfig({ hosts: [gate], knownHosts })).not.toMatch(/User |ProxyJump/);
});

test('groups by project, block and module', () =>
  expect(renderInventoryJson({ hosts: [gate, inner, lost], knownHosts })).toMatchObject({
    hosts: [{ host: '203.0.113.1' }, { via: 'gate' }, { host: null, port: null }],
    groups: {
      project_shop: ['gate', 'inner', 'lost'],
      block_shop_gate: ['gate'],
      block_shop_web: ['inner'],
      module_eu: ['inner'],
      module_db: ['inner'],
    },
  }));

test('an inventory of Ansible, in which nothing of a stranger is evaluated', () => {
  const text = renderAnsibleInventory({ hosts: [gate, inner, lost], knownHosts, user: 'root' });
  const { all } = parse(text) as { all: { hosts: Record<string, Record<string, string>> } };
  expect(Object.keys(all.hosts)).toEqual(['gate', 'inner']);
  expect(all.hosts['inner']?.ansible_ssh_common_args).toMatch(
    /key-inner .* -o 'ProxyCommand=ssh .*key-gate .*%%%%.* -l root -p 2222 -W \[%h\]:%p 203\.0\.113\.1'$/,
  );
  expect(text).not.toMatch(/\{\{|lost/);
  const odd = makeHost('odd', { id: '{{ x }}', address: 'projects.shop.vms.odd["{{ y }}"]' });
  expect(renderAnsibleInventory({ hosts: [odd], knownHosts })).not.toContain('{{');
});

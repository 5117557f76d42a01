import type { ForeignKey, ForeignKeys } from '../kind-values.ts';

const each = (keys: string, foreign: ForeignKey): ForeignKeys =>
  Object.fromEntries(keys.split(' ').map((key) => [key, foreign]));

/** What other tools call the fields of a VM. */
export const vmForeignKeys: ForeignKeys = {
  ...each('size plan flavor flavour servertype instancetype machinetype type', {
    key: 'configuration',
  }),
  ...each('cpu cpus cores vcpu vcpus memory ram disk disksize storage resources', {
    hint: 'Use `configuration`, which fixes cores, RAM and disk.',
  }),
  ...each('billing pricing', { key: 'tariff' }),
  ...each('os osimage ami template', { key: 'image' }),
  ...each('keyname keypair keys authorizedkeys sshkeyids', { key: 'sshKeys' }),
  ...each('subnet subnets subnetid vpc vpcid networkid networkinterface', { key: 'networks' }),
  ...each('ip ipaddress ipv4 floatingip elasticip associatepublicipaddress', { key: 'publicIp' }),
  ...each('hostname title', { key: 'name' }),
  ...each('state status desiredstatus running started', { key: 'power' }),
  ...each('replicas instances', { key: 'count' }),
  ...each('userdata cloudinit startupscript script', {
    hint: 'Remove it: the service runs no script on a new VM. Use an image, or a tool such as Ansible.',
  }),
  ...each('password rootpassword adminpass', {
    hint: 'Remove it, and give `sshKeys`: no password belongs into YAML.',
  }),
  ...each('cidr privateip', {
    hint: 'Remove it: the service assigns addresses. Read them as attributes of the network or VM.',
  }),
  ...each('ports forwards securitygroups firewall firewallids', {
    hint: 'Write the ports as `forwards` of a public IP.',
  }),
  ...each('region zone location datacenter availabilityzone', {
    hint: 'Remove it: the service chooses where a VM runs.',
  }),
  ...each('project projectid', {
    hint: 'Remove it: the block around the VM is its project, as in `projects.KEY.vms`.',
  }),
  ...each('backup backups snapshot', {
    hint: 'Remove it: `hostwright backups` lists and makes backups.',
  }),
};

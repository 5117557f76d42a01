const size =
  'Use `configuration`: it names cores, RAM and disk. "hostwright catalog configurations" lists them.';
const image = 'Use `image`. "hostwright catalog images" lists them.';
const address = 'Use `publicIp: KEY`, and declare the address in `publicIps` of the project.';
const boot =
  'Remove it: the service is not known to run a script on the first boot. Use an image that holds what the VM needs.';
const keys = 'Use `sshKeys`: a list of keys of `sshKeys` of the project.';
const nets = 'Use `networks`: a list of keys of `networks` of the project.';
const power = 'Use `power: running` or `power: stopped`.';

/** Names of a VM's fields in other tools, in small letters without `_`, each with a hint on the field to use here. */
export const foreignVmFieldHints: Readonly<Record<string, string>> = {
  size,
  flavor: size,
  instancetype: size,
  machinetype: size,
  servertype: size,
  plan: size,
  cpu: size,
  cpus: size,
  vcpus: size,
  cores: size,
  memory: size,
  ram: size,
  disk: size,
  disksize: size,
  rootblockdevice: size,
  bootdisk: size,
  imageid: image,
  ami: image,
  os: image,
  ip: address,
  ipaddress: address,
  ipv4: address,
  eip: address,
  floatingip: address,
  publicipid: address,
  publicips: address,
  userdata: boot,
  cloudinit: boot,
  startupscript: boot,
  sshkey: keys,
  keyname: keys,
  keypair: keys,
  subnet: nets,
  subnetid: nets,
  network: nets,
  networkinterface: nets,
  cidr: 'Remove it: the service assigns addresses. `networks` attaches the VM to networks.',
  state: power,
  status: power,
  running: power,
  hostname: 'Use `name`.',
  replicas: 'Use `count`.',
  instances: 'Use `count`.',
  ports: 'Declare them as `forwards` of a public IP of the project.',
};

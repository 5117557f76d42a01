/** What VMs are attached to, logged in to with and reached by; the VMs themselves, one of them `web`, are to follow. */
export const aroundVms = `
projects:
  demo:
    sshKeys:
      alice: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2aB alice }
    networks: { backend: }
    publicIps:
      edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 } } }
    vms:
`;

/** A configuration with a resource of every kind that lies in a project, and what they have to do with each other. */
export const everyKind = `${aroundVms}\
      web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, sshKeys: [alice], networks: [backend] }
      bastion: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, publicIp: new, power: stopped }
`;

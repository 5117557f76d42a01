import type { BroughtResourceTrait } from '../traits.ts';

/** The public IP that the service makes for a VM, and leaves behind when the VM is deleted. */
export const broughtPublicIp: BroughtResourceTrait<'vm'> = {
  kind: 'publicIp',
  asked: { publicIp: 'new' },
  key: 'new',
  isAskedBy: (command) => command.kind === 'createVm' && command.publicIp === 'new',
  idOf: ({ publicIpId }) => publicIpId ?? undefined,
};

import type { DesiredResource } from '../../model/resource.ts';
import type { ExclusiveClaim, BroughtResourceTrait } from '../traits.ts';

/** The public IP that a configured VM claims for itself; `new` is another one for each VM. */
export function claimPublicIp({ project, attributes }: DesiredResource): readonly ExclusiveClaim[] {
  const { publicIp } = attributes;
  if (typeof publicIp !== 'string') return [];
  return [
    {
      id: `${project} holder of ${publicIp}`,
      attribute: 'publicIp',
      of: { kind: 'publicIp', key: publicIp },
      code: 'public-ip-shared',
      summary: `Two VMs of ${project} use the public IP \`${publicIp}\``,
      why: 'One VM can hold a public IP.',
      hint: 'Give one of the two another public IP, or `new`; port forwards reach several VMs through one.',
      hintForInstances: 'Use a public IP for each, for example `edge-${each.index}`, or `new`.',
    },
  ];
}

/** The public IP that the service makes for a VM, and leaves behind when the VM is deleted. */
export const broughtPublicIp: BroughtResourceTrait<'vm'> = {
  kind: 'publicIp',
  asked: { publicIp: 'new' },
  key: 'new',
  isAskedBy: (command) => command.kind === 'createVm' && command.publicIp === 'new',
  idOf: ({ publicIpId }) => publicIpId ?? undefined,
};

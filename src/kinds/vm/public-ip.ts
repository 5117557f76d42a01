import type { DesiredResource } from '../../model/resource.ts';
import type { ExclusiveClaim, CompanionResourceTrait } from '../traits.ts';

/** Claim of a configured VM to a public IP, which no other VM may have; none for `new`, by which each VM gets one of its own. */
export function listPublicIpClaims({
  project,
  attributes,
}: DesiredResource): readonly ExclusiveClaim[] {
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
export const companionPublicIp: CompanionResourceTrait<'vm'> = {
  kind: 'publicIp',
  asked: { publicIp: 'new' },
  key: 'new',
  isAskedBy: (command) => command.kind === 'createVm' && command.publicIp === 'new',
  idOf: ({ publicIpId }) => publicIpId ?? undefined,
};

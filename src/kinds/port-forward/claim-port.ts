import { parseAddress } from '../../model/address.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { OnceClaim } from '../traits.ts';

/** The port of its public IP that a configured forward claims. */
export function claimPort({ address, attributes }: DesiredResource): readonly OnceClaim[] {
  const { protocol, publicPort } = attributes;
  const publicIp = parseAddress(address)?.parent;
  if (publicIp === undefined || typeof protocol !== 'string' || typeof publicPort !== 'number') {
    return [];
  }
  const port = `${protocol} port ${publicPort}`;
  return [
    {
      id: `${publicIp} ${port}`,
      attribute: 'publicPort',
      code: 'duplicate-port',
      summary: `${publicIp} forwards its ${port} twice`,
      hint: 'Give one of the two another publicPort, or remove it.',
    },
  ];
}

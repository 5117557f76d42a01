import { omitUntoldFields, type ReportedOrUntoldField } from '../../model/account/told.ts';
import type { Value } from '../../model/value.ts';
import type { KindExport } from '../export/kind-export.ts';

function isPort(port: ReportedOrUntoldField<number>): port is number {
  return port !== undefined && Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** Exports port forwards to a configuration. */
export const portForwardExport: KindExport<'portForward'> = {
  keyWord: 'forward',
  keyFrom: ({ protocol, publicPort }) => `${protocol}-${publicPort}`,
  whyNot({ protocol, publicPort, vmPort, vmId }, names) {
    if (vmId === undefined || names.localKey('vm', vmId) === undefined) {
      return `It leads to the VM ${vmId ?? 'that the service does not tell'}, which is not described here.`;
    }
    if (protocol === undefined) return 'The service does not tell its protocol.';
    return ['tcp', 'udp'].includes(protocol) && isPort(publicPort) && isPort(vmPort)
      ? undefined
      : `A configuration cannot say ${protocol} ${publicPort} to ${vmPort}.`;
  },
  unique: {
    textOf: ({ protocol, publicPort }) => `${protocol}-${publicPort}`,
    why: (_first, publicIp = '') => `Another one of ${publicIp} has the same port.`,
  },
  describe: ({ protocol, publicPort, vmPort, vmId = '' }, _key, names) => ({
    fields: omitUntoldFields<Value>({
      protocol,
      publicPort,
      vm: names.localKey('vm', vmId) ?? vmId,
      vmPort,
    }),
  }),
};

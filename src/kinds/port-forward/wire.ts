import type { ListedKindCodec } from '../../api/contract/codec.ts';
import type { WirePortForward, WirePortProtocol } from '../../api/contract/types.ts';
import {
  readCreationTime,
  readWireId,
  readWireRecord,
  lifecycleStatusWords,
  readLiveNumber,
  readLiveReference,
  readContractWord,
} from '../../model/wire/decode-fields.ts';

const protocolWords: readonly WirePortProtocol[] = ['tcp', 'udp'];

/** Requests and decoder for port forwards, which lie below their public IP. */
export const portForwardWireFormat: ListedKindCodec<'portForward'> = {
  list: ({ projectId, publicIpId = '' }) => ({
    operation: 'listPortForwards',
    params: { projectId, publicIpId },
  }),
  get: ({ projectId, publicIpId = '' }, portForwardId) => ({
    operation: 'getPortForward',
    params: { projectId, publicIpId, portForwardId },
  }),
  decode(wire, { projectId, publicIpId }) {
    const record = readWireRecord<WirePortForward>(wire, 'a port forward');
    return {
      kind: 'portForward',
      id: readWireId(record.id, 'a port forward'),
      projectId,
      publicIpId: publicIpId ?? '',
      // Assumption: forwards may have no status; a listed one is then active.
      status: readContractWord(record.status, lifecycleStatusWords) ?? 'active',
      protocol: readContractWord(record.protocol, protocolWords),
      publicPort: readLiveNumber(record.publicPort),
      vmId: readLiveReference(record.vmId),
      vmPort: readLiveNumber(record.vmPort),
      ...readCreationTime(wire),
    };
  },
  encode: {
    createPortForward: ({ project, publicIp, protocol, publicPort, vm, vmPort }) => ({
      params: { projectId: project, publicIpId: publicIp },
      // The configuration allows no other protocols than the contract; the service has the last word.
      body: { protocol: protocol as WirePortProtocol, publicPort, vmId: vm, vmPort },
    }),
    updatePortForward: ({ project, publicIp, portForward, publicPort, vm, vmPort }) => ({
      params: { projectId: project, publicIpId: publicIp, portForwardId: portForward },
      body: { publicPort, vmId: vm, vmPort },
    }),
    deletePortForward: ({ project, publicIp, portForward }) => ({
      params: { projectId: project, publicIpId: publicIp, portForwardId: portForward },
    }),
  },
};

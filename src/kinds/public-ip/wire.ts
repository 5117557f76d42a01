import type { ListedKindCodec } from '../../api/contract/codec.ts';
import type { WirePublicIp } from '../../api/contract/types.ts';
import {
  readCreationTime,
  readWireId,
  readWireRecord,
  lifecycleStatusWords,
  readOptionalLiveReference,
  readOptionalLiveText,
  readContractWord,
} from '../../model/wire/decode-fields.ts';

/** Requests and decoder for public IPs. */
export const publicIpWireFormat: ListedKindCodec<'publicIp'> = {
  list: ({ projectId }) => ({ operation: 'listPublicIps', params: { projectId } }),
  get: ({ projectId }, publicIpId) => ({
    operation: 'getPublicIp',
    params: { projectId, publicIpId },
  }),
  decode(wire, { projectId }) {
    const record = readWireRecord<WirePublicIp>(wire, 'a public IP');
    return {
      kind: 'publicIp',
      id: readWireId(record.id, 'a public IP'),
      projectId,
      status: readContractWord(record.status, lifecycleStatusWords),
      address: readOptionalLiveText(record.address),
      vmId: readOptionalLiveReference(record.vmId),
      ...readCreationTime(wire),
    };
  },
  encode: {
    createPublicIp: ({ project }) => ({ params: { projectId: project } }),
    deletePublicIp: ({ project, publicIp }) => ({
      params: { projectId: project, publicIpId: publicIp },
    }),
  },
};

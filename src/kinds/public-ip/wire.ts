import type { ListCodec } from '../../api/contract/codec.ts';
import type { WirePublicIp } from '../../api/contract/types.ts';
import {
  readCreation,
  readId,
  readRecord,
  statusWords,
  tellOptionalReference,
  tellOptionalText,
  readContractWord,
} from '../../model/wire/decode-fields.ts';

/** Requests and decoder for public IPs. */
export const publicIpWire: ListCodec<'publicIp'> = {
  list: ({ projectId }) => ({ operation: 'listPublicIps', params: { projectId } }),
  get: ({ projectId }, publicIpId) => ({
    operation: 'getPublicIp',
    params: { projectId, publicIpId },
  }),
  decode(wire, { projectId }) {
    const record = readRecord<WirePublicIp>(wire, 'a public IP');
    return {
      kind: 'publicIp',
      id: readId(record.id, 'a public IP'),
      projectId,
      status: readContractWord(record.status, statusWords),
      address: tellOptionalText(record.address),
      vmId: tellOptionalReference(record.vmId),
      ...readCreation(wire),
    };
  },
  encode: {
    createPublicIp: ({ project }) => ({ params: { projectId: project } }),
    deletePublicIp: ({ project, publicIp }) => ({
      params: { projectId: project, publicIpId: publicIp },
    }),
  },
};

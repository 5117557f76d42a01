import type { ListedKindCodec } from '../../api/contract/codec.ts';
import type { WireNetwork } from '../../api/contract/types.ts';
import {
  readCreationTime,
  readWireId,
  readWireRecord,
  lifecycleStatusWords,
  readOptionalLiveText,
  readLiveText,
  readContractWord,
} from '../../model/wire/decode-fields.ts';

/** Requests and decoder for networks. */
export const networkWireFormat: ListedKindCodec<'network'> = {
  list: ({ projectId }) => ({ operation: 'listNetworks', params: { projectId } }),
  get: ({ projectId }, networkId) => ({
    operation: 'getNetwork',
    params: { projectId, networkId },
  }),
  decode(wire, { projectId }) {
    const record = readWireRecord<WireNetwork>(wire, 'a network');
    return {
      kind: 'network',
      id: readWireId(record.id, 'a network'),
      projectId,
      name: readLiveText(record.name),
      status: readContractWord(record.status, lifecycleStatusWords),
      cidr: readOptionalLiveText(record.cidr),
      ...readCreationTime(wire),
    };
  },
  encode: {
    createNetwork: ({ project, name }) => ({ params: { projectId: project }, body: { name } }),
    renameNetwork: ({ project, network, name }) => ({
      params: { projectId: project, networkId: network },
      body: { name },
    }),
    deleteNetwork: ({ project, network }) => ({
      params: { projectId: project, networkId: network },
    }),
  },
};

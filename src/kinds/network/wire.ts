import type { ListCodec } from '../../api/contract/codec.ts';
import type { WireNetwork } from '../../api/contract/types.ts';
import {
  readCreation,
  readId,
  readRecord,
  statusWords,
  tellOptionalText,
  readToldText,
  readContractWord,
} from '../../model/wire/decode-fields.ts';

/** Requests and decoder for networks. */
export const networkWire: ListCodec<'network'> = {
  list: ({ projectId }) => ({ operation: 'listNetworks', params: { projectId } }),
  get: ({ projectId }, networkId) => ({
    operation: 'getNetwork',
    params: { projectId, networkId },
  }),
  decode(wire, { projectId }) {
    const record = readRecord<WireNetwork>(wire, 'a network');
    return {
      kind: 'network',
      id: readId(record.id, 'a network'),
      projectId,
      name: readToldText(record.name),
      status: readContractWord(record.status, statusWords),
      cidr: tellOptionalText(record.cidr),
      ...readCreation(wire),
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

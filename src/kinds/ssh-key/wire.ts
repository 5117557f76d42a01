import type { ListedKindCodec } from '../../api/contract/codec.ts';
import type { WireSshKey } from '../../api/contract/types.ts';
import {
  readCreationTime,
  readWireId,
  readWireRecord,
  readOptionalLiveText,
  readLiveText,
} from '../../model/wire/decode-fields.ts';

/** Requests and decoder for SSH keys. */
export const sshKeyWireFormat: ListedKindCodec<'sshKey'> = {
  list: ({ projectId }) => ({ operation: 'listSshKeys', params: { projectId } }),
  get: ({ projectId }, sshKeyId) => ({ operation: 'getSshKey', params: { projectId, sshKeyId } }),
  decode(wire, { projectId }) {
    const record = readWireRecord<WireSshKey>(wire, 'an SSH key');
    return {
      kind: 'sshKey',
      id: readWireId(record.id, 'an SSH key'),
      projectId,
      name: readLiveText(record.name),
      publicKey: readLiveText(record.publicKey),
      fingerprint: readOptionalLiveText(record.fingerprint),
      ...readCreationTime(wire),
    };
  },
  encode: {
    createSshKey: ({ project, name, publicKey }) => ({
      params: { projectId: project },
      body: { name, publicKey },
    }),
    renameSshKey: ({ project, sshKey, name }) => ({
      params: { projectId: project, sshKeyId: sshKey },
      body: { name },
    }),
    deleteSshKey: ({ project, sshKey }) => ({ params: { projectId: project, sshKeyId: sshKey } }),
  },
};

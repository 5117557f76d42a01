import type { ListCodec } from '../../api/contract/codec.ts';
import type { WireSshKey } from '../../api/contract/types.ts';
import {
  readCreation,
  readId,
  readRecord,
  tellOptionalText,
  readToldText,
} from '../../model/wire/decode-fields.ts';

/** Requests and decoder for SSH keys. */
export const sshKeyWire: ListCodec<'sshKey'> = {
  list: ({ projectId }) => ({ operation: 'listSshKeys', params: { projectId } }),
  get: ({ projectId }, sshKeyId) => ({ operation: 'getSshKey', params: { projectId, sshKeyId } }),
  decode(wire, { projectId }) {
    const record = readRecord<WireSshKey>(wire, 'an SSH key');
    return {
      kind: 'sshKey',
      id: readId(record.id, 'an SSH key'),
      projectId,
      name: readToldText(record.name),
      publicKey: readToldText(record.publicKey),
      fingerprint: tellOptionalText(record.fingerprint),
      ...readCreation(wire),
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

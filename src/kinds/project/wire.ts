import type { ListedKindCodec } from '../../api/contract/codec.ts';
import type { WireProject } from '../../api/contract/types.ts';
import {
  readCreationTime,
  readWireId,
  readWireRecord,
  readLiveText,
} from '../../model/wire/decode-fields.ts';

/** Requests and decoder for projects. */
export const projectWireFormat: ListedKindCodec<'project'> = {
  list: () => ({ operation: 'listProjects', params: {} }),
  get: (_, projectId) => ({ operation: 'getProject', params: { projectId } }),
  decode(wire) {
    const record = readWireRecord<WireProject>(wire, 'a project');
    const id = readWireId(record.id, 'a project');
    return {
      kind: 'project',
      id,
      projectId: id,
      name: readLiveText(record.name),
      ...readCreationTime(wire),
    };
  },
  encode: {
    createProject: ({ name }) => ({ params: {}, body: { name } }),
    renameProject: ({ project, name }) => ({ params: { projectId: project }, body: { name } }),
    deleteProject: ({ project }) => ({ params: { projectId: project } }),
  },
};

import type { ListCodec } from '../../api/contract/codec.ts';
import type { WireProject } from '../../api/contract/types.ts';
import { readCreation, readId, readRecord, readToldText } from '../../model/wire/decode-fields.ts';

/** Requests and decoder for projects. */
export const projectWire: ListCodec<'project'> = {
  list: () => ({ operation: 'listProjects', params: {} }),
  get: (_, projectId) => ({ operation: 'getProject', params: { projectId } }),
  decode(wire) {
    const record = readRecord<WireProject>(wire, 'a project');
    const id = readId(record.id, 'a project');
    return {
      kind: 'project',
      id,
      projectId: id,
      name: readToldText(record.name),
      ...readCreation(wire),
    };
  },
  encode: {
    createProject: ({ name }) => ({ params: {}, body: { name } }),
    renameProject: ({ project, name }) => ({ params: { projectId: project }, body: { name } }),
    deleteProject: ({ project }) => ({ params: { projectId: project } }),
  },
};

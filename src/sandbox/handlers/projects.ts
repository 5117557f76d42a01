import type { SandboxHandlers } from './handler.ts';
import { createSandboxId } from '../store/ids.ts';
import { findProjectRow } from '../rules/lookups.ts';
import { requireFreeName, requireValidName } from '../rules/names.ts';
import { representListPage } from './paging.ts';
import { createConflictRefusal } from '../contract/problems.ts';
import { claimQuota } from '../rules/quotas.ts';
import { representProject } from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';
import type { CollectionWithin } from '../../model/kind-places.ts';

/** Nouns for a project's contents, by the collection that is counted: for the refusal to delete a project with any. */
const contents: Readonly<Record<CollectionWithin<'project'>, string>> = {
  vms: 'VMs',
  networks: 'networks',
  publicIps: 'public IPs',
  sshKeys: 'SSH keys',
};

/** Handlers of operations on projects, which take no time; only an empty project can be deleted. */
export const projectHandlers = {
  listProjects: (call) =>
    representListPage(call, call.query, call.store.tally('account', 'projects'), (limit, offset) =>
      call.store
        .select(sandboxTables.projects, 'ORDER BY seq LIMIT ? OFFSET ?', limit, offset)
        .map((project) => representProject(call, project)),
    ),

  createProject: (call) => {
    const { store, rules, now, body } = call;
    requireValidName(call, body.name, 'project');
    requireFreeName(call, sandboxTables.projects, 'project', body.name, {});
    claimQuota(call, { projects: 1 });
    const project = {
      id: createSandboxId(store, rules.seed, 'project'),
      name: body.name,
      createdAt: now,
    };
    store.insert(sandboxTables.projects, project);
    return representProject(call, project);
  },

  getProject: (call) => representProject(call, findProjectRow(call, call.params.projectId)),

  renameProject: (call) => {
    const project = findProjectRow(call, call.params.projectId);
    const { name } = call.body;
    requireValidName(call, name, 'project');
    requireFreeName(call, sandboxTables.projects, 'project', name, {}, project.id);
    call.store.update(sandboxTables.projects, { id: project.id }, { name });
    return representProject(call, { ...project, name });
  },

  deleteProject: (call) => {
    const { id } = findProjectRow(call, call.params.projectId);
    for (const [kind, words] of Object.entries(contents)) {
      const count = call.store.tally(id, kind);
      if (count > 0)
        throw createConflictRefusal(
          `The project ${id} is not empty: it holds ${words} (${count}).`,
        );
    }
    call.store.delete(sandboxTables.projects, { id });
    call.store.delete(sandboxTables.operations, { projectId: id });
    call.store.delete(sandboxTables.tallies, { owner: id });
    return undefined;
  },
} satisfies Partial<SandboxHandlers>;

import type { Handlers } from './handler.ts';
import { nextId } from '../store/ids.ts';
import { findProject } from '../rules/lookups.ts';
import { requireFreeName, requireName } from '../rules/names.ts';
import { showPage } from './paging.ts';
import { conflict } from '../contract/problems.ts';
import { claimQuota } from '../rules/quotas.ts';
import { showProject } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';
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
    showPage(call, call.query, call.store.tally('account', 'projects'), (limit, offset) =>
      call.store
        .select(tables.projects, 'ORDER BY seq LIMIT ? OFFSET ?', limit, offset)
        .map((project) => showProject(call, project)),
    ),

  createProject: (call) => {
    const { store, rules, now, body } = call;
    requireName(call, body.name, 'project');
    requireFreeName(call, tables.projects, 'project', body.name, {});
    claimQuota(call, { projects: 1 });
    const project = { id: nextId(store, rules.seed, 'project'), name: body.name, createdAt: now };
    store.insert(tables.projects, project);
    return showProject(call, project);
  },

  getProject: (call) => showProject(call, findProject(call, call.params.projectId)),

  renameProject: (call) => {
    const project = findProject(call, call.params.projectId);
    const { name } = call.body;
    requireName(call, name, 'project');
    requireFreeName(call, tables.projects, 'project', name, {}, project.id);
    call.store.update(tables.projects, { id: project.id }, { name });
    return showProject(call, { ...project, name });
  },

  deleteProject: (call) => {
    const { id } = findProject(call, call.params.projectId);
    for (const [kind, words] of Object.entries(contents)) {
      const count = call.store.tally(id, kind);
      if (count > 0)
        throw conflict(`The project ${id} is not empty: it holds ${words} (${count}).`);
    }
    call.store.delete(tables.projects, { id });
    call.store.delete(tables.operations, { projectId: id });
    call.store.delete(tables.tallies, { owner: id });
    return undefined;
  },
} satisfies Partial<Handlers>;

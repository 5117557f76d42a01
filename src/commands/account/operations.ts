import { listOperationRecords, contractOperationStatuses } from '../../api/operation-records.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isProject } from '../../model/kind-places.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { OperationWithAddresses } from '../../model/account/vm-work.ts';
import {
  withOptionallyConfiguredAccount,
  type AccountSession,
} from '../session/account-session.ts';
import { findManagedResource } from '../state/find-address.ts';
import type { Reporter } from '../session/reporter.ts';

/** Options of the command `operations`, which lists what the service does or has done to resources. */
export interface ListOperationsOptions {
  /** Only operations in this project; in every project of the state when absent. */
  readonly project: ResourceAddress | undefined;
  /** Only operations on this resource. */
  readonly resource: ResourceAddress | undefined;
  /** Only operations in one of these statuses; all unless given. */
  readonly status?: readonly string[] | undefined;
  readonly limit: number;
}

/** Reads the newest operations on managed resources, newest first. */
export function readOperations(
  runtime: SessionRuntime,
  options: ListOperationsOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<readonly OperationWithAddresses[]> {
  return withOptionallyConfiguredAccount(runtime, reporter, async (session) => {
    const { status: statuses = [], limit } = options;
    const { client } = session.connection;
    const { projects, resourceId } = await chooseScope(session, options);
    reporter.showDiagnostics(statuses.flatMap(noteStatus));
    const addresses = new Map(
      [...session.state.resources.values()].map(({ id, address }) => [id, address]),
    );
    const lists = await Promise.all(
      projects.map(async (project) => {
        const filter = { resourceId, statuses, limit };
        const records = await listOperationRecords(client, project.id, filter);
        return records.map((record) => ({
          ...record,
          project: project.address,
          address: addresses.get(record.resourceId ?? '') ?? null,
        }));
      }),
    );
    return lists
      .flat()
      .sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))
      .slice(0, limit);
  });
}

/** Notes a status that the service has not published: it may exist all the same, or be a typing error. */
function noteStatus(status: string): Diagnostic[] {
  const isKnown = contractOperationStatuses.some(
    (one) => one.toLowerCase() === status.toLowerCase(),
  );
  if (isKnown) return [];
  const near = suggestNearestName(status, contractOperationStatuses);
  return [
    {
      severity: 'note',
      code: 'unpublished-status',
      summary: `${status} is not a published status: ${contractOperationStatuses.join(', ')}`,
      detail: 'It is looked for among the newest 1000 records of each project.',
      ...(near !== undefined && { hint: `Did you mean ${near}?` }),
    },
  ];
}

interface Scope {
  /** Projects whose operations are read. Without a configuration, each has its name in place of an address. */
  readonly projects: readonly Pick<ManagedResource, 'id' | 'address'>[];
  readonly resourceId: string | undefined;
}

/**
 * Projects to ask for operations, and the resource to filter by. A project has no operations of its own: it stands for
 * everything in it.
 */
async function chooseScope(
  session: AccountSession,
  options: ListOperationsOptions,
): Promise<Scope> {
  const all = [...session.state.resources.values()].filter(({ kind }) => isProject(kind));
  if (session.configuration.files.length === 0 && !options.project && !options.resource) {
    const live = await session.connection.client.listProjects();
    const projects = live.map(({ id, name }) => ({ id, address: name ?? id }));
    return { projects, resourceId: undefined };
  }
  if (options.resource === undefined) {
    if (options.project === undefined) return { projects: all, resourceId: undefined };
    const project = findManagedResource(session, options.project, projectKind);
    return { projects: [project], resourceId: undefined };
  }
  const resource = findManagedResource(session, options.resource);
  const projects = all.filter(({ id }) => id === resource.projectId);
  return { projects, resourceId: isProject(resource.kind) ? undefined : resource.id };
}

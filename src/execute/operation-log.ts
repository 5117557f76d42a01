import type { ServiceClient } from '../api/client.ts';
import { matchesCommand } from '../api/operation-types.ts';
import type { LiveOperation } from '../api/operation.ts';
import type { CommandName } from '../model/command.ts';

/**
 * Tells the operation record of a request of ours from older ones and from others'. The id that the service answers
 * an asynchronous request with leads to no record, so a record is known by being new, by its resource and by its type.
 */
export interface OperationLog {
  /** To be called before the first request in a project: what is recorded by then is not ours. */
  begin(projectId: string): Promise<void>;
  /** The record of a command on a resource among those just read; undefined when none has appeared. */
  find(
    command: CommandName,
    resourceId: string,
    operations: readonly LiveOperation[],
  ): LiveOperation | undefined;
  /** The command is over: its record must not be taken for that of the next one. */
  close(operation: LiveOperation): void;
}

/** An operation log for one run. */
export function createOperationLog(client: ServiceClient): OperationLog {
  const projects = new Map<string, Promise<void>>();
  const old = new Set<string>();
  return {
    begin(projectId) {
      let begun = projects.get(projectId);
      if (!begun) {
        begun = client.listOperations(projectId).then((operations) => {
          for (const { id } of operations) old.add(id);
        });
        projects.set(projectId, begun);
      }
      return begun;
    },
    find(command, resourceId, operations) {
      const candidates = operations.filter(
        (operation) => operation.resourceId === resourceId && !old.has(operation.id),
      );
      return (
        candidates.find((operation) => matchesCommand(operation, command) === 'yes') ??
        candidates.find((operation) => matchesCommand(operation, command) === 'maybe')
      );
    },
    close(operation) {
      old.add(operation.id);
    },
  };
}

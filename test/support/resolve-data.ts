// `data` of a configuration against an account that is a value.
import type { Configuration } from '../../src/config/load-configuration.ts';
import type { LiveAccountReader } from '../../src/live/read-live.ts';
import type { LiveRecordOfKind, LiveResource, LiveSnapshot } from '../../src/model/account/live.ts';
import { projectKind } from '../../src/model/kind-table.ts';
import { resolveConfigurationData } from '../../src/commands/planning/read-data.ts';

/** A source that answers from a snapshot, and calls `onRead` with `KIND PROJECT` or `KIND PROJECT ID` of each request. */
export function sourceOf(live: LiveSnapshot, onRead: (read: string) => void = () => undefined) {
  const all: readonly LiveResource[] = [...live.projects, ...live.resources];
  const source: LiveAccountReader = {
    listProjects: () => {
      onRead('projects');
      return Promise.resolve(live.projects);
    },
    list: (kind, { projectId }) => {
      onRead(`${kind} ${projectId}`);
      const found = all.filter((one) => one.kind === kind && one.projectId === projectId);
      return Promise.resolve(found as LiveRecordOfKind<typeof kind>[]);
    },
    get: (kind, { projectId }, id) => {
      onRead(`${kind} ${projectId} ${id}`);
      const found = all.find((one) => one.kind === kind && one.id === id);
      return Promise.resolve(
        kind === projectKind || found?.projectId === projectId
          ? (found as LiveRecordOfKind<typeof kind> | undefined)
          : undefined,
      );
    },
    getCatalog: () => {
      onRead('catalog');
      return Promise.resolve(live.catalog);
    },
    getLimits: () => Promise.resolve(live.limits),
    getNameLengths: () => Promise.resolve(live.nameLengths),
  };
  return source;
}

/** The whole configuration. @throws DiagnosticError with what was not found */
export async function resolveData(
  configuration: Configuration,
  live: LiveSnapshot,
): Promise<Configuration> {
  const silent = { showDiagnostics: () => undefined };
  return (await resolveConfigurationData(configuration, sourceOf(live), silent)).configuration;
}

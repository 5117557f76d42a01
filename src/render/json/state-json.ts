import type { JournalView } from '../../model/state/journal-view.ts';
import { emptyStateOutputs, type State } from '../../model/state/state.ts';
import type { StateVersion } from '../../model/state/version.ts';
import { collectLazyLists } from '../../model/text/json-parts.ts';
import { listPendingCreates, sortStateResources } from '../view/state-view.ts';
import { nestResourcesByModule } from './module-tree.ts';
import { describeOutputs } from './outputs-json.ts';
import { describeTerraformResource } from './resource-json.ts';

/**
 * The state in Terraform's representation (`terraform show -json`): its values, and under our own key the members that
 * Terraform's does not have. An empty state has no `values`, as in Terraform's.
 */
export function renderStateJson(state: State): object {
  const resources = sortStateResources(state);
  const outputs = state.outputs ?? emptyStateOutputs;
  return {
    format_version: '1.0',
    ...(resources.length + outputs.size > 0 && {
      values: {
        ...(outputs.size > 0 && { outputs: describeOutputs(outputs) }),
        root_module: collectLazyLists(
          nestResourcesByModule(resources, (resource) =>
            describeTerraformResource(resource, { id: resource.id, ...resource.attributes }, []),
          ),
        ),
      },
    }),
    hostwright: {
      lineage: state.lineage,
      serial: state.serial,
      service: state.service,
      pending: listPendingCreates(state),
    },
  };
}

/** Renders the JSON of `state journal --json`; a member that a line of the journal lacks is null. */
export function renderStateJournalJson(journal: JournalView | undefined): object {
  return {
    format_version: '1.0',
    epoch: journal?.epoch ?? null,
    lines: (journal?.lines ?? []).map(
      ({ line, kind, serial, address, id, command, at, fault }) => ({
        line,
        kind: kind ?? null,
        serial: serial ?? null,
        address: address ?? null,
        id: id ?? null,
        command: command ?? null,
        at: at === undefined ? null : new Date(at).toISOString(),
        fault: fault ?? null,
      }),
    ),
    dropped: journal?.dropped ?? [],
    kept: journal?.kept ?? null,
  };
}

/** Renders the JSON of the versions in a state's history, in their order; null for an unknown value. */
export function renderStateHistoryJson(versions: readonly StateVersion[]): object {
  return {
    format_version: '1.0',
    versions: versions.map(({ serial, at, who, operation, runId, counts }) => ({
      serial,
      written_at: at ?? null,
      written_by: who ?? null,
      operation: operation ?? null,
      run_id: runId ?? null,
      counts: counts ?? null,
    })),
  };
}

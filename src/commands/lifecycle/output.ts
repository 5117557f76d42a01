import type { Configuration } from '../../config/load-configuration.ts';
import { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { SessionRuntime, StateRuntime } from '../../model/runtime.ts';
import {
  emptyStateOutputs,
  type RememberedOutput,
  type RememberedOutputs,
  type State,
} from '../../model/state/state.ts';
import { evaluateOutput } from '../../plan/deferred/outputs.ts';
import { projectResourcesFromState } from '../../plan/deferred/project-state.ts';
import { resolveConfigurationData } from '../planning/read-data.ts';
import { connectToService } from '../session/connect.ts';
import type { StateWithTrust } from '../session/state/open-backend.ts';
import { readState } from '../state/read-state.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { readConfiguration } from '../session/session.ts';

/** Lists the configuration's outputs as the state has them; a notice is shown when there are none. */
export async function listStateOutputs(
  runtime: StateRuntime,
  directory: string,
  reporter: Reporter,
): Promise<RememberedOutputs> {
  const { outputs = emptyStateOutputs } = await readState(runtime, directory, reporter);
  if (outputs.size === 0) {
    reporter.showDiagnostics([
      {
        severity: 'warning',
        code: 'no-outputs',
        summary: 'No outputs found',
        detail: 'The state has no outputs: none are configured, or they were not applied yet.',
        hint: 'Add `outputs` to the configuration, and run "hostwright apply".',
      },
    ]);
  }
  return outputs;
}

/**
 * Reads one output with its value. A sensitive value is evaluated anew, from the configuration and the state.
 * @throws DiagnosticError when there is no such output, or when it has no value
 */
export async function readOutput(
  runtime: SessionRuntime,
  directory: string,
  name: string,
  reporter: Reporter,
): Promise<Required<RememberedOutput>> {
  const state = await readState(runtime, directory, reporter);
  const output = state.outputs?.get(name);
  if (!output) throw createUnknownError(name, state);
  const { sensitive, value } = output;
  if (value !== undefined) return { sensitive, value };
  const { graph, steps } = await readWithData(runtime, directory, state, reporter);
  const entry = graph.outputs?.find((one) => one.name === name);
  if (!entry) {
    throw createCommandRefusal(
      'output-not-configured',
      `The output "${name}" is sensitive, and the configuration no longer has it`,
      {
        detail: 'The value of a sensitive output is never stored: it is evaluated each time.',
        hint: 'Put it back into the configuration.',
      },
    );
  }
  const scope = new ProjectedScope(
    () => projectResourcesFromState(graph.resources, state),
    graph.emptyGroups,
    steps,
  );
  const found = evaluateOutput(entry, scope);
  if (found.kind === 'value') return { sensitive, value: found.value };
  if (found.kind === 'fault') throw new DiagnosticError([found.finding]);
  throw createCommandRefusal('output-unknown', `The output "${name}" has no value yet`, {
    detail: 'It reads a resource that does not exist yet.',
    hint: 'Run "hostwright apply".',
    source: entry.source,
  });
}

/** The configuration; where it reads `data`, the account is asked. */
async function readWithData(
  runtime: SessionRuntime,
  directory: string,
  state: StateWithTrust,
  reporter: Reporter,
): Promise<Configuration> {
  const configuration = await readConfiguration(runtime, directory, reporter);
  if (!configuration.pending) return configuration;
  const connection = await connectToService(runtime, configuration, state, reporter);
  try {
    return (await resolveConfigurationData(configuration, connection.client, reporter))
      .configuration;
  } finally {
    connection.close();
  }
}

function createUnknownError(name: string, { outputs = emptyStateOutputs }: State): DiagnosticError {
  const known = [...outputs.keys()];
  const meant = suggestNearestName(name, known);
  return createCommandRefusal('output-not-found', `Output "${name}" not found`, {
    detail:
      known.length === 0
        ? 'The state has no outputs at all.'
        : 'The output that was asked for is not in the state.',
    hint:
      meant === undefined
        ? 'If you have just added it to the configuration, run "hostwright apply" first. To read another directory, give --chdir.'
        : `Did you mean "${meant}"?`,
  });
}

import { noOutputs, type State } from '../../model/state/state.ts';
import { describeOutputs } from './outputs-json.ts';
import { describeResource } from './resource-json.ts';
import { listPending, sortResources } from '../view/state-view.ts';

/**
 * The state in Terraform's representation (`terraform show -json`): its values, and under our own key what it has no
 * place for. An empty state has no `values`, as there.
 */
export function renderStateJson(state: State): object {
  const resources = sortResources(state).map((resource) =>
    describeResource(resource, { id: resource.id, ...resource.attributes }, []),
  );
  const outputs = state.outputs ?? noOutputs;
  return {
    format_version: '1.0',
    ...(resources.length + outputs.size > 0 && {
      values: {
        ...(outputs.size > 0 && { outputs: describeOutputs(outputs) }),
        root_module: { resources },
      },
    }),
    hostwright: {
      lineage: state.lineage,
      serial: state.serial,
      service: state.service,
      pending: listPending(state),
    },
  };
}

import type { ManagedResource, State } from '../../model/state/state.ts';
import { drawAttributes } from './change-text.ts';
import { escapeText } from '../format/escape.ts';
import { renderOutputs } from './outputs-text.ts';
import type { Layout } from '../format/style.ts';
import { nameResource } from '../view/resource-name.ts';
import { listPending, sortResources, viewResource } from '../view/state-view.ts';

/** Renders the whole state in the style of `terraform show`. */
export function renderStateText(state: State, layout: Layout): string {
  const blocks = sortResources(state).map((resource) => renderResourceText(resource, layout));
  const pending = listPending(state);
  if (pending.length > 0) {
    const lines = pending.map(
      (address) => `# ${escapeText(address)}: sent, not yet seen in the account\n`,
    );
    blocks.push(lines.map(layout.style.yellow).join(''));
  }
  const { outputs } = state;
  if (outputs) blocks.push(`${layout.style.bold('Outputs:')}\n\n${renderOutputs(outputs)}`);
  if (blocks.length > 0) return blocks.join('\n');
  return 'The state file is empty. No resources are represented.\n';
}

/** Renders one resource in the style of `terraform state show`. */
export function renderResourceText(resource: ManagedResource, layout: Layout): string {
  const { address, kind, shown = {}, accepted = [], sensitive = [] } = resource;
  const out = [
    layout.style.bold(`# ${escapeText(address)}:`),
    `${kind} "${escapeText(nameResource(address).name)}" {`,
  ];
  const body: string[] = [];
  drawAttributes(
    body,
    viewResource(resource, 'none'),
    { ...layout, columns: layout.columns + 4 },
    true,
  );
  // Attributes are drawn with room for a symbol, which a state does not have.
  out.push(...body.map((line) => line.slice(4)), '}');
  for (const [name, value] of Object.entries(shown)) {
    if (sensitive.includes(name)) continue;
    const isAccepted = accepted.includes(name) ? ', which is accepted' : '';
    out.push(escapeText(`# ${name}: the account shows ${JSON.stringify(value)}${isAccepted}`));
  }
  return `${out.join('\n')}\n`;
}

import type { ManagedResource, State } from '../../model/state/state.ts';
import { drawAttributeLines } from './change-text.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { renderOutputs } from './outputs-text.ts';
import type { TextLayout } from '../format/style.ts';
import { splitResourceName } from '../view/resource-name.ts';
import {
  listPendingCreates,
  sortStateResources,
  viewResourceAttributes,
} from '../view/state-view.ts';

/** Renders the whole state in the style of `terraform show`. */
export function renderStateText(state: State, layout: TextLayout): string {
  const blocks = sortStateResources(state).map((resource) => renderResourceText(resource, layout));
  const pending = listPendingCreates(state);
  if (pending.length > 0) {
    const lines = pending.map(
      (address) => `# ${escapeUntrustedText(address)}: sent, not yet seen in the account\n`,
    );
    blocks.push(lines.map(layout.style.yellow).join(''));
  }
  const { outputs } = state;
  if (outputs) blocks.push(`${layout.style.bold('Outputs:')}\n\n${renderOutputs(outputs)}`);
  if (blocks.length > 0) return blocks.join('\n');
  return 'The state file is empty. No resources are represented.\n';
}

/** Renders one resource in the style of `terraform state show`. */
export function renderResourceText(resource: ManagedResource, layout: TextLayout): string {
  const { address, kind, shown = {}, accepted = [], sensitive = [] } = resource;
  const out = [
    layout.style.bold(`# ${escapeUntrustedText(address)}:`),
    `${kind} "${escapeUntrustedText(splitResourceName(address).name)}" {`,
  ];
  const body: string[] = [];
  drawAttributeLines(
    body,
    viewResourceAttributes(resource, 'none'),
    { ...layout, columns: layout.columns + 4 },
    true,
  );
  // Attributes are drawn with room for a symbol, which a state does not have.
  out.push(...body.map((line) => line.slice(4)), '}');
  for (const [name, value] of Object.entries(shown)) {
    if (sensitive.includes(name)) continue;
    const isAccepted = accepted.includes(name) ? ', which is accepted' : '';
    out.push(
      escapeUntrustedText(`# ${name}: the account shows ${JSON.stringify(value)}${isAccepted}`),
    );
  }
  return `${out.join('\n')}\n`;
}

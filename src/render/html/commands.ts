import type { PlannedCommand } from '../../model/write-to.ts';
import { commandsTitle } from '../text/commands-text.ts';
import { escapeMarkup } from '../../model/text/html.ts';
import { renderAddress, type Anchors } from './changes.ts';

/** The commands that an apply runs, each whole. */
export function renderCommands(commands: readonly PlannedCommand[], anchors: Anchors): string {
  if (commands.length === 0) return '';
  return [
    '<section aria-labelledby="commands"><h2 id="commands">Commands</h2>',
    `<p>${commandsTitle}:</p>`,
    ...commands.flatMap(({ address, command }) => [
      `<p>${renderAddress(address, anchors)}</p>`,
      `<pre class="frame">${command.split('\n').map(escapeMarkup).join('\n')}</pre>`,
    ]),
    '</section>',
  ].join('\n');
}

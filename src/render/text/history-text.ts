import { effects, type EffectCounts } from '../../model/effects.ts';
import type { StateVersion } from '../../model/state/version.ts';
import { createTable } from '../../model/tables.ts';
import { escapeText } from '../format/escape.ts';
import { formatTime } from '../format/moment.ts';
import type { Layout } from '../format/style.ts';
import { drawList, type Column } from '../format/table.ts';
import { wrapText } from '../format/measure.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { describeDone } from './counts-text.ts';

/** The versions of a state, in their order; a dash stands for what is not known. */
export function renderHistory(
  versions: readonly StateVersion[],
  { columns, style }: Layout,
): string {
  if (versions.length === 0) return 'There is no state yet.\n';
  const all: readonly Column<StateVersion>[] = [
    ['SERIAL', ({ serial }) => String(serial), 'right'],
    ['WRITTEN', ({ at }) => formatTime(at === undefined ? null : Date.parse(at))],
    ['BY', ({ who }) => escapeText(who ?? '-')],
    ['COMMAND', ({ operation }) => escapeText(operation ?? '-')],
    ['CHANGES', describeCounted],
  ];
  const [head = '', ...lines] = drawList(versions, all, { columns }, String);
  return [style.bold(head), ...lines, ''].join('\n');
}

function describeCounted({ counts, operation }: StateVersion): string {
  return counts ? describeDone(fillCounts(counts), operation === 'destroy') : '-';
}

/** Counts with zeros filled in: another version of Hostwright may have written the index with fewer effects. */
function fillCounts(counts: Partial<EffectCounts>): EffectCounts {
  return createTable(effects, (effect) => counts[effect] ?? 0);
}

/** A migration of the state between two backends: how many former versions were copied, and how many were left in the first. */
interface MigrationCounts {
  readonly from: string;
  readonly to: string;
  readonly versions: number;
  readonly leftVersions: number;
}

/** Renders the result of moving the state to another place. */
export function renderMigration(
  { from, to, versions, leftVersions }: MigrationCounts,
  { columns }: Layout,
): string {
  const kept = versions === 0 ? '' : ` ${countNoun('former state', versions)} came with it.`;
  const words = [
    `The state is in ${escapeText(to)} now.${kept}`,
    ...(leftVersions === 0
      ? []
      : [
          `${countNoun('former state', leftVersions)} did not come with it, since that place keeps none: ${leftVersions === 1 ? 'it stays' : 'they stay'} in ${escapeText(from)}. "state history" and "state rollback" do not work in the new place.`,
        ]),
    `${escapeText(from)} is marked as moved, and no longer used.`,
    'Change `state` in the configuration, or HOSTWRIGHT_STATE, if it does not name the new place yet.',
  ];
  return `${words.flatMap((line) => wrapText(line, columns)).join('\n')}\n`;
}

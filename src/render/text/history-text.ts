import { changeEffects, type EffectCounts } from '../../model/effects.ts';
import type { StateVersion } from '../../model/state/version.ts';
import { createTable } from '../../model/tables.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { formatTime } from '../format/moment.ts';
import type { TextLayout } from '../format/style.ts';
import { drawColumnList, type ListColumn } from '../format/table.ts';
import { wrapText } from '../format/measure.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { describeAppliedEffectCounts } from './counts-text.ts';

/** Renders the versions in a state's history, in their order; a dash for an unknown value. */
export function renderStateHistory(
  versions: readonly StateVersion[],
  { columns, style }: TextLayout,
): string {
  if (versions.length === 0) return 'There is no state yet.\n';
  const all: readonly ListColumn<StateVersion>[] = [
    ['SERIAL', ({ serial }) => String(serial), 'right'],
    ['WRITTEN', ({ at }) => formatTime(at === undefined ? null : Date.parse(at))],
    ['BY', ({ who }) => escapeUntrustedText(who ?? '-')],
    ['COMMAND', ({ operation }) => escapeUntrustedText(operation ?? '-')],
    ['CHANGES', describeCounted],
  ];
  const [head = '', ...lines] = drawColumnList(versions, all, { columns }, String);
  return [style.bold(head), ...lines, ''].join('\n');
}

function describeCounted({ counts, operation }: StateVersion): string {
  return counts ? describeAppliedEffectCounts(fillCounts(counts), operation === 'destroy') : '-';
}

/** Counts with zeros filled in: another version of Hostwright may have written the index with fewer effects. */
function fillCounts(counts: Partial<EffectCounts>): EffectCounts {
  return createTable(changeEffects, (effect) => counts[effect] ?? 0);
}

/** A migration of the state between two backends: how many former versions were copied, and how many were left in the first. */
interface MigrationCounts {
  readonly from: string;
  readonly to: string;
  readonly versions: number;
  readonly leftVersions: number;
}

/** Renders the result of moving the state to another place. */
export function renderStateMigration(
  { from, to, versions, leftVersions }: MigrationCounts,
  { columns }: TextLayout,
): string {
  const kept =
    versions === 0 ? '' : ` ${formatCountWithNoun('former state', versions)} came with it.`;
  const words = [
    `The state is in ${escapeUntrustedText(to)} now.${kept}`,
    ...(leftVersions === 0
      ? []
      : [
          `${formatCountWithNoun('former state', leftVersions)} did not come with it, since that place keeps none: ${leftVersions === 1 ? 'it stays' : 'they stay'} in ${escapeUntrustedText(from)}. "state history" and "state rollback" do not work in the new place.`,
        ]),
    `${escapeUntrustedText(from)} is marked as moved, and no longer used.`,
    'Change `state` in the configuration, or HOSTWRIGHT_STATE, if it does not name the new place yet.',
  ];
  return `${words.flatMap((line) => wrapText(line, columns)).join('\n')}\n`;
}

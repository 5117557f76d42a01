import type { JournalEntry, JournalView } from '../../model/state/journal-view.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import { formatTime } from '../format/moment.ts';
import type { TextLayout } from '../format/style.ts';
import { drawColumnList, type ListColumn } from '../format/table.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

/** Renders a journal line by line, with what became of each line. */
export function renderStateJournal(journal: JournalView | undefined, layout: TextLayout): string {
  if (!journal) return 'There is no journal: the snapshot has everything.\n';
  const { columns, style } = layout;
  const { lines, dropped, kept, path } = journal;
  const all: readonly ListColumn<JournalEntry>[] = [
    ['LINE', ({ line }) => String(line), 'right'],
    ['RECORD', ({ kind }) => escapeUntrustedText(kind ?? 'damaged')],
    ['AT', ({ at }) => formatTime(at ?? null)],
    ['ABOUT', describeEntry],
  ];
  const [head = '', ...table] = drawColumnList(lines, all, { columns }, String);
  const ends = [
    ...(kept === undefined ? [] : [`A copy of it is in ${escapeUntrustedText(kept)}.`]),
    ...(dropped.length === 0
      ? []
      : [`Dropped ${formatCountWithNoun('line', dropped.length)}; the rest is in a new snapshot.`]),
  ];
  return [
    ...wrapText(
      `${escapeUntrustedText(path)}, ${formatCountWithNoun('line', lines.length)}`,
      columns,
    ),
    style.bold(head),
    ...table,
    ...ends,
    '',
  ].join('\n');
}

function describeEntry({ fault, serial, address, command, id }: JournalEntry): string {
  if (fault !== undefined) return escapeUntrustedText(fault);
  if (serial !== undefined) return `builds on the snapshot with serial ${serial}`;
  const words = [command, address, id].flatMap((word) => word ?? []);
  return words.length === 0 ? '-' : escapeUntrustedText(words.join(' '));
}

import type { JournalEntry, JournalView } from '../../model/state/journal-view.ts';
import { escapeText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import { formatTime } from '../format/moment.ts';
import type { Layout } from '../format/style.ts';
import { drawList, type Column } from '../format/table.ts';
import { countNoun } from '../../model/text/count-noun.ts';

/** Renders a journal line by line, with what became of each line. */
export function renderJournal(journal: JournalView | undefined, layout: Layout): string {
  if (!journal) return 'There is no journal: the snapshot has everything.\n';
  const { columns, style } = layout;
  const { lines, dropped, kept, path } = journal;
  const all: readonly Column<JournalEntry>[] = [
    ['LINE', ({ line }) => String(line), 'right'],
    ['RECORD', ({ kind }) => escapeText(kind ?? 'damaged')],
    ['AT', ({ at }) => formatTime(at ?? null)],
    ['ABOUT', describeEntry],
  ];
  const [head = '', ...table] = drawList(lines, all, { columns }, String);
  const ends = [
    ...(kept === undefined ? [] : [`A copy of it is in ${escapeText(kept)}.`]),
    ...(dropped.length === 0
      ? []
      : [`Dropped ${countNoun('line', dropped.length)}; the rest is in a new snapshot.`]),
  ];
  return [
    ...wrapText(`${escapeText(path)}, ${countNoun('line', lines.length)}`, columns),
    style.bold(head),
    ...table,
    ...ends,
    '',
  ].join('\n');
}

function describeEntry({ fault, serial, address, command, id }: JournalEntry): string {
  if (fault !== undefined) return escapeText(fault);
  if (serial !== undefined) return `builds on the snapshot with serial ${serial}`;
  const words = [command, address, id].flatMap((word) => word ?? []);
  return words.length === 0 ? '-' : escapeText(words.join(' '));
}

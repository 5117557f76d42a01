import type { JournalView } from '../../model/state/journal-view.ts';

/** A journal; what a line does not tell is null. */
export function toJournalJson(journal: JournalView | undefined): object {
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

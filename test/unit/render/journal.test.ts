import { describe, expect, it } from 'vitest';
import type { JournalView } from '../../../src/model/state/journal-view.ts';
import { renderStateJournalJson } from '../../../src/render/json/state-json.ts';
import { renderStateJournal } from '../../../src/render/text/journal-text.ts';
import { plain } from './sample-plan.ts';

/** A line of each sort; the address and the fault with what nobody's terminal should be sent. */
const journal: JournalView = {
  path: '.hostwright/state.json.log',
  epoch: 3,
  lines: [
    { line: 1, kind: 'base', serial: 7 },
    {
      line: 2,
      kind: 'intent',
      at: Date.UTC(2026, 10, 21, 10, 0, 5),
      command: 'create-vm',
      address: 'projects.shop.vms.w\u001b[2J',
    },
    { line: 3, kind: 'created', address: 'projects.shop.vms.web', id: 'vm-1' },
    { line: 4, kind: 'settled' },
    { line: 5, fault: 'it ends in the middle:\u202e {"kin' },
  ],
  dropped: [],
};

describe('a journal as text', () => {
  it('says that there is none', () =>
    expect(renderStateJournal(undefined, plain)).toBe(
      'There is no journal: the snapshot has everything.\n',
    ));

  it('has a row for each line, a dash for what a record does not tell, and nobody’s control characters', () => {
    const lines = renderStateJournal(journal, plain).split('\n');
    expect(lines.map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
      '.hostwright/state.json.log, 5 lines',
      'LINE | RECORD | AT | ABOUT',
      '1 | base | - | builds on the snapshot with serial 7',
      '2 | intent | 2026-11-21 10:00:05 UTC | create-vm projects.shop.vms.w\\u001b[2J',
      '3 | created | - | projects.shop.vms.web vm-1',
      '4 | settled | - | -',
      '5 | damaged | - | it ends in the middle:\\u202e {"kin',
      '',
    ]);
  });

  it('ends with the copy and with what was dropped', () => {
    const lines = renderStateJournal({ ...journal, dropped: [5], kept: 'copy.jsonl' }, plain);
    expect(lines.split('\n').slice(-3)).toEqual([
      'A copy of it is in copy.jsonl.',
      'Dropped 1 line; the rest is in a new snapshot.',
      '',
    ]);
  });
});

describe('a journal as JSON', () => {
  it('is empty where there is none', () =>
    expect(renderStateJournalJson(undefined)).toEqual({
      format_version: '1.0',
      epoch: null,
      lines: [],
      dropped: [],
      kept: null,
    }));

  it('has null for what a record does not tell', () => {
    const untold = { kind: null, serial: null, address: null, id: null };
    const nothing = { ...untold, command: null, at: null, fault: null };
    expect(renderStateJournalJson({ ...journal, dropped: [4, 5], kept: 'copy.jsonl' })).toEqual({
      format_version: '1.0',
      epoch: 3,
      lines: [
        { ...nothing, line: 1, kind: 'base', serial: 7 },
        {
          ...nothing,
          line: 2,
          kind: 'intent',
          at: '2026-11-21T10:00:05.000Z',
          command: 'create-vm',
          address: 'projects.shop.vms.w\u001b[2J',
        },
        { ...nothing, line: 3, kind: 'created', address: 'projects.shop.vms.web', id: 'vm-1' },
        { ...nothing, line: 4, kind: 'settled' },
        { ...nothing, line: 5, fault: 'it ends in the middle:\u202e {"kin' },
      ],
      dropped: [4, 5],
      kept: 'copy.jsonl',
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { StateVersion } from '../../../../src/model/state/version.ts';
import {
  renderStateHistory,
  renderStateMigration,
} from '../../../../src/render/text/history-text.ts';
import { plain } from '../sample-plan.ts';

describe('the versions of a state', () => {
  it('says that there are none', () =>
    expect(renderStateHistory([], plain)).toBe('There is no state yet.\n'));

  it('shows what is known of each, a dash for the rest, and nobody’s control characters', () => {
    const versions: StateVersion[] = [
      { serial: 7 },
      {
        ...{ serial: 12, at: '2026-11-21T10:00:05Z', who: 'ann\u001b[2J@laptop' },
        ...{ operation: 'apply', counts: { add: 2, import: 1 } },
      },
      { serial: 13, at: '2026-11-21T11:00:00Z', operation: 'destroy', counts: { destroy: 3 } },
    ];
    const lines = renderStateHistory(versions, plain).split('\n');
    expect(lines.map((line) => line.trimEnd().replace(/ {2,}/g, ' | '))).toEqual([
      ' | SERIAL | WRITTEN | BY | COMMAND | CHANGES',
      ' | 7 | - | - | - | -',
      ' | 12 | 2026-11-21 10:00:05 UTC | ann\\u001b[2J@laptop | apply | 1 imported, 2 added, 0 changed, 0 destroyed',
      ' | 13 | 2026-11-21 11:00:00 UTC | - | destroy | 3 destroyed',
      '',
    ]);
  });
});

it.each([
  [0, 0, undefined, undefined],
  [1, 0, '1 former state came with it.', undefined],
  [4, 0, '4 former states came with it.', undefined],
  [0, 1, undefined, '1 former state did not come with it, since that place keeps none: it stays'],
  [0, 3, undefined, '3 former states did not come with it, since that place keeps none: they stay'],
])(
  'the end of a migration says what came with the state: %i, %i left',
  (versions, leftVersions, expected, left) => {
    const places = { from: '.hostwright', to: 's3://state/shop' };
    const ends = renderStateMigration({ ...places, versions, leftVersions }, plain);
    const text = ends.replaceAll('\n', ' ');
    expect(text).toContain('The state is in s3://state/shop now.');
    expect(text).toContain('.hostwright is marked as moved, and no longer used.');
    expect(/\d+ former states? came with it\./.exec(text)?.[0]).toBe(expected);
    expect(/\d+ former states? did not.*stays?/.exec(text)?.[0]).toBe(left);
    expect(ends.split('\n').every((line) => line.length <= 80)).toBe(true);
  },
);

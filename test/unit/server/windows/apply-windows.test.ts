// When applies may run: summer time, midnight, days, freezes, and what fits into what is left.
import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import {
  describeApplyWindowFit,
  explainInvalidApplySchedule,
  explainApplyWait,
  findApplyStart,
  findApplyWindowClosing,
  findApplyWindowOpening,
  formatApplyDuration,
  type ApplyWindow,
} from '../../../../src/server/windows/apply-windows.ts';
import { countRuns } from '../../../support/budget/budget.ts';
import { readZoneClock } from '../../../../src/server/windows/zone-time.ts';
import {
  formatApplyFreezeLines,
  formatApplyWindowLines,
  parseApplyFreezeLines,
  parseApplyWindowLines,
} from '../../../../src/server/windows/window-lines.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const at = (time: string) => Date.parse(time);
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

/** A window on one line. */
function parse(line: string): ApplyWindow {
  const [window] = parseApplyWindowLines(line);
  return window as ApplyWindow;
}

describe('a window', () => {
  it.each([
    // 2026-12-05 is a Saturday.
    [
      'Sat 02:00-05:00 Europe/Berlin',
      '2026-12-04T12:00Z',
      '2026-12-05T01:00Z',
      '2026-12-05T04:00Z',
    ],
    ['Sat,Tue 02:00-05:00 UTC', '2026-12-05T02:00Z', '2026-12-08T02:00Z', '2026-12-08T05:00Z'],
    ['daily 23:30-00:30 UTC', '2026-12-31T22:00Z', '2026-12-31T23:30Z', '2027-01-01T00:30Z'],
    ['weekdays 09:00-10:00 UTC', '2026-12-04T09:00Z', '2026-12-07T09:00Z', '2026-12-07T10:00Z'],
    ['weekends 09:00-10:00 UTC', '2026-12-06T09:00Z', '2026-12-12T09:00Z', '2026-12-12T10:00Z'],
    ['Sun 00:00-00:00 UTC', '2026-12-05T00:00Z', '2026-12-06T00:00Z', '2026-12-07T00:00Z'],
    // Kiritimati is a day ahead of Honolulu, and both have the same time of day.
    [
      'Sat 00:00-01:00 Pacific/Kiritimati',
      '2026-12-01T00:00Z',
      '2026-12-04T10:00Z',
      '2026-12-04T11:00Z',
    ],
    [
      'Sat 00:00-01:00 Pacific/Honolulu',
      '2026-12-01T00:00Z',
      '2026-12-05T10:00Z',
      '2026-12-05T11:00Z',
    ],
    // In the night of 2026-03-29, 02:00 to 03:00 is skipped in Berlin; on 2026-10-25, it comes twice.
    [
      'Sun 02:00-05:00 Europe/Berlin',
      '2026-03-28T12:00Z',
      '2026-03-29T01:00Z',
      '2026-03-29T03:00Z',
    ],
    [
      'Sun 01:00-02:30 Europe/Berlin',
      '2026-03-28T12:00Z',
      '2026-03-29T00:00Z',
      '2026-03-29T01:00Z',
    ],
    [
      'Sun 02:15-02:45 Europe/Berlin',
      '2026-03-28T12:00Z',
      '2026-04-05T00:15Z',
      '2026-04-05T00:45Z',
    ],
    [
      'Sun 02:00-03:00 Europe/Berlin',
      '2026-10-24T12:00Z',
      '2026-10-25T00:00Z',
      '2026-10-25T02:00Z',
    ],
    [
      'Sun 01:00-02:30 Europe/Berlin',
      '2026-10-24T12:00Z',
      '2026-10-24T23:00Z',
      '2026-10-25T00:30Z',
    ],
    // Lord Howe moves its clock by half an hour.
    [
      'Sun 01:00-03:00 Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      '2026-10-03T14:30Z',
      '2026-10-03T16:00Z',
    ],
    // Samoa had no 2011-12-30.
    ['Fri 12:00-13:00 Pacific/Apia', '2011-12-29T00:00Z', '2012-01-05T22:00Z', '2012-01-05T23:00Z'],
  ])('%s opens next after %s at %s and closes at %s', (line, after, opens, closes) => {
    const windows = [parse(line)];
    const opensMs = findApplyWindowOpening(windows, at(after)) ?? 0;
    expect(iso(opensMs)).toBe(iso(at(opens)));
    expect(iso(findApplyWindowClosing(windows, opensMs))).toBe(iso(at(closes)));
    expect(findApplyWindowClosing(windows, opensMs - 1)).toBeUndefined();
    expect(findApplyWindowClosing(windows, at(closes))).toBeUndefined();
  });

  it('goes on into one that overlaps it or begins where it closes, and has no end where one always follows', () => {
    const evening = ['Sat 20:00-23:00 UTC', 'Sat 22:00-01:00 UTC', 'Sun 01:00-02:00 UTC'];
    const closing = findApplyWindowClosing(evening.map(parse), at('2026-12-05T21:00Z'));
    expect(iso(closing)).toBe('2026-12-06T02:00:00.000Z');
    expect(findApplyWindowClosing([parse('daily 05:00-05:00 UTC')], 0)).toBe(Infinity);
    expect(findApplyWindowClosing([], 0)).toBe(Infinity);
  });

  const zone = fc.constantFrom(
    ...['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Chatham', 'UTC'],
    ...['Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'Africa/Casablanca'],
  );
  const time = fc
    .integer({ min: 0, max: 95 })
    .map((quarter) => new Date(quarter * 15 * minuteMs).toISOString().slice(11, 16));
  const days = fc.uniqueArray(
    fc.constantFrom(...(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const)),
    { minLength: 1 },
  );
  const window = fc.record({ days, from: time, to: time, zone });
  const quarter = fc.integer({ min: at('2024-01-01') / 900_000, max: at('2030-01-01') / 900_000 });

  /** Open by what the clock shows alone, which is exact where it is not changed around then. */
  const isOpenByClock = ({ days: named, from, to, zone: place }: ApplyWindow, ms: number) => {
    const [shown, name] = [
      new Date(readZoneClock(ms, place)),
      ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    ];
    const clock = shown.toISOString().slice(11, 16);
    const opensOn = (back: number) =>
      named.includes(name[(shown.getUTCDay() + 7 - back) % 7] as 'Mon');
    if (from < to) return opensOn(0) && from <= clock && clock < to;
    return (opensOn(0) && from <= clock) || (opensOn(1) && clock < to);
  };

  it.prop([window, quarter], { numRuns: countRuns(200) })(
    'is open when the clock of its zone says so',
    (one, step) => {
      const start = step * 900_000;
      const offsets = [-2, -1, 0, 1, 2].map(
        (day) => readZoneClock(start + day * dayMs, one.zone) - day * dayMs,
      );
      fc.pre(new Set(offsets).size === 1);
      expect(findApplyWindowClosing([one], start) !== undefined).toBe(isOpenByClock(one, start));
    },
  );

  it.prop([fc.array(window, { minLength: 1, maxLength: 3 }), quarter])(
    'opens next at a moment at which it is open, and none is just before',
    (windows, step) => {
      const start = step * 900_000;
      fc.pre(findApplyWindowClosing(windows, start) === undefined);
      const opens = findApplyWindowOpening(windows, start) ?? 0;
      expect(opens).toBeGreaterThan(start);
      expect(findApplyWindowClosing(windows, opens)).toBeGreaterThan(opens);
      for (let ms = start; ms < opens; ms += (opens - start) / 7)
        expect(findApplyWindowClosing(windows, ms)).toBeUndefined();
      expect(findApplyWindowClosing(windows, opens - 1)).toBeUndefined();
    },
  );

  it.prop([fc.array(window, { maxLength: 3 }), quarter, fc.integer({ min: 0, max: 30 * 60 })])(
    'gets no apply that would be at work when it closes',
    (windows, step, minutes) => {
      const nowMs = step * 900_000;
      const takesMs = minutes * minuteMs;
      const start = findApplyStart({ windows, freezes: [] }, { nowMs, takesMs });
      if (start === undefined) return;
      expect(start).toBeGreaterThanOrEqual(nowMs);
      expect(findApplyWindowClosing(windows, start)).toBeGreaterThanOrEqual(start + takesMs);
    },
  );
});

describe('an apply', () => {
  const windows = [parse('Sat 02:00-05:00 Europe/Berlin')];
  const freezes = [
    { reason: 'Christmas', from: '2026-12-12T00:00:00+01:00', to: '2027-01-07T00:00:00+01:00' },
  ];
  const times = { windows, freezes };
  const minutes = (count: number) => count * minuteMs;

  it.each([
    ['in the window', '2026-12-05T01:00Z', 180, '2026-12-05T01:00Z'],
    ['that does not end in the window', '2026-12-05T01:01Z', 180, '2027-01-09T01:00Z'],
    ['before it', '2026-12-01T00:00Z', 38, '2026-12-05T01:00Z'],
    [
      'of unknown length until the last moment',
      '2026-12-05T03:59Z',
      undefined,
      '2026-12-05T03:59Z',
    ],
    ['in a freeze', '2026-12-12T02:00Z', 38, '2027-01-09T01:00Z'],
    ['that is too long for every window', '2026-12-01T00:00Z', 181, undefined],
  ])('%s, at %s and of %s minutes, starts at %s', (_name, now, takes, start) => {
    const takesMs = takes === undefined ? undefined : minutes(takes);
    const found = findApplyStart(times, { nowMs: at(now), takesMs });
    expect(iso(found)).toBe(start && iso(at(start)));
  });

  it('ends before a freeze begins, also without windows', () => {
    const asked = { nowMs: at('2026-12-11T22:30:00Z'), takesMs: minutes(38) };
    expect(iso(findApplyStart({ windows: [], freezes }, asked))).toBe('2027-01-06T23:00:00.000Z');
    expect(findApplyStart({ windows: [], freezes }, { ...asked, takesMs: minutes(30) })).toBe(
      asked.nowMs,
    );
    expect(explainApplyWait({ windows: [], freezes }, asked)?.why).toBe(
      'It takes about 38 min, and the next freeze begins in 30 min. It starts on Wed 2027-01-06 23:00 (UTC).',
    );
  });

  it.each([
    ['2026-12-05T01:00Z', 38, undefined],
    [
      '2026-12-01T00:00Z',
      38,
      'No window of the workspace is open. It starts on Sat 2026-12-05 02:00 (Europe/Berlin).',
    ],
    [
      '2026-12-05T03:40Z',
      38,
      'It takes about 38 min, and the window closes in 20 min. It starts on Sat 2027-01-09 02:00 (Europe/Berlin).',
    ],
    [
      '2026-12-12T01:00Z',
      38,
      'The workspace is frozen until Thu 2027-01-07 00:00 (Europe/Berlin): Christmas. It starts on Sat 2027-01-09 02:00 (Europe/Berlin).',
    ],
    [
      '2026-12-01T00:00Z',
      240,
      'No window of the workspace is open. It fits into no window. Give the workspace a longer window, or split the change.',
    ],
  ])('is told at %s with %s minutes what it waits for: %s', (now, takes, why) => {
    const asked = { nowMs: at(now), takesMs: minutes(takes) };
    expect(explainApplyWait(times, asked)?.why).toBe(why);
  });

  it('is told in its plan what it fits into', () => {
    const asked = { nowMs: at('2026-12-05T01:00Z'), takesMs: minutes(38) };
    expect(describeApplyWindowFit({ windows: [], freezes: [] }, asked)).toBeUndefined();
    expect(describeApplyWindowFit(times, asked)).toBe(
      'It fits into the time until Sat 2026-12-05 05:00 (Europe/Berlin).',
    );
    const late = { ...asked, nowMs: at('2027-02-01') };
    expect(describeApplyWindowFit(times, late)).toBe(
      'No window of the workspace is open. It starts on Sat 2027-02-06 02:00 (Europe/Berlin).',
    );
    expect(describeApplyWindowFit({ windows: [], freezes }, late)).toBe('It can start now.');
    expect([formatApplyDuration(61_000), formatApplyDuration(minutes(37) + 1)]).toEqual([
      '61 s',
      '38 min',
    ]);
  });
});

describe('what people write', () => {
  it('is refused where there is no such zone, or a freeze has no length', () => {
    const window = parse('Sat 02:00-05:00 Europe/Berlin');
    const freeze = {
      reason: 'r',
      from: '2026-12-20T00:00:00+01:00',
      to: '2026-12-20T00:00:01+01:00',
    };
    expect(explainInvalidApplySchedule({ windows: [window], freezes: [freeze] })).toBeUndefined();
    expect(explainInvalidApplySchedule({ windows: [window, { ...window, zone: 'Berlin' }] })).toBe(
      'windows[1].zone must be a time zone, for example Europe/Berlin.',
    );
    expect(
      explainInvalidApplySchedule({ freezes: [{ ...freeze, to: '2026-12-19T23:00:00Z' }] }),
    ).toBe('freezes[0].to must be later than its from.');
  });

  it('is read from the lines of a form, and written to them', () => {
    const lines = 'Sat 02:00-05:00 Europe/Berlin\nMon,Tue 22:00-01:00 UTC';
    expect(parseApplyWindowLines(` ${lines.replace('\n', '\r\n\r\n')}`)).toEqual([
      { days: 'Sat', from: '02:00', to: '05:00', zone: 'Europe/Berlin' },
      { days: ['Mon', 'Tue'], from: '22:00', to: '01:00', zone: 'UTC' },
    ]);
    expect(formatApplyWindowLines(parseApplyWindowLines(lines))).toBe(lines);
    const freeze = '2026-12-20T00:00Z 2027-01-07T00:00Z All are away.';
    expect(parseApplyFreezeLines(freeze)).toMatchObject([{ reason: 'All are away.' }]);
    expect(formatApplyFreezeLines(parseApplyFreezeLines(freeze))).toBe(freeze);
    expect([parseApplyWindowLines('Sat'), parseApplyFreezeLines('x')]).toEqual([
      [{ days: 'Sat', from: '', to: '', zone: '' }],
      [{ from: 'x', to: '', reason: '' }],
    ]);
  });
});

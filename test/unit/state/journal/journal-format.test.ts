import { describe, expect, test } from 'vitest';
import { crc32 } from 'node:zlib';
import { DiagnosticError } from '../../../../src/model/errors.ts';
import {
  decodeJournal,
  encodeJournalBase,
  encodeJournalRecord,
} from '../../../../src/state/journal/journal-format.ts';
import { wholeRun } from '../build-records.ts';

const base = { epoch: 1, id: 'j-1', lineage: 'l-1', serial: 3 };
const text = encodeJournalBase(base) + wholeRun.map(encodeJournalRecord).join('');
const lines = text.split('\n').slice(0, -1);

/** A line that is sound but says what this version does not know. */
function forgeLine(payload: object): string {
  const json = JSON.stringify(payload);
  return `{"crc32":"${crc32(json).toString(16).padStart(8, '0')}","record":${json}}\n`;
}

function catchError(run: () => unknown): DiagnosticError {
  try {
    run();
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('the journal format', () => {
  test('every line is JSON by itself', () => {
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('record.kind');
  });

  test('says what was written', () => {
    const bytes = Buffer.byteLength(text);
    expect(decodeJournal(text, 'j')).toEqual({
      base,
      records: wholeRun,
      lines: wholeRun.map(encodeJournalRecord).join(''),
      bytes,
      isTorn: false,
    });
  });

  test('an empty file says nothing', () => {
    const nothing = { base: undefined, records: [], lines: '', bytes: 0, isTorn: false };
    expect(decodeJournal('', 'j')).toEqual(nothing);
  });

  test('cut at any byte, it says what was whole', () => {
    const whole = Buffer.from(text);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const kept = whole.subarray(0, cut);
      const newlines = kept.filter((byte) => byte === 10).length;
      const read = decodeJournal(kept.toString(), 'j');
      expect(read.records).toEqual(wholeRun.slice(0, Math.max(0, newlines - 1)));
      expect(read.bytes).toBe(kept.lastIndexOf(10) + 1);
      expect(read.isTorn).toBe(read.bytes < cut);
    }
  });

  test('any byte of the last line changed, it says everything before it', () => {
    const start = text.length - (lines.at(-1)?.length ?? 0) - 1;
    for (let at = start; at < text.length; at += 1) {
      const read = decodeJournal(`${text.slice(0, at)}\u0000${text.slice(at + 1)}`, 'j');
      expect(read).toMatchObject({
        records: wholeRun.slice(0, -1),
        isTorn: true,
        bytes: Buffer.byteLength(text.slice(0, start)),
      });
    }
  });

  test.each([
    ['a changed line', 4, 'x', 5],
    ['a line of zeros', 2, '\u0000', 3],
    ['a damaged header', 0, '"', 1],
  ])('%s in the middle is damage', (_name, index, stroke, line) => {
    const damaged = lines.map((whole, at) =>
      at === index ? whole.replace(/[a-z]/g, stroke) : whole,
    );
    const error = catchError(() => decodeJournal(`${damaged.join('\n')}\n`, 'dir/journal.jsonl'));
    expect(error.diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'journal-corrupt',
        summary: `The journal is damaged at line ${line}: dir/journal.jsonl`,
      },
    ]);
    expect(error.diagnostics[0]?.hint).toContain(`--drop ${line}.`);
  });

  test('damage before a torn end is still damage', () => {
    const error = catchError(() => decodeJournal(`${lines[0] ?? ''}\nbad\n{"crc`, 'j'));
    expect(error.diagnostics[0]?.code).toBe('journal-corrupt');
  });

  test('a journal without its first line is damage', () => {
    const error = catchError(() => decodeJournal(`${lines.slice(1).join('\n')}\n`, 'j'));
    expect(error.diagnostics[0]?.summary).toBe('The journal is damaged at line 1: j');
  });

  test.each([
    ['a later format', forgeLine({ kind: 'journal', formatVersion: 4, ...base })],
    ['a later record', encodeJournalBase(base) + forgeLine({ kind: 'moved', from: 'a', to: 'b' })],
  ])('%s asks for a newer version', (_name, later) => {
    const error = catchError(() => decodeJournal(later, 'j'));
    expect(error.diagnostics[0]).toMatchObject({ code: 'state-newer' });
  });
});

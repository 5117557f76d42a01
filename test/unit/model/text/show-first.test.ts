import { describe, expect, test } from 'vitest';
import type { Diagnostic, Severity } from '../../../../src/model/diagnostic.ts';
import { limitShownDiagnostics } from '../../../../src/model/text/show-first.ts';

const many = (severity: Severity, count: number): Diagnostic[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ severity, code: 'x', summary: `${severity} ${index}` },
  }));

describe('the first of many diagnostics', () => {
  test('are all of them where they are few', () => {
    const few = many('note', 500);
    expect(limitShownDiagnostics(few)).toBe(few);
  });

  test('are the errors, then the warnings, in their order; the rest is counted', () => {
    const shown = limitShownDiagnostics([
      ...many('note', 3),
      ...many('warning', 1),
      ...many('error', 499),
      ...many('warning', 1),
    ]);
    expect(shown).toHaveLength(501);
    expect(shown.filter(({ severity }) => severity === 'error')).toHaveLength(499);
    expect(shown[0]).toMatchObject({ severity: 'warning', summary: 'warning 0' });
    expect(shown.at(-1)).toMatchObject({
      severity: 'warning',
      code: 'more-not-shown',
      summary: 'There are 1 warning and 3 notes more, which are not shown',
      standsFor: { error: 0, warning: 1, note: 3 },
    });
  });

  test('count what nobody has collected', () => {
    const shown = limitShownDiagnostics(many('error', 2), { error: 20_000, warning: 0, note: 0 });
    expect(shown.at(-1)?.summary).toBe('There are 20000 errors more, which are not shown');
    expect(limitShownDiagnostics([], { error: 0, warning: 0, note: 0 })[0]?.severity).toBe('note');
  });
});

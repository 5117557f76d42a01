import { expect, it } from 'vitest';
import { renderStateHistoryJson } from '../../../../src/render/json/state-json.ts';

it('gives null for what is not known of a version', () => {
  const known = {
    ...{ serial: 2, at: '2026-11-21T10:00:05Z', who: 'ann@laptop' },
    ...{ operation: 'apply', runId: 'run-1', counts: { add: 1 } },
  };
  expect(renderStateHistoryJson([{ serial: 1 }, known])).toEqual({
    format_version: '1.0',
    versions: [
      {
        ...{ serial: 1, written_at: null, written_by: null },
        ...{ operation: null, run_id: null, counts: null },
      },
      {
        ...{ serial: 2, written_at: '2026-11-21T10:00:05Z', written_by: 'ann@laptop' },
        ...{ operation: 'apply', run_id: 'run-1', counts: { add: 1 } },
      },
    ],
  });
});

import { describe, expect, it } from 'vitest';
import { readRetentionSettings } from '../../../../src/server/retention/read-retention-settings.ts';

const read = (hours?: string, days?: string) =>
  readRetentionSettings({
    env: { HOSTWRIGHT_SERVER_KEEP_DRIFT_HOURS: hours, HOSTWRIGHT_SERVER_KEEP_LOG_DAYS: days },
  });

describe('how long the server keeps what is old', () => {
  it('is a day and 90 days, unless the environment says otherwise', () => {
    expect(read()).toEqual({ driftHours: 24, logDays: 90 });
    expect(read(' ', '')).toEqual({ driftHours: 24, logDays: 90 });
    expect(read('72', ' 7 ')).toEqual({ driftHours: 72, logDays: 7 });
    expect(read('1', '99999')).toEqual({ driftHours: 1, logDays: 99_999 });
  });

  it.each(['0', '-1', '1.5', '90d', '1e3', '100000', 'for ever'])('is refused as %s', (text) => {
    for (const given of [() => read(text), () => read(undefined, text)]) {
      let thrown: unknown;
      try {
        given();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ diagnostics: [{ code: 'server-retention-settings' }] });
    }
  });
});

import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Retention times of everything that the server does not keep for ever. */
export interface RetentionSettings {
  /** Hours for which drift checks that found nothing new are kept. */
  readonly driftHours: number;
  /** Days for which logs, saved plans and their pages are kept. */
  readonly logDays: number;
}

const driftVariable = 'HOSTWRIGHT_SERVER_KEEP_DRIFT_HOURS';
const logVariable = 'HOSTWRIGHT_SERVER_KEEP_LOG_DAYS';

/**
 * Reads the retention times from the environment; a day and 90 days by default. @throws DiagnosticError for a value that is
 * no number from 1 to 99999
 */
export function readRetentionSettings({ env }: Pick<Runtime, 'env'>): RetentionSettings {
  const read = (name: string, otherwise: number) => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return otherwise;
    if (!/^[1-9]\d{0,4}$/.test(text)) throw explainSettings(name);
    return Number(text);
  };
  return { driftHours: read(driftVariable, 24), logDays: read(logVariable, 90) };
}

function explainSettings(name: string): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-retention-settings',
      summary: 'How long the server keeps what is old is not a number',
      detail: `${name} is not a whole number from 1 to 99999.`,
      hint: `Set ${driftVariable} to hours and ${logVariable} to days, or none of them.`,
    },
  ]);
}

import type { Version } from '../../model/state/version.ts';

/** The versions of a state, in their order; what is not known is null. */
export function toHistoryJson(versions: readonly Version[]): object {
  return {
    format_version: '1.0',
    versions: versions.map(({ serial, at, who, operation, runId, counts }) => ({
      serial,
      written_at: at ?? null,
      written_by: who ?? null,
      operation: operation ?? null,
      run_id: runId ?? null,
      counts: counts ?? null,
    })),
  };
}

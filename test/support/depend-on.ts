import type { Dependency } from '../../src/model/plan/task.ts';

/** Dependencies on tasks by id, where their reason does not matter. */
export const dependOn = (ids: readonly string[]): readonly Dependency[] =>
  ids.map((on) => ({ on, reason: 'reference' }));

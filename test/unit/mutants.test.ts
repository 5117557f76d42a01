import { expect, test } from 'vitest';

/** A plain script, as the runner of mutants is. */
const listScript = new URL('../mutants/list-mutants.mjs', import.meta.url).href;
const { listMutants } = (await import(listScript)) as {
  listMutants: (root: string) => readonly object[];
};

test('each mutant of the lists fits the source: its text stands there once, and its tests exist', () =>
  expect(listMutants('.').length).toBeGreaterThan(60));

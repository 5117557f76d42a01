import { expect, test } from 'vitest';
import { resumeLowerCased, resumeTwins } from './kept-name-kills.ts';

// `kept-names.test.ts` tries every sixth point.
test('an apply that was killed on a service that lower-cases names is gone on with, at every point', async () => {
  expect(await resumeLowerCased(1)).toBeGreaterThan(20);
});

test('two VMs whose names differ in case alone are told apart after a kill, at every point', async () => {
  await resumeTwins(1);
});

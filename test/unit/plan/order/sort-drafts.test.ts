import { expect, test } from 'vitest';
import { addTaskWait, type TaskDependencies } from '../../../../src/plan/order/sort-drafts.ts';

const on = 'projects.p.vms.web#apply';
const wait = (fromCommand?: number) => ({ on, reason: 'reference', fromCommand }) as const;

test.each([
  ['the first of several reasons counts', [wait(), wait(2)], [undefined]],
  ['the earliest of several commands waits', [wait(3), wait(1), wait(2)], [1]],
  ['one that waits from the start on is the earliest', [wait(3), wait()], [undefined]],
])('%s', (_what, added, from) => {
  const waits: TaskDependencies = new Map();
  for (const one of added) addTaskWait(waits, one as never);
  expect([...waits.values()].map(({ fromCommand }) => fromCommand)).toEqual(from);
});

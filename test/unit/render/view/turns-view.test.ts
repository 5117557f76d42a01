import { expect, it } from 'vitest';
import type { ModuleInstanceGate } from '../../../../src/model/plan/gate.ts';
import type { Task } from '../../../../src/model/plan/task.ts';
import { defaultTimeouts } from '../../../../src/model/resource.ts';
import { describeSequentialModules } from '../../../../src/render/view/turns-view.ts';

const at = (key: string) => `modules.env[${JSON.stringify(key)}]`;
const task = (key: string, gate: Partial<ModuleInstanceGate>): Task => ({
  id: `${at(key)}#gate`,
  address: at(key),
  phase: 'gate',
  commands: [],
  dependsOn: [],
  timeouts: defaultTimeouts,
  gate: { needsChecks: false, waitMs: 0, after: [], ahead: [], ...gate },
});

it.each<[readonly Task[], string]>([
  [[task('b', { needsChecks: true })], 'b, once the checks hold'],
  [[task('b', { after: [at('a.1')] })], '2 instances one after the other: a.1, b'],
  [
    [task('b', { after: [at('a')], waitMs: 90_000 })],
    '2 instances one after the other: a, b\nbetween them 1m30s pass',
  ],
  [
    // Nothing is waited for before the first that changes.
    [
      task('b', { needsChecks: true }),
      task('c', { needsChecks: true, waitMs: 5_000, after: [at('b')] }),
    ],
    '2 instances one after the other: b, c\nbetween them the checks must hold and 5s pass',
  ],
])('%#', (tasks, expected) => {
  expect(describeSequentialModules(tasks)).toEqual([{ address: 'modules.env', command: expected }]);
});

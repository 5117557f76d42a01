import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/model/account/command.ts';
import type { Change } from '../../../../src/model/plan/plan.ts';
import type { Task, TaskPhase } from '../../../../src/model/plan/task.ts';
import { needsValues, resolveTask } from '../../../../src/plan/deferred/resolve-task.ts';
import type { Resolution } from '../../../../src/plan/deferred/resolve-change.ts';

const change: Change = {
  ...{ address: 'projects.p.networks.lan', kind: 'network', project: 'projects.p' },
  ...{ action: 'replace', id: 'n-1', before: {}, after: {}, unknown: ['name'], fields: [] },
  ...{ sensitive: [], losses: [], configured: [] },
};
const first = { ...change, isCreatedFirst: true };
const rename: Command = {
  ...{ kind: 'renameNetwork', name: 'x' },
  ...{ project: { id: 'p-1' }, network: { id: 'n-1' } },
};

const taskOf = (phase: TaskPhase): Task => ({
  ...{ id: `${change.address}#${phase}`, address: change.address, phase },
  ...{ commands: [], dependsOn: [] },
  timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
});

const known = (
  action: Change['action'],
  commands: Partial<Record<TaskPhase, readonly Command[]>> = {},
): Resolution => ({
  kind: 'known',
  change: { ...change, action, unknown: [] },
  commands: new Map(Object.entries(commands) as [TaskPhase, readonly Command[]][]),
  claims: [],
});
const unknown: Resolution = { kind: 'unknown', reference: 'projects.p.networks.wan.id' };

describe('a task of a deferred change', () => {
  it.each<[string, Change, TaskPhase, Resolution, object]>([
    [
      'makes what its values come to',
      ...([change, 'apply', known('update', { apply: [rename] })] as const),
      { kind: 'ready', change: { action: 'update' }, task: { commands: [rename] } },
    ],
    [
      'does nothing where they come to what is there',
      ...([change, 'apply', known('no-op')] as const),
      { kind: 'ready', task: { commands: [] } },
    ],
    [
      'destroys what is still to be replaced',
      ...([change, 'destroy', known('replace')] as const),
      { kind: 'ready', task: { phase: 'destroy' } },
    ],
    [
      'lets go of what others wait for, where it stays',
      ...([change, 'destroy', known('update', { prepare: [rename] })] as const),
      { kind: 'ready', task: { phase: 'prepare', commands: [rename] } },
    ],
    [
      'destroys nothing that stays',
      ...([change, 'destroy', known('no-op')] as const),
      { kind: 'needless' },
    ],
    [
      'destroys nothing that has changed in place by then',
      ...([first, 'destroy', known('update', { prepare: [rename] })] as const),
      { kind: 'needless' },
    ],
    [
      'destroys as planned before its values are known',
      ...([change, 'destroy', unknown] as const),
      { kind: 'ready', change: { unknown: ['name'] } },
    ],
    [
      'makes nothing before they are',
      ...([change, 'apply', unknown] as const),
      { kind: 'missing', reference: 'projects.p.networks.wan.id' },
    ],
    [
      'fails with its change',
      ...([change, 'apply', { kind: 'fault', findings: [] }] as const),
      { kind: 'fault' },
    ],
  ])('%s', (_what, planned, phase, resolution, expected) => {
    expect(resolveTask(planned, taskOf(phase), resolution)).toMatchObject(expected);
  });

  it('steps aside whatever its values are, but for the sake of its own replacement', () => {
    expect(needsValues(change, taskOf('prepare'))).toBe(false);
    expect(needsValues(first, taskOf('prepare'))).toBe(true);
    expect(needsValues(change, taskOf('destroy'))).toBe(true);
  });
});

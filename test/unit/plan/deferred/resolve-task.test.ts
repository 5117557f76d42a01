import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/model/account/command.ts';
import type { Change } from '../../../../src/model/plan/plan.ts';
import type { Task, TaskPhase } from '../../../../src/model/plan/task.ts';
import {
  needsDeferredValues,
  resolveDeferredTask,
} from '../../../../src/plan/deferred/resolve-task.ts';
import type { DeferredChangeResolution } from '../../../../src/plan/deferred/resolve-change.ts';
import { readRows } from '../../../support/read-rows.ts';

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
): DeferredChangeResolution => ({
  kind: 'known',
  change: { ...change, action, unknown: [] },
  commands: new Map(Object.entries(commands) as [TaskPhase, readonly Command[]][]),
  claims: [],
});
const unknown: DeferredChangeResolution = {
  kind: 'unknown',
  reference: 'projects.p.networks.wan.id',
};

describe('a task of a deferred change', () => {
  const worlds: Readonly<Record<string, DeferredChangeResolution>> = {
    renamed: known('update', { apply: [rename] }),
    aside: known('update', { prepare: [rename] }),
    ...{ same: known('no-op'), replaced: known('replace'), unknown },
    broken: { kind: 'fault', findings: [] },
  };
  it.each(
    readRows(`
    makes what its values come to | apply | renamed | ready apply renameNetwork
    does nothing where they come to what is there | apply | same | ready apply
    destroys what is still to be replaced | destroy | replaced | ready destroy
    lets go of what others wait for, where it stays | destroy | aside | ready prepare renameNetwork
    destroys nothing that stays | destroy | same | needless
    destroys nothing that has changed in place by then | first destroy | aside | needless
    destroys as planned before its values are known | destroy | unknown | ready destroy
    makes nothing before they are | apply | unknown | missing projects.p.networks.wan.id
    fails with its change | apply | broken | fault
  `),
  )('%s', (_what, task, resolution, expected) => {
    const planned = task.startsWith('first') ? first : change;
    const phase = task.replace('first ', '') as TaskPhase;
    const found = resolveDeferredTask(planned, taskOf(phase), worlds[resolution]!);
    const said =
      found.kind === 'ready'
        ? [found.task.phase, ...found.task.commands.map(({ kind }) => kind)]
        : found.kind === 'missing'
          ? [found.reference]
          : [];
    expect([found.kind, ...said].join(' ')).toBe(expected);
  });

  it('steps aside whatever its values are, but for the sake of its own replacement', () => {
    expect(needsDeferredValues(change, taskOf('prepare'))).toBe(false);
    expect(needsDeferredValues(first, taskOf('prepare'))).toBe(true);
    expect(needsDeferredValues(change, taskOf('destroy'))).toBe(true);
  });
});

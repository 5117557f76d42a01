import { describe, expect, it } from 'vitest';
import {
  addEffectCounts,
  countEffects,
  listEffects,
  type EffectCounts,
} from '../../../../src/model/effects.ts';
import { actions, type Action } from '../../../../src/model/plan/plan.ts';

const none: EffectCounts = countEffects([]);
const count = (...given: Parameters<typeof listEffects>[0][]) =>
  countEffects(given.map(listEffects));

describe('the effects of changes', () => {
  it.each<[Action[], Partial<EffectCounts>]>([
    [[], {}],
    [['no-op'], {}],
    [['create'], { add: 1 }],
    [['update'], { change: 1 }],
    [['rebuild'], { rebuild: 1 }],
    [['delete'], { destroy: 1 }],
    [['replace'], { add: 1, destroy: 1 }],
    [['forget'], { forget: 1 }],
    [[...actions], { add: 2, change: 1, rebuild: 1, destroy: 2, forget: 1, expire: 1 }],
  ])('%j: %j', (given, expected) => {
    expect(count(...given.map((action) => ({ action, losses: [] })))).toEqual({
      ...none,
      ...expected,
    });
  });

  it('count a disk that a rebuild loses, and what is adopted beside what else happens to it', () => {
    const losses = ['Everything on its disk is lost.'];
    const counts = count(
      { action: 'rebuild', losses, isImported: true },
      { action: 'no-op', losses: [], isImported: true },
      { action: 'delete', losses },
    );
    expect(counts).toEqual({ ...none, import: 2, rebuild: 1, disksLost: 1, destroy: 1 });
    const dueBackup = { maxAgeMs: 1, newestAt: null };
    const due = (['due', 'update'] as const).map((action) => ({ action, losses: [], dueBackup }));
    expect(count(...due)).toEqual({ ...none, change: 1, due: 2 });
    expect(addEffectCounts([counts, counts])).toMatchObject({ import: 4, disksLost: 2, add: 0 });
  });
});

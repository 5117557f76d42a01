import { describe, expect, it } from 'vitest';
import { warnOfPartialPlan } from '../../../src/checks/selection.ts';
import { noPlanOptions, type PlanTargetSelection } from '../../../src/model/plan/plan.ts';
import { findingsOf } from '../../support/findings.ts';
import { planOf } from '../../support/plan-lines.ts';
import { afterApply, type World } from '../../support/world.ts';

const applied = afterApply({ p: { vms: { web: {}, db: {} } } });
const selecting = (selection: PlanTargetSelection): World => ({
  ...applied,
  planOptions: { ...noPlanOptions, selection },
});
const web = 'projects.p.vms.web';
const db = 'projects.p.vms.db';

describe('a plan of a part', () => {
  it.each<[string, World, string | undefined]>([
    ['is none without flags', applied, undefined],
    ['is none with no addresses', selecting({ targets: [], excludes: [] }), undefined],
    [
      'by targets',
      selecting({ targets: [web, db], excludes: [] }),
      `--target ${web} --target ${db}`,
    ],
    ['by what is left out', selecting({ targets: [], excludes: [db] }), `--exclude ${db}`],
    ['by both', selecting({ targets: [web], excludes: [db] }), `--target ${web} --exclude ${db}`],
  ])('%s', (_what, world, flags) => {
    const [found, ...others] = findingsOf(world, 'partial-plan');
    expect(others).toEqual([]);
    expect(found?.detail).toBe(
      flags &&
        `It was limited with ${flags}, so the account may not match the configuration afterwards.`,
    );
  });

  it('is a warning with a way on', () => {
    const { planOptions, live, state } = selecting({ targets: [web], excludes: [] });
    const input = {
      plan: planOf(applied),
      desired: new Map(),
      live,
      state,
      ...(planOptions && { planOptions }),
    };
    expect(warnOfPartialPlan(input)).toMatchObject([
      { severity: 'warning', hint: 'Plan once more without these flags to see what is left.' },
    ]);
  });
});

describe('what nobody configured', () => {
  const two = afterApply({ p: { vms: { web: {}, db: {} } }, q: { vms: { web: {} } } });
  const foreign = two.live.resources
    .filter(({ kind }) => kind === 'vm')
    .map((one) => ({ ...one, id: `other-${one.id}`, name: `other-${one.id}` }));
  const live = { ...two.live, resources: [...two.live.resources, ...foreign] };

  it.each<[Partial<PlanTargetSelection>, string[]]>([
    [{}, ['projects.p', 'projects.q']],
    [{ targets: [web] }, ['projects.p']],
    [{ targets: ['projects.q'] }, ['projects.q']],
    [{ excludes: ['projects.p'] }, ['projects.q']],
  ])('is noted of the planned projects alone: %j', (given, projects) => {
    const { planOptions } = selecting({ targets: [], excludes: [], ...given });
    const notes = findingsOf(
      { ...two, live, ...(planOptions && { planOptions }) },
      'unmanaged-resources',
    );
    expect(notes.map(({ address }) => address)).toEqual(projects);
  });
});

describe('a flag with an address', () => {
  const p = { p: { vms: { 'app[0]': {}, 'app[1]': {} } } };
  const app = 'projects.p.vms.app';
  const none = 'projects.p.vms.none';
  const ask = (flags: Partial<PlanTargetSelection> & { replace?: string[] }) => {
    const { replace = [], targets = [], excludes = [] } = flags;
    const planOptions = { ...noPlanOptions, replace, selection: { targets, excludes } };
    const world = afterApply(p);
    const emptyGroups = [{ address: none, reads: 'list' as const }];
    return findingsOf(
      { ...world, desired: { ...world.desired, emptyGroups }, planOptions },
      'unknown-address',
    ).map(({ summary, hint }) => `${summary}: ${hint ?? ''}`);
  };

  it.each([
    ['is known', { targets: ['projects.p'], excludes: [`${app}[1]`], replace: [`${app}[0]`] }],
    ['is of all instances', { targets: [app] }],
    ['is of what count repeats no times', { targets: [none] }],
  ])('may be one that %s', (_what, flags) => expect(ask(flags)).toEqual([]));

  it('that nothing has, or that is of all instances where one is needed, is told', () => {
    expect(
      ask({ targets: ['projects.q'], excludes: ['projects.nowhere.vms.x'], replace: [app] }),
    ).toEqual([
      '--target projects.q: there is no such resource: Did you mean projects.p?',
      '--exclude projects.nowhere.vms.x: there is no such resource: Correct the address.',
      `--replace ${app}: there is no such resource: Did you mean ${app}[0]?`,
    ]);
  });
});

it('--replace of the account is refused: it can be neither destroyed nor made', () => {
  const planOptions = { ...noPlanOptions, replace: ['account', web] };
  expect(findingsOf({ ...applied, planOptions }, 'not-replaceable')).toMatchObject([
    {
      severity: 'error',
      address: 'account',
      summary: expect.stringContaining('--replace account') as string,
    },
  ]);
});

import { describe, expect, it, test } from 'vitest';
import type { DesiredGraph, PlanLossGuards } from '../../../src/model/resource.ts';
import { noPlanOptions } from '../../../src/model/plan/plan.ts';
import { expressionOf } from '../../support/defer.ts';
import type { ProjectConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { checkedPlanOf, findingLine } from '../../support/plan-lines.ts';
import { afterApply, destroyAll, reconfigure, type World } from '../../support/world.ts';

const source = { file: 'main.yaml', line: 9, column: 3, endLine: 9, endColumn: 4 };
const [old, other] = [{ image: 'debian-12' }, { image: 'debian-13' }];
const project = (a: object, b: object | undefined): { p: ProjectConfig } => ({
  p: {
    vms: { 'web[0]': a, ...(b && { 'web[1]': b }), idle: { power: 'stopped' } },
    publicIps: { edge: { https: { publicPort: 443, vm: 'web[0]' } } },
  },
});
/** The plan that makes these of two instances that run. */
const plans = (a: object, b: object | undefined) =>
  reconfigure(afterApply(project(old, old)), project(a, b));
const both = plans(other, other);
const second = plans(old, other);
const withPart = (world: World, part: Partial<DesiredGraph>): World => ({
  ...world,
  desired: { ...world.desired, ...part },
});
const codesOf = (world: World, code: string) => findingsOf(world, code).map(findingLine);

describe('a condition', () => {
  const web = 'plan.downtime["projects.p.vms.web"]';
  const forward = 'plan.downtime["projects.p.publicIps.edge.forwards.https"]';

  it.each<[string, World, string[]]>([
    [
      'over a block that goes out whole',
      both,
      [`${web}.seconds == 30`, `${web}.minRunning == 0`, `${web}.running == 2`],
    ],
    ['over its forward', both, [`${forward}.seconds <= 30`]],
    ['over one of two', second, [`${web}.seconds == 30`, `${web}.minRunning == 1`]],
    ['over what stays in service', second, [`${forward}.seconds == 0`]],
    [
      'over what is stopped',
      second,
      [
        'plan.downtime["projects.p.vms.idle"].seconds == 0 && plan.downtime["projects.p.vms.idle"].running == 0',
      ],
    ],
    ['over what does not come back', plans(old, undefined), [`${web}.seconds > 1000000`]],
    ['over all of them', both, ['plan.downtime.all(a, plan.downtime[a].seconds < 60)']],
    ['over how many there are', second, ['size(plan.downtime) == 1']],
  ])('%s', (_, world, texts) => {
    for (const text of texts) {
      const rule = (assert: string) => {
        return { name: 'rule', prefix: '', assert: expressionOf(assert, []), source };
      };
      for (const isTrue of [true, false]) {
        const condition = rule(isTrue ? text : `!(${text})`);
        const plan = checkedPlanOf(
          withPart(world, {
            policies: [{ ...condition, for: 'vm', severity: 'deny' }],
            checks: [{ ...condition, severity: 'warn' }],
          }),
        );
        expect(plan.checks?.[0]?.status, text).toBe(isTrue ? 'pass' : 'fail');
        expect(plan.findings.some(({ code }) => code === 'policy-violated')).toBe(!isTrue);
      }
    }
  });

  it('over an address that is not there cannot be judged', () => {
    const assert = expressionOf('plan.downtime["projects.p.vms.wbe"].seconds == 0', []);
    const policy = {
      name: 'rule',
      prefix: '',
      assert,
      source,
      for: 'vm',
      severity: 'deny',
    } as const;
    expect(codesOf(withPart(both, { policies: [policy] }), 'policy-')[0]).toMatch('policy-broken');
  });
});

describe('the guard', () => {
  const told = (what: string, bound: string) =>
    `error too-much-downtime at 9:3: This plan takes ${what} out of service, guards.downtime is ${bound}`;
  const guarded = (world: World, guards: Omit<PlanLossGuards, 'source'>) =>
    withPart(world, { guards: { ...guards, source } });
  const forced = { ...noPlanOptions, isForced: true };

  it.each<[string, World, string[]]>([
    [
      'passes nothing with deny',
      guarded(both, { maxDowntimeMs: 0 }),
      [told('running VMs', 'deny')],
    ],
    ['passes what is as long as it may be', guarded(both, { maxDowntimeMs: 30_000 }), []],
    [
      'passes no longer one',
      guarded(both, { maxDowntimeMs: 29_000 }),
      [told('running VMs', '29s')],
    ],
    [
      'passes nothing that does not come back',
      guarded(plans(old, undefined), { maxDowntimeMs: 3_600_000 }),
      [told('running VMs', '1h')],
    ],
    ['passes what takes nothing', guarded(plans(old, old), { maxDowntimeMs: 0 }), []],
    ['is not for a destroy', destroyAll(guarded(both, { maxDowntimeMs: 0 })), []],
    [
      'is a warning with --force',
      { ...guarded(both, { maxDowntimeMs: 0 }), planOptions: forced },
      [told('running VMs', 'deny').replace('error', 'warning')],
    ],
  ])('%s', (_, world, lines) => expect(codesOf(world, 'too-much-')).toEqual(lines));

  test.each([
    [0, 60_000, ['guards.downtime was raised from 0 s to 60 s']],
    [60_000, undefined, ['guards.downtime was removed']],
    [60_000, 0, []],
  ])('that was %s and is %s', (before, now, expected) => {
    const world = guarded(plans(old, old), now === undefined ? {} : { maxDowntimeMs: now });
    const safeguards = { 'guards.downtime': { bound: `${before / 1_000} s` } };
    const summaries = codesOf({ ...world, state: { ...world.state, safeguards } }, 'guard-lifted');
    expect(summaries).toEqual(
      expected.map((line): unknown => expect.stringContaining(line.slice(7))),
    );
  });
});

test.each<[string, boolean, World]>([
  ['both', true, both],
  ['one of two', false, second],
  ['one, while the other one goes', true, plans(other, undefined)],
  ['both for good', false, plans({ power: 'stopped' }, { power: 'stopped' })],
  ['all by a destroy', false, destroyAll(both)],
])('a plan that takes %s warns of it: %s', (_, isWarned, world) => {
  expect(codesOf(world, 'all-at-once')).toEqual(
    isWarned
      ? [
          expect.stringMatching(
            /^warning all-at-once at \d+:\d+ p.vms.web: All 2 running VMs of projects.p.vms.web go out of service at once$/,
          ),
        ]
      : [],
  );
});

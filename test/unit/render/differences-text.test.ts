import { describe, expect, it } from 'vitest';
import type { OutputChange, Plan } from '../../../src/model/plan/plan.ts';
import type { ApprovedPlan } from '../../../src/plan/approved-parts.ts';
import { compareWithApprovedPlan } from '../../../src/plan/compare-approved.ts';
import {
  foldPlanDifferences,
  renderPlanDifferences,
} from '../../../src/render/text/differences-text.ts';
import type { VmConfig } from '../../support/desired.ts';
import { checkedPlanOf } from '../../support/plan-lines.ts';
import { afterApply, reconfigure } from '../../support/world.ts';
import { plain } from './sample-plan.ts';

const vms = (count: number, one: VmConfig) => ({
  shop: { vms: Object.fromEntries(Array.from({ length: count }, (_, at) => [`web[${at}]`, one])) },
});
const standing = afterApply(vms(4, { image: 'debian-12' }));
const save = (plan: Plan): ApprovedPlan => {
  return { plan, service: 'https://a.test', lineage: 'l', serial: 1, fingerprints: {} };
};
const planOf = (count: number, one: VmConfig) =>
  checkedPlanOf(reconfigure(standing, vms(count, one)));
const output = { name: 'ip', action: 'update', before: '1', after: '2' } as const;
const told: Omit<OutputChange, 'name' | 'action' | 'before' | 'after'> = {
  ...{ isUnknown: false, wasSensitive: false, isSensitive: false },
};
const price = (amount: string) => ({ amount, currency: 'EUR', period: 'month' as const });
const costs = (amount: string) => {
  const [address, project] = ['projects.shop.vms.web[0]', 'projects.shop'];
  return {
    resources: [{ address, kind: 'vm' as const, project, before: null, after: price(amount) }],
  };
};
const finding = { severity: 'warning', code: 'c', summary: 's' } as const;
const show = (was: Plan, is: Plan, isVerbose = false) =>
  renderPlanDifferences(compareWithApprovedPlan(save(was), save(is)), 'old', {
    ...plain,
    isVerbose,
  });

describe('two saved plans side by side', () => {
  const same = planOf(4, { image: 'debian-12' });
  const rebuilt = planOf(4, { image: 'debian-13' });

  it('say when they do the same', () => expect(show(same, same)).toBe('Both plans do the same.\n'));

  it('are counted, with what is lost first and equal instances as one', () => {
    const renamed = { ...rebuilt, mode: 'destroy' as const };
    expect(show(same, renamed)).toMatchInlineSnapshot(`
      "Differs from old in 4 changes (4 of them would lose or destroy what it keeps), the mode, 2 findings.

      ! projects.shop.vms.web[0..3]: no change -> rebuild
      ! projects.shop.vms.web[0..3]: data lost [] -> ["Everything on its disk (20 GB) is lost."]
      ! projects.shop.vms.web[0..3]: image, as planned, "debian-12" -> "debian-13"
      ! new finding warning [data-loss]: This plan loses the disks of 4 VMs (80 GB)
        mode: apply -> destroy
        new finding warning [all-at-once] projects.shop.vms.web: All 4 running VMs of projects.shop.vms.web go out of service at once
      "
    `);
    expect(show(rebuilt, same, true)).toMatchInlineSnapshot(`
      "Differs from old in 4 changes, 2 findings.

        projects.shop.vms.web[0]: rebuild -> no change
        projects.shop.vms.web[0]: data lost ["Everything on its disk (20 GB) is lost."] -> []
        projects.shop.vms.web[0]: image, as planned, "debian-13" -> "debian-12"
        projects.shop.vms.web[1]: rebuild -> no change
        projects.shop.vms.web[1]: data lost ["Everything on its disk (20 GB) is lost."] -> []
        projects.shop.vms.web[1]: image, as planned, "debian-13" -> "debian-12"
        projects.shop.vms.web[2]: rebuild -> no change
        projects.shop.vms.web[2]: data lost ["Everything on its disk (20 GB) is lost."] -> []
        projects.shop.vms.web[2]: image, as planned, "debian-13" -> "debian-12"
        projects.shop.vms.web[3]: rebuild -> no change
        projects.shop.vms.web[3]: data lost ["Everything on its disk (20 GB) is lost."] -> []
        projects.shop.vms.web[3]: image, as planned, "debian-13" -> "debian-12"
        finding warning [data-loss]: This plan loses the disks of 4 VMs (80 GB): no longer
        finding warning [all-at-once] projects.shop.vms.web: All 4 running VMs of projects.shop.vms.web go out of service at once: no longer
      "
    `);
  });

  it('name what the whole plan differs in', () => {
    const was = { ...same, outputs: [{ ...output, ...told }], costs: costs('5.00') };
    const is: Plan = {
      ...same,
      ...{ outputs: [{ ...output, ...told, after: '3' }], costs: costs('6.00') },
      checks: [{ name: 'up', status: 'fail', problems: ['down'] }],
      findings: [finding, { ...finding, code: 'd', address: 'projects.shop' }],
      gone: ['projects.old'],
    };
    expect(show(was, is)).toMatchInlineSnapshot(`
      "Differs from old in 1 change, 1 output, 1 cost, 1 check, 2 findings.

        output ip: "2" (was "1") -> "3" (was "1")
        cost of projects.shop.vms.web[0]: nothing -> 5.00 EUR per month; now nothing -> 6.00 EUR per month
        projects.old: the state forgets it
        check up: none -> fail (down)
        new finding warning [c]: s
        new finding warning [d] projects.shop: s
      "
    `);
    expect(show(is, was)).toMatchInlineSnapshot(`
      "Differs from old in 1 change, 1 output, 1 cost, 1 check, 2 findings.

        projects.old: it stays in the state
        output ip: "3" (was "1") -> "2" (was "1")
        cost of projects.shop.vms.web[0]: nothing -> 6.00 EUR per month; now nothing -> 5.00 EUR per month
        check up: fail (down) -> none
        finding warning [c]: s: no longer
        finding warning [d] projects.shop: s: no longer
      "
    `);
  });

  it('fold what the service assigns, which differs from instance to instance', () => {
    const assigned = (part: string): Plan => ({
      ...rebuilt,
      changes: rebuilt.changes.map((one) =>
        one.kind === 'vm' ? { ...one, before: { ...one.before, internalIp: part + one.id! } } : one,
      ),
    });
    expect(foldPlanDifferences(compareWithApprovedPlan(save(assigned('a')), save(assigned('b')))))
      .toMatchInlineSnapshot(`
      [
        "projects.shop.vms.web[0..3]: another internalIp each",
      ]
    `);
  });
});

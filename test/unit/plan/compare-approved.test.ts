import { parse } from 'yaml';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { listApprovedParts, type ApprovedPlan } from '../../../src/plan/approved-parts.ts';
import { compareWithApprovedPlan } from '../../../src/plan/compare-approved.ts';
import type { Change, Plan } from '../../../src/model/plan/plan.ts';
import { anyConfig } from '../../support/arbitrary.ts';
import { defer, expressionOf } from '../../support/defer.ts';
import { checkedPlanOf } from '../../support/plan-lines.ts';
import { readRows } from '../../support/read-rows.ts';
import { afterApply, destroyAll, makeWorld, reconfigure, type World } from '../../support/world.ts';

const web = 'projects.shop.vms.web';
const vm = { image: 'ubuntu-24.04', configuration: 'c2-r4-d40', tariff: 'monthly' };
const standing = afterApply({ shop: { networks: { lan: {} }, vms: { web: vm } } });
const renamed = reconfigure(standing, {
  shop: { networks: { lan: {} }, vms: { web: { ...vm, name: 'site' }, db: vm } },
});

const seal = { salt: 's', digest: 'd', wanted: 'w' };

/** As it is saved. */
const save = (world: World, given: Partial<ApprovedPlan> = {}): ApprovedPlan => {
  const plan = JSON.parse(JSON.stringify(checkedPlanOf(world))) as Plan;
  const fingerprints = { configuration: 'c', contract: 'a' };
  return { plan, service: 'https://a.test', lineage: 'l', serial: 1, fingerprints, seal, ...given };
};

const base = save(renamed);
const { plan } = base;
const output = { name: 'ip', action: 'update', before: '1', after: '2' } as const;
const told = { isUnknown: false, wasSensitive: false, isSensitive: false };
const cost = { address: web, kind: 'vm', project: 'projects.shop' } as const;
const price = (amount: string) => ({ amount, currency: 'EUR', period: 'month' });
const finding = { severity: 'warning', code: 'c', summary: 's', detail: 'd' } as const;

const withPlan = (given: Partial<Plan>): ApprovedPlan => ({ ...base, plan: { ...plan, ...given } });
const withChange = (given: Partial<Change>): ApprovedPlan =>
  withPlan({
    changes: plan.changes.map((one) => (one.address === web ? { ...one, ...given } : one)),
  });
const withOutput = (given: object) => withPlan({ outputs: [{ ...output, ...told, ...given }] });
const withCost = (amount: string, before = '5.00') =>
  withPlan({ costs: { resources: [{ ...cost, before: price(before), after: price(amount) }] } });
const withFinding = (given: object) =>
  withPlan({ findings: [...plan.findings, { ...finding, ...given }] });

const linesOf = (was: ApprovedPlan, is: ApprovedPlan) =>
  compareWithApprovedPlan(was, is).map(({ line }) => line);

describe('what a person would have to approve anew', () => {
  /** Each part of an approved plan in which something else can stand, given as YAML behind its name. */
  const parts: Readonly<Record<string, (given: object) => ApprovedPlan>> = {
    saved: (given) => ({ ...base, ...given }),
    seal: (given) => ({ ...base, seal: { ...seal, ...given } }),
    ...{ plan: withPlan, change: withChange, output: withOutput, finding: withFinding },
    cost: (given) => withCost((given as { amount: string }).amount),
  };
  const read = (cell: string): ApprovedPlan => {
    const [, part = '', given = ''] = /^(\w+) (.*)$/.exec(cell) ?? [];
    return cell === '' ? base : parts[part]!(parse(given) as object);
  };
  const up = '[{ name: up, status: pass, problems: [] }]';
  const down = '[{ name: up, status: fail, problems: [no] }]';

  it.each(
    readRows(`
    the service |  | saved { service: 'https://b.test' } | service: "https://a.test" ->
    the contract file |  | saved { fingerprints: { contract: b } } | contract file: "sha256:a" -> "sha256:b"
    no contract file |  | saved { fingerprints: {} } | contract file: "sha256:a" -> none
    the state |  | saved { lineage: m } | state: it was made from another one
    a sensitive value |  | seal { digest: e } | sensitive values: at least one differs
    a sensitive value of the configuration |  | seal { wanted: x } | sensitive values: at least one differs
    sensitive values of another service |  | seal { salt: t } | sensitive values: they cannot be compared
    the mode |  | plan { mode: destroy } | mode: apply -> destroy
    a part |  | plan { isPartial: true } | mode: apply -> apply of a part
    an action |  | change { action: rebuild } | ${web}: update -> rebuild
    a value |  | change { after: ${JSON.stringify({ ...vm, name: 'www' })} } | ${web}: name, as planned, "site" -> "www"
    a loss |  | change { losses: [All.] } | ${web}: data lost [] -> ["All."]
    a backup |  | change { lostBackups: 2 } | ${web}: backups lost null -> 2
    a mark |  | change { sensitive: [name] } | ${web}: sensitive [] -> ["name"]
    a protection |  | change { isProtectionLifted: true } | ${web}: protection lifted false -> true
    what waits |  | change { waiting: { sshKeys: [a] } } | ${web}: at the next rebuild null -> {"sshKeys":["a"]}
    what is forgotten |  | plan { gone: [${web}] } | ${web}: the state forgets it
    an output | output {} | output { after: '3' } | output ip: "2" (was "1") -> "3"
    an output more |  | output {} | output ip: none -> "2"
    a sensitive output | output {} | output { isSensitive: true, after: } | output ip: "2" (was "1") -> update, sensitive
    a cost | cost { amount: '6.00' } | cost { amount: '7.00' } | cost of ${web}: 5.00 EUR per month -> 6.00
    a cost more |  | cost { amount: '6.00' } | cost of ${web}: none; now 5.00 EUR per month -> 6
    a finding |  | finding {} | new finding warning [c]: s
    what a finding says | finding {} | finding { detail: e } | finding warning [c]: s: "d" -> "e"
    a check | plan { checks: ${up} } | plan { checks: ${down} } | check up: pass -> fail (no)
  `).map(([what = '', was = '', is = '', line = '']) => [what, read(was), read(is), line] as const),
  )('%s, in both directions', expectDifference);

  it.each<[string, ApprovedPlan, ApprovedPlan, string]>([
    ['that there is one', { ...base, seal: undefined as never }, base, 'sensitive values: there'],
    [
      'a command',
      base,
      withPlan({ tasks: plan.tasks.map((one) => ({ ...one, commands: [] })) }),
      `${web}: other commands would be sent`,
    ],
  ])('%s, in both directions', expectDifference);

  function expectDifference(_what: string, was: ApprovedPlan, is: ApprovedPlan, line: string) {
    expect(linesOf(was, is).join('\n')).toContain(line);
    expect(compareWithApprovedPlan(was, is).some(({ binds }) => binds)).toBe(true);
    expect(linesOf(is, was)).not.toEqual([]);
    expect(linesOf(was, was)).toEqual([]);
    expect(linesOf(is, is)).toEqual([]);
  }

  it.each<[string, ApprovedPlan, ApprovedPlan]>([
    ['a finding that is gone', withFinding({}), base],
    ['a cost that neither changes', withCost('5.00'), withCost('6.00', '6.00')],
    [
      'an output that neither changes',
      withOutput({ action: 'no-op' }),
      withOutput({ action: 'no-op', after: '3' }),
    ],
  ])('is not %s, which is told all the same', (_what, was, is) => {
    const found = compareWithApprovedPlan(was, is);
    expect(found.map(({ binds }) => binds)).toEqual([false]);
  });

  it('is nothing where an entry is written by its id, and its id where two have one name', () => {
    const by = (image: string, entryNames: Change['entryNames']) =>
      withChange({ action: 'rebuild', after: { ...vm, image }, ...(entryNames && { entryNames }) });
    const one = by('img-1', { image: { 'img-1': 'ubuntu-24.04' } });
    expect(linesOf(by('ubuntu-24.04', undefined), one)).toEqual([]);
    const other = by('img-2', { image: { 'img-2': 'ubuntu-24.04' } });
    const commands = [{ kind: 'x', imageId: 'img-2' }] as never;
    const tasks = plan.tasks.map((task) => ({ ...task, commands }));
    expect(linesOf(one, { ...other, plan: { ...other.plan, tasks } })).toContain(
      `${web}: image, as planned, "ubuntu-24.04 (img-1)" -> "ubuntu-24.04 (img-2)"`,
    );
  });

  it('is nothing where lines have moved, and what decides a deferred value otherwise is', () => {
    const lan = 'projects.shop.networks.lan';
    const of = (text: string, line: number) => {
      const expression = expressionOf(text, [`${lan}.cidr`]);
      const source = { ...expression.source, line };
      const world = makeWorld({ config: { shop: { networks: { lan: {} }, vms: { web: vm } } } });
      return save(defer(world, web, 'name', { ...expression, source }));
    };
    expect(linesOf(of(`${lan}.cidr`, 1), of(`${lan}.cidr`, 9))).toEqual([]);
    expect(linesOf(of(`${lan}.cidr`, 1), of(`${lan}.cidr + "x"`, 1))).toEqual([
      `${web}: its deferred values would be resolved otherwise`,
    ]);
  });

  it('is every change of what is destroyed', () => {
    expect(linesOf(save(standing), save(destroyAll(standing)))).toEqual(
      expect.arrayContaining(['mode: apply -> destroy', `${web}: no change -> delete`]),
    );
  });
});

test('plans are equal to themselves, and two that differ do so in both directions', () => {
  fc.assert(
    fc.property(anyConfig, anyConfig, (before, after) => {
      const [one, other] = [
        save(makeWorld({ config: before })),
        save(makeWorld({ config: after })),
      ];
      expect(compareWithApprovedPlan(one, structuredClone(one))).toEqual([]);
      const isSame =
        JSON.stringify(listApprovedParts(one)) === JSON.stringify(listApprovedParts(other));
      const there = compareWithApprovedPlan(one, other);
      expect(there.length === 0).toBe(isSame);
      expect(compareWithApprovedPlan(other, one).length === 0).toBe(isSame);
    }),
    { numRuns: 50 },
  );
});

import { describe, expect, it } from 'vitest';
import { checkQuotas } from '../../../../src/checks/account/quota.ts';
import type { AccountInput } from '../../../support/account.ts';
import type { ProjectConfig, VmConfig } from '../../../support/desired.ts';
import { findingsOf } from '../../../support/findings.ts';
import { checkedPlanOf, findingLine } from '../../../support/plan-lines.ts';
import { readRows } from '../../../support/read-rows.ts';
import { readWorld } from '../../../support/read-stories.ts';
import { afterApply, reconfigure, type World } from '../../../support/world.ts';

const networks = (...keys: string[]): ProjectConfig => ({
  networks: Object.fromEntries(keys.map((key) => [key, {}])),
});
const within = (limit: number, before: ProjectConfig, after: ProjectConfig): World =>
  reconfigure(afterApply({ p: before }, { quotas: { networks: limit } }), { p: after });
const attached = (key: string): ProjectConfig => ({
  ...networks(key),
  vms: { web: { networks: [key] } },
});

describe('room over time', () => {
  const first = 'note deletes-first: Deletes run first to free the quota "networks"';
  const attachedTo = (key: string) => `networks: {${key}}, vms: {web: {networks: [${key}]}}`;
  const over = (peak: number, limit: number, used: number) =>
    `error quota-exceeded: The plan exceeds the quota "networks": ${peak} at its peak, limit ${limit}, used ${used}`;

  it.each(
    readRows(`
    for all at once | 2 | networks: {a} => networks: {b} |
    once deletes went first | 1 | networks: {a} => networks: {b} | ${first}
    once deletes went first, above the limit too | 1 | networks: {a, b} => networks: {c} | ${first}
    not at the end | 1 | networks: {a} => networks: {b, c} | ${over(2, 1, 1)}
    not on the way | 1 | ${attachedTo('a')} => ${attachedTo('b')} | ${over(2, 1, 1)}
    above the limit, where nothing is made | 1 | networks: {a, b, c} => networks: {a, b} |
    above the limit, where something is made in place of something | 1 | networks: {a, b, c} => networks: {a, b, d} | ${over(3, 1, 3)}
    because of others | 2 | networks: {a, b} => networks: {c, d} & networks.b forgotten | ${over(3, 2, 2)} (1 not managed here)
  `),
  )('%s', (_what, limit, text, lines) => {
    const world = readWorld(text, { quotas: { networks: Number(limit) } });
    const found = ['quota-exceeded', 'deletes-first'].flatMap((code) => findingsOf(world, code));
    expect(found.map(findingLine).join()).toBe(lines);
  });

  it('says why, and what to do', () => {
    expect(findingsOf(within(1, networks('a'), networks('b')), 'deletes-first')[0]?.detail).toBe(
      'All at once would need 2, limit 1.',
    );
    expect(findingsOf(within(1, attached('a'), attached('b')), 'quota')[0]).toMatchObject({
      detail:
        'The plan ends at 1, within the limit, and exceeds it while it runs: what frees the quota can only be destroyed after the new resources exist.',
      hint: 'Apply in two steps, removals first, or ask the service to raise the quota.',
    });
    expect(findingsOf(within(1, networks('a'), networks('b', 'c')), 'quota')[0]).toMatchObject({
      detail:
        'After this plan the account would hold 2, 1 too many: the service would refuse the last creates. Free now: 0, room for none of the 2 that the plan creates.',
    });
  });
});

describe('what the plans of other workspaces have reserved', () => {
  const grown = within(3, networks('a'), networks('a', 'b'));
  const reserve = (name: 'networks' | 'projects', amount: number) => ({
    ...{ name, amount, workspace: 'blog', run: 7 },
  });

  it.each([
    ['leaves room enough', reserve('networks', 1), undefined],
    ['is of another quota', reserve('projects', 9), undefined],
    [
      'takes the room',
      reserve('networks', 2),
      'The plan exceeds the quota "networks": 2 at its peak, limit 3, used 1, 2 reserved by the workspace blog, run #7',
    ],
  ])('%s', (_what, reserved, summary) => {
    const { live, state } = grown;
    const plan = checkedPlanOf(grown);
    const input = { plan, live, state, desired: new Map(), reservedQuotas: [reserved] };
    const found = checkQuotas(input).map((finding) => finding.summary);
    expect(found).toEqual(summary === undefined ? [] : [summary]);
  });
});

describe('what would fit', () => {
  const vms = (configuration: string, count: number, more: VmConfig = {}): ProjectConfig => ({
    vms: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`web[${at}]`, { configuration, ...more }]),
    ),
  });
  const detailOf = (before: ProjectConfig, after: ProjectConfig, account: AccountInput) =>
    findingsOf(reconfigure(afterApply({ p: before }, account), { p: after }), 'quota')[0]?.detail;
  const priced = {
    tariffs: [
      { ...{ id: 't', name: 'monthly' }, price: { amount: '7', currency: 'EUR', period: 'month' } },
    ],
  };
  const free = 'Free now: 5 cores, room for 2 of the 3 that the plan creates.';
  const sizes =
    'Sizes with which all 3 fit: c1-r2-d20 (1 core, 2 GB RAM, 20 GB disk), c1-r1-d20 (1 core, 1 GB RAM, 20 GB disk).';

  it.each<[string, VmConfig, AccountInput, string]>([
    ['sizes', {}, {}, `${free} ${sizes}`],
    [
      'sizes with the price of their tariff',
      {},
      { catalog: priced },
      `${free} ${sizes} By its tariff, each costs 7.00 EUR a month, whatever its size.`,
    ],
    [
      'no size where no RAM is free',
      {},
      { quotas: { vmRam: 2 } },
      'Free now: 5 cores, room for none of the 3 that the plan creates.',
    ],
  ])('are %s', (_what, more, { quotas, ...account }, expected) => {
    const detail = detailOf({}, vms('c2-r4-d40', 3, more), {
      ...account,
      quotas: { vmCpu: 5, ...quotas },
    });
    expect(detail?.split('last creates. ')[1]).toBe(expected);
  });

  it('are no sizes near a secret one', () => {
    const world = reconfigure(afterApply({ p: {} }, { quotas: { vmCpu: 5 } }), {
      p: vms('c2-r4-d40', 3),
    });
    const plan = checkedPlanOf(world);
    const changes = plan.changes.map((one) => ({ ...one, sensitive: ['configuration'] }));
    const [found] = checkQuotas({ ...world, plan: { ...plan, changes }, desired: new Map() });
    expect(found?.detail).toMatch(/last creates\. Free now: 5 cores, [^.]+\.$/);
  });

  it('is the retired resource that ends first', () => {
    const world = within(2, networks('a', 'b'), networks('a', 'b', 'c'));
    const plan = checkedPlanOf(world);
    const ends: Readonly<Record<string, number>> = {
      a: Date.UTC(2031, 4, 3),
      b: Date.UTC(2031, 4, 2),
    };
    const changes = plan.changes.map((one) => {
      const until = ends[one.address.split('.').at(-1) ?? ''];
      return until === undefined ? one : { ...one, retirement: { name: 'x', forMs: 1, until } };
    });
    const [found] = checkQuotas({ ...world, plan: { ...plan, changes }, desired: new Map() });
    expect(found?.detail).toContain(
      ' First to end: projects.p.networks.b, retired until 2031-05-02T00:00:00.000Z, with 1.',
    );
  });
});

describe('limits below zero', () => {
  const warningsOf = (belowZero?: Readonly<Record<string, number>>) => {
    const world = within(2, networks('a'), networks('b'));
    const limits = { ...world.live.limits, ...(belowZero && { belowZero }) };
    return findingsOf({ ...world, live: { ...world.live, limits } }, 'limit-below-zero');
  };

  it('are warned of among the lengths of names, too', () => {
    const world = within(2, networks('a'), networks('b'));
    const nameLengths = { ...world.live.nameLengths, belowZero: { maxVmNameLength: -2 } };
    const found = findingsOf(
      { ...world, live: { ...world.live, nameLengths } },
      'limit-below-zero',
    );
    expect(found.map(findingLine)).toEqual([
      'warning limit-below-zero: The service gives a limit below zero: maxVmNameLength -2',
    ]);
  });

  it('are warned of where nobody knows what they mean', () => {
    expect(warningsOf()).toEqual([]);
    expect(warningsOf({ networks: -5, 'vmResources.cpu': -3 }).map(findingLine)).toEqual([
      'warning limit-below-zero: The service gives a limit below zero: networks -5, vmResources.cpu -3',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { checkQuotas } from '../../../../src/checks/account/quota.ts';
import type { ProjectConfig } from '../../../support/desired.ts';
import { findingsOf } from '../../../support/findings.ts';
import { checkedPlanOf, findingLine } from '../../../support/plan-lines.ts';
import { afterApply, forget, reconfigure, type World } from '../../../support/world.ts';

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
  const over = (peak: number, limit: number, used: number) =>
    `error quota-exceeded: The plan exceeds the quota "networks": ${peak} at its peak, limit ${limit}, used ${used}`;

  it.each<[string, World, string[]]>([
    ['for all at once', within(2, networks('a'), networks('b')), []],
    ['once deletes went first', within(1, networks('a'), networks('b')), [first]],
    [
      'once deletes went first, above the limit too',
      within(1, networks('a', 'b'), networks('c')),
      [first],
    ],
    ['not at the end', within(1, networks('a'), networks('b', 'c')), [over(2, 1, 1)]],
    ['not on the way', within(1, attached('a'), attached('b')), [over(2, 1, 1)]],
    [
      'above the limit, where nothing is made',
      within(1, networks('a', 'b', 'c'), networks('a', 'b')),
      [],
    ],
    [
      'above the limit, where something is made in place of something',
      within(1, networks('a', 'b', 'c'), networks('a', 'b', 'd')),
      [over(3, 1, 3)],
    ],
    [
      'because of others',
      forget(within(2, networks('a', 'b'), networks('c', 'd')), 'projects.p.networks.b'),
      [`${over(3, 2, 2)} (1 not managed here)`],
    ],
  ])('%s', (_what, world, lines) => {
    const found = ['quota-exceeded', 'deletes-first'].flatMap((code) => findingsOf(world, code));
    expect(found.map(findingLine)).toEqual(lines);
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
        'After this plan the account would hold 2, 1 too many: the service would refuse the last creates.',
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

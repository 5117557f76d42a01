import { describe, expect, it } from 'vitest';
import type { PlanCheckInput } from '../../../src/checks/check.ts';
import { refuseImportLosses } from '../../../src/checks/import-destroys.ts';
import { formatCatalogEntryValue } from '../../../src/checks/name-value.ts';
import type { KindName } from '../../../src/model/kind-places.ts';
import type { Change } from '../../../src/model/plan/plan.ts';
import type { Value } from '../../../src/model/value.ts';
import { makeLive } from '../../support/account.ts';
import { makeChange, makePlan } from '../render/sample-plan.ts';

const contents = {
  networks: { 'n-1': { name: 'lan' } },
  publicIps: { 'ip-1': { address: '192.0.2.1' } },
};
const live = makeLive({ projects: { 'p-1': { name: 'shop', ...contents } } });

it.each<[string, KindName, string, Value, string]>([
  ['that is sensitive is not shown', 'vm', 'plugins', ['hunter2'], 'another value'],
  ['that is a list is shown as one', 'vm', 'networks', ['lan'], '`["lan"]`'],
  ['is the name of what the service offers', 'vm', 'image', 'img-debian-12', '`debian-12`'],
  ['is the name of what has that id', 'vm', 'networks', 'id:n-1', '`lan`'],
  ['is the address of what has that id', 'vm', 'publicIp', 'id:ip-1', '`192.0.2.1`'],
  ['is the id of what nobody knows', 'vm', 'publicIp', 'id:ip-9', '`id:ip-9`'],
  ['is itself otherwise', 'network', 'cidr', '10.0.0.0/8', '`10.0.0.0/8`'],
])('a value: %s', (_what, kind, field, value, shown) => {
  expect(formatCatalogEntryValue({ kind, sensitive: ['plugins'] }, field, value, { live })).toBe(
    shown,
  );
});

const web = 'projects.shop.vms.web';
const imported = (given: Partial<Change>) =>
  makeChange({ address: web, action: 'replace', isImported: true, ...given });
const refused = (...changes: Change[]) =>
  refuseImportLosses({
    plan: makePlan(changes),
    live,
    desired: new Map(),
  } as Partial<PlanCheckInput> as PlanCheckInput).map(({ summary, detail, hint }) => [
    summary,
    detail,
    hint,
  ]);
const [ofWeb, alone] = [
  `The plan that imports ${web} would`,
  'Plan the import alone, and the change after it.',
];

describe('an import', () => {
  it.each<[string, Change, string[]]>([
    [
      'that is asked to replace says so',
      imported({ reason: 'requested' }),
      [`${ofWeb} replace it`, '`--replace` names it.', alone],
    ],
    [
      'says both values, and nothing of one that has no words',
      imported({
        action: 'rebuild',
        reason: 'not-configured',
        before: { image: 'debian-12' },
        after: {},
        unknown: ['image'],
        fields: ['image', 'sshKeys'].map((name) => ({ name, effect: 'rebuild' })),
      }),
      [
        `${ofWeb} rebuild it`,
        '`image` is `debian-12` in the account, and known after apply in the configuration. `sshKeys` is nothing in the account, and nothing in the configuration.',
        expect.stringContaining('as: live') as string,
      ],
    ],
  ])('%s', (_what, change, expected) => expect(refused(change)).toEqual([expected]));

  it('of a project names five of what it would destroy', () => {
    const go = (address: string) =>
      makeChange({ address, action: 'delete', id: address.slice(-3) });
    const going = [1, 2, 3, 4, 5, 6, 7].map((at) => go(`projects.shop.networks.n-${at}`));
    const project = makeChange({ address: 'projects.shop', action: 'no-op', isImported: true });
    const [told] = refused(project, ...going, go('projects.lab'));
    expect(told?.[1]).toMatch(/: network n-1, .* network n-5 and 2 more\.$/);
  });
});

import { expect, it } from 'vitest';
import type { Finding } from '../../../../src/model/diagnostic.ts';
import { foldFindings, viewFoldedPlan } from '../../../../src/render/view/fold-findings.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import { makeChange, makePlan, plain } from '../sample-plan.ts';

const source = { file: 'main.yaml', line: 9, column: 3, endLine: 9, endColumn: 4 };

const finding = (index: number, given: Partial<Finding> = {}): Finding => ({
  severity: 'error',
  code: 'policy-violated',
  summary: `Policy small: w-${index} has 4 GB`,
  detail: 'The condition `after.ram <= 2` does not hold.',
  address: `projects.shop.vms.w[${index}]`,
  source,
  ...given,
});

const many = (count: number, given: Partial<Finding> = {}) =>
  Array.from({ length: count }, (_, index) => finding(index, given));

it('says once what one place says of many, with the first of them', () =>
  expect(foldFindings(many(500))).toEqual([
    {
      ...finding(0),
      address: 'projects.shop.vms.w[0..499]',
      summary: 'Policy small: w-0 has 4 GB, and 499 more',
      detail:
        'The condition `after.ram <= 2` does not hold.\nAffected: `projects.shop.vms.w[0..499]`.',
    },
  ]));

it('names those that are no instances of one', () => {
  const addresses = ['a', 'b', 'c', 'd', 'e'].map((key) => `projects.shop.vms.${key}`);
  const [only, ...others] = foldFindings(addresses.map((address) => finding(0, { address })));
  expect(others).toEqual([]);
  expect(only).not.toHaveProperty('address');
  expect(only?.detail).toContain('Affected: `projects.shop.vms.a`, `projects.shop.vms.b`');
});

it.each<[string, readonly Finding[]]>([
  ['few', many(3)],
  ['of several places', many(5).map((one, line) => ({ ...one, source: { ...source, line } }))],
  ['of several codes', many(5).map((one, index) => ({ ...one, code: `c-${index}` }))],
  ['about lost data', many(5, { code: 'data-loss' })],
])('leaves findings alone that are %s', (_, findings) =>
  expect(foldFindings(findings)).toEqual(findings),
);

it('tells in one line what each plan says anew, with the way to the rest, and whole where all is wanted', () => {
  const waiting = {
    code: 'waits-for-rebuild',
    summary: '2 VMs keep their keys',
    severity: 'note',
  } as const;
  const findings = [{ ...waiting, detail: 'Old keys: alice.', hint: 'Set rebuild.' }];
  const address = 'projects.shop.vms.web';
  const plan = makePlan([makeChange({ action: 'no-op', address, waiting: { sshKeys: [] } })], {
    findings,
  });
  const told = `${waiting.summary} (details: --explain '${address}')`;
  expect(viewFoldedPlan(plan).findings).toEqual([{ ...waiting, summary: told }]);
  expect(viewFoldedPlan(plan, true).findings).toEqual(findings);
  expect(renderPlanText(plan, plain)).toContain(`Note: 2 VMs keep their keys (details: --explain`);
});

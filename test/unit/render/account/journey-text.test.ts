import { expect, test } from 'vitest';
import type { JourneyPurchases, JourneyReport } from '../../../../src/model/account/journey.ts';
import {
  renderContractJourneyJson,
  renderContractJourneyNeeds,
  renderContractJourneyReport,
  renderContractJourneyStep,
} from '../../../../src/render/account/journey-text.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';

const layout = { columns: 80, style: createAnsiStyle(false) };
const size = {
  id: 'c',
  name: 'small',
  cpu: 1,
  ram: 2,
  disk: 3,
  availability: null,
  maxCount: null,
};
const order: JourneyPurchases = {
  service: 'https://x/v1',
  project: 'journey',
  configuration: size,
  image: 'debian',
  tariff: { id: 't', name: 'hourly' },
  sum: 'unknown',
  isPriceAssumed: false,
  quotas: [{ name: 'networks', needed: 1, left: 2 }],
  scopes: ['full'],
};
const report: JourneyReport = {
  outcome: 'done',
  order,
  steps: [],
  operations: [
    { operation: 'stopVm', isRead: false, verdict: { kind: 'works' } },
    { operation: 'getVm', isRead: true, verdict: { kind: 'works' } },
    { operation: 'startVm', isRead: false, verdict: { kind: 'otherwise', words: 'it stays' } },
    { operation: 'listSales', isRead: true, verdict: { kind: 'not-tried', words: 'no sale' } },
  ],
  left: ['projects.journey'],
  diagnostics: [],
  elapsedMs: 61_000,
};

test.each([
  ['done', 'Journey complete after 1m1s: 2 changing operations work.'],
  ['interrupted', 'Journey interrupted after 1m1s.'],
  ['otherwise', 'Journey complete after 1m1s: 1 operation differs from the contract.'],
  ['left', 'The journey could not remove everything. Left in its state:\n  projects.journey\n'],
] as const)('the end of a journey: %s', (outcome, expected) => {
  const text = renderContractJourneyReport({ ...report, outcome }, layout);
  expect(text).toContain(expected);
  expect(text).toContain('and 1 of 2 reads');
  expect(text).toContain('Otherwise:\n  it stays:\n    startVm');
});

test('one that was declined has no end; several operations that differ are counted', () => {
  expect(renderContractJourneyReport({ ...report, outcome: 'declined' }, layout)).toBe('');
  const operations = [...report.operations, ...report.operations];
  const twice = renderContractJourneyReport(
    { ...report, outcome: 'otherwise', operations },
    layout,
  );
  expect(twice).toContain('2 operations differ');
  const clean = report.operations.slice(0, 2);
  expect(renderContractJourneyReport({ ...report, operations: clean }, layout)).not.toContain(
    'Otherwise',
  );
});

test('its order, with a price or without, and its steps', () => {
  expect(renderContractJourneyNeeds(order, layout)).toContain(
    'the service tells no price of this tariff',
  );
  const price = { amount: '5.00', currency: 'EUR', period: 'month' } as never;
  const priced = { ...order, sum: '5.00 EUR', tariff: { ...order.tariff, price } };
  expect(renderContractJourneyNeeds(priced, layout)).toContain('5.00 EUR for one month;');
  const assumed = renderContractJourneyNeeds({ ...priced, isPriceAssumed: true }, layout);
  expect(assumed).toContain('a price that the sandbox');
  const step = { title: 'Stop', operation: 'stopVm', seen: ['it stopped'], elapsedMs: 2_000 };
  const draw = (verdict: JourneyReport['operations'][number]['verdict']) =>
    renderContractJourneyStep({ ...step, verdict }, layout);
  expect(draw({ kind: 'works' })).toMatch(/^works +Stop +2s\n +it stopped\n$/);
  expect(draw({ kind: 'not-tried', words: 'none' })).toMatch(/^not tried +Stop\n +none\n/);
  const steps = [{ ...step, verdict: { kind: 'otherwise', words: 'it stays' } as const }];
  expect(renderContractJourneyJson({ ...report, steps })).toMatchObject({
    outcome: 'done',
    steps: [{ title: 'Stop', operation: 'stopVm' }],
  });
});

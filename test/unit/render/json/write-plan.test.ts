// The pieces in which a plan's JSON is written, and the object: the same plan.
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { defaultTimeouts } from '../../../../src/model/resource.ts';
import { minTextChunkLength } from '../../../../src/model/text/json-parts.ts';
import { formatPrintableJson } from '../../../../src/render/format/escape.ts';
import { renderPlanJson, generatePlanJsonText } from '../../../../src/render/json/json.ts';
import { makeChange, makeFinding, makePlan } from '../sample-plan.ts';

const meta = {
  version: '0.1.0',
  plannedAt: Date.UTC(2025, 0, 2, 3, 4, 5),
  fingerprints: { live: 'b', config: 'a' },
  variables: { region: 'north', sizes: { b: 1, a: [true, null] } },
};

const manyChanges = Array.from({ length: 1_000 }, (_, index) =>
  makeChange({
    action: 'create',
    address: `projects.shop.vms.web[${index}]`,
    after: { name: `web-${index}`, image: 'debian-12', cpu: 2 },
    unknown: ['internalIp'],
    configured: ['name', 'image'],
  }),
);

const plans: readonly (readonly [string, Plan])[] = [
  ['an empty plan', makePlan([])],
  [
    'one of everything',
    makePlan(
      [
        makeChange({ action: 'create', after: { name: 'web' }, unknown: ['internalIp'] }),
        makeChange({
          ...{ action: 'replace', address: 'projects.shop.vms.db["a.\\"b"]' },
          before: { name: 'db', userData: 'old' },
          after: { name: 'db', userData: 'new' },
          ...{ sensitive: ['userData'], losses: ['Its disk is lost.'], reason: 'requested' },
          fields: [{ name: 'userData', effect: 'replace' }],
        }),
        makeChange({ action: 'delete', address: 'projects.old', before: { name: 'old' } }),
      ],
      {
        findings: [makeFinding({ severity: 'warning', detail: 'one\ntwo' })],
        gone: ['projects.gone'],
        tasks: [
          {
            ...{ id: 'projects.shop.vms.web#apply', address: 'projects.shop.vms.web' },
            ...{ phase: 'apply', commands: [], timeouts: defaultTimeouts },
            dependsOn: [{ on: 'projects.shop#apply', reason: 'container' }],
          },
        ],
        drift: [
          {
            ...{ address: 'projects.shop', kind: 'project', project: 'projects.shop', id: 'p-1' },
            ...{ before: { name: 'shop' }, after: null, names: [], sensitive: [] },
          },
        ],
        outputs: [
          {
            ...{ name: 'url', action: 'create', before: null, after: { b: [1], a: 'x' } },
            ...{ isUnknown: false, wasSensitive: false, isSensitive: false },
          },
        ],
        checks: [{ name: 'up', status: 'fail', problems: ['down'] }],
      },
    ),
  ],
  [
    'names that nobody should print',
    makePlan([
      makeChange({
        action: 'create',
        after: { name: '\u001b[31m\u202e##[error] ::set-output \u{e0041}😀"\\' },
      }),
    ]),
  ],
  ['many changes', makePlan(manyChanges)],
];

describe('the pieces of a plan', () => {
  test.each(plans)('of %s say what the object says', (_name, plan) => {
    const text = [...generatePlanJsonText(plan, meta)].join('');
    expect(text).toBe(`${formatPrintableJson(renderPlanJson(plan, meta))}\n`);
    expect(JSON.parse(text)).toEqual(renderPlanJson(plan, meta));
  });

  test('are of a length that is worth writing, however many changes there are', () => {
    const pieces = [...generatePlanJsonText(makePlan(manyChanges), meta)];
    expect(pieces.length).toBeGreaterThan(5);
    for (const piece of pieces) expect(piece.length).toBeLessThan(minTextChunkLength + 2_000);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece.length).toBeGreaterThanOrEqual(minTextChunkLength);
    }
  });

  test('need no more of a plan than is read of them', () => {
    let drawn = 0;
    const counted = manyChanges.map((change) => ({
      ...change,
      get after() {
        drawn += 1;
        return change.after;
      },
    }));
    const pieces = generatePlanJsonText(makePlan(counted), meta);
    pieces.next();
    const before = drawn;
    pieces.next();
    expect(drawn - before).toBeLessThan(1_000);
  });
});

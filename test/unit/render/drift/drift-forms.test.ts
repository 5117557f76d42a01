import { expect, test } from 'vitest';
import type { DriftChoice } from '../../../../src/model/plan/drift-choice.ts';
import {
  renderAcceptedDriftJson,
  renderDriftJson,
} from '../../../../src/render/drift/drift-json.ts';
import {
  renderAcceptedDriftText,
  renderDriftText,
} from '../../../../src/render/drift/drift-text.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderSarif } from '../../../../src/render/json/sarif.ts';
import { renderPlanMarkdown } from '../../../../src/render/markdown/markdown.ts';
import { makePlan } from '../sample-plan.ts';

const source = { file: 'a.yaml', line: 3, column: 5, endLine: 3, endColumn: 8 };
const layout = { columns: 100, style: createAnsiStyle(false) };
const address = 'projects.shop.vms.web["a"]';
const placeless = { address, kind: 'vm', ignore: { line: 'lifecycle: {}', source } } as const;
const shared = { ...placeless, source };
const edit = { source, start: 0, end: 1, text: ' name: "b",' };
const changed: DriftChoice = {
  ...{ ...shared, what: 'changed', field: 'name', applied: 'a', live: 'b', configured: 'a' },
  ...{ isSensitive: false, effect: 'update' },
  accept: { kind: 'edits', edits: [edit, { ...edit, text: '' }] },
};
const byHand = { kind: 'by-hand', why: 'Why not.' } as const;
const rebuilt: DriftChoice = {
  ...{ ...changed, effect: 'rebuild', isSensitive: true, accept: { ...byHand, source } },
  ignore: { line: 'x' },
};
const others: readonly DriftChoice[] = [
  { ...changed, effect: 'replace', accept: { kind: 'edits', edits: [] } },
  { ...shared, what: 'deleted', accept: byHand },
  { ...placeless, what: 'created', accept: byHand, ignore: { why: 'No.' } },
];

test('as text', () => {
  expect(renderDriftText([], layout)).toMatch(/^No drift\./);
  expect(renderDriftText([changed, rebuilt, ...others], layout)).toMatchInlineSnapshot(`
    "projects.shop.vms.web["a"]: name was changed outside: "a" -> "b"
      put back  the next apply sets "a"
      accept    a.yaml:3:5: name: "b"; a.yaml:3:5: (removed)
                hostwright drift accept 'projects.shop.vms.web["a"].name'
      ignore    lifecycle: {} in the block at a.yaml:3:5

    projects.shop.vms.web["a"]: name was changed outside: (sensitive value)
      put back  the next apply sets its value and rebuilds the VM: its disk is lost
      accept    at a.yaml:3:5: Why not.
      ignore    x

    projects.shop.vms.web["a"]: name was changed outside: "a" -> "b"
      put back  the next apply sets "a" by a replacement of the VM
      accept    
                hostwright drift accept 'projects.shop.vms.web["a"].name'
      ignore    lifecycle: {} in the block at a.yaml:3:5

    projects.shop.vms.web["a"] was deleted outside
      put back  the next apply creates the VM again
      accept    by hand: Why not.
      ignore    lifecycle: {} in the block at a.yaml:3:5

    projects.shop.vms.web["a"] was made outside, in an exclusive project
      put back  the next apply destroys the VM
      accept    by hand: Why not.
      ignore    No.

    Drift: 5, of which 2 can be accepted.
    "
  `);
  expect(renderAcceptedDriftText([changed, ...others], layout)).toContain(
    `  ${address}.name  a.yaml:3:5\n`,
  );
});

test('as JSON', () => {
  expect(renderDriftJson([changed, rebuilt, ...others])).toMatchObject({
    drift: [
      { field: 'name', applied: 'a', accept: { edits: [{ text: ' name: "b",' }, {}] } },
      { sensitive: true, accept: { why: 'Why not.' }, ignore: { line: 'x', place: null } },
      { effect: 'replace', accept: { edits: [] } },
      { what: 'deleted', accept: { place: null } },
      { what: 'created', ignore: { why: 'No.' } },
    ],
  });
  expect(renderAcceptedDriftJson([changed])).toMatchObject({ accepted: [{ address }] });
});

test('as fixes of SARIF', () => {
  const results = renderSarif([], '1', { drift: [changed, rebuilt, ...others] }).runs[0]?.results;
  expect(results?.map(({ ruleId }) => ruleId)).toEqual(Array.from({ length: 5 }, () => 'drifted'));
  expect(results?.[1]?.fixes).toBeUndefined();
  expect(results?.[0]?.fixes).toEqual([
    {
      description: { text: `hostwright drift accept '${address}.name'` },
      artifactChanges: [' name: "b",', ''].map((text) => ({
        artifactLocation: { uri: 'a.yaml' },
        replacements: [
          {
            deletedRegion: { startLine: 3, startColumn: 5, endLine: 3, endColumn: 8 },
            insertedContent: { text },
          },
        ],
      })),
    },
  ]);
});

test('in a comment, folded and bounded', () => {
  const text = renderPlanMarkdown(makePlan([]), {
    drift: Array.from({ length: 25 }, () => changed),
  });
  expect(text).toContain('25 values changed outside: put back, accept or ignore</summary>');
  expect(text).toContain('# and 5 more: hostwright drift\n');
  expect(renderPlanMarkdown(makePlan([]), { drift: [rebuilt] })).toContain(
    '    accept: at a.yaml:3:5: Why not.\n',
  );
});

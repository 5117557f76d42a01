import { describeEffectCounts } from '../../../src/render/text/counts-text.ts';
import { stripVTControlCharacters } from 'node:util';
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { actions } from '../../../src/model/plan/plan.ts';
import type { Action, Change, FieldEffect } from '../../../src/model/plan/plan.ts';
import { kindNames } from '../../../src/model/kind-places.ts';
import type { Attributes, Value } from '../../../src/model/value.ts';
import { renderPlanJson } from '../../../src/render/json/json.ts';
import { measureTerminalWidth } from '../../../src/render/format/measure.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';
import { renderPlanText } from '../../../src/render/text/text.ts';
import { compareValues } from '../../../src/render/view/value-diff.ts';
import { unfoldAddress } from '../../support/unfold-address.ts';
import { makeChange, makeFinding, makePlan } from './sample-plan.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constantFrom('a', 'line\nline\nlast', '\u001b[31m', '日本語'),
);
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c d', 'é'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(
  fc.constantFrom('name', 'image', 'networks', 'power', 'userData'),
  value,
);

const change: fc.Arbitrary<Change> = fc
  .record({
    action: fc.constantFrom<Action>(...actions),
    kind: fc.constantFrom(...kindNames),
    project: fc.constantFrom('projects.a', 'projects.b'),
    index: fc.nat(20),
    before: attributes,
    after: attributes,
    effect: fc.constantFrom<FieldEffect>('update', 'rebuild', 'replace'),
    sensitive: fc.subarray(['userData', 'power']),
    losses: fc.array(text, { maxLength: 2 }),
  })
  .map(({ index, effect, ...given }) =>
    makeChange({
      ...given,
      address: `${given.project}.vms.web[${index}]`,
      before: given.action === 'create' ? null : given.before,
      after: given.action === 'delete' ? null : given.after,
      unknown: ['cidr'],
      fields: Object.keys(given.after).map((name) => ({ name, effect })),
    }),
  );
const plan = fc
  .record({
    changes: fc.uniqueArray(change, { maxLength: 15, selector: (given) => given.address }),
    detail: text,
  })
  .map(({ changes, detail }) =>
    makePlan(changes, { findings: [makeFinding({ summary: detail, detail })] }),
  );
const meta = { version: '0', plannedAt: 0, fingerprints: {} };
const unsafe = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

describe('whatever the plan', () => {
  test.prop([plan])('text and JSON count the same', (given) => {
    const json = renderPlanJson(given, meta);
    const { summary } = json.hostwright;
    const { add, change: changed, rebuild, destroy, forget, expire = 0, due = 0 } = summary;
    const rendered = renderPlanText(given, { columns: 80, style: createAnsiStyle(false) });
    if (add + changed + rebuild + destroy + expire + due + forget === 0) return;
    expect(rendered).toContain(
      `\nPlan: ${describeEffectCounts({ expire: 0, due: 0, ...summary })}.\n`,
    );
    const counted = (action: string) =>
      json.resource_changes.filter((entry) => entry.change.actions.includes(action)).length;
    expect([counted('create'), counted('update'), counted('delete')]).toEqual([
      add,
      changed + rebuild,
      destroy + expire,
    ]);
  });

  test.prop([plan])('every change that JSON has stands in the text, and no other', (given) => {
    const layout = { columns: Infinity, style: createAnsiStyle(false) };
    const rendered = renderPlanText(given, { ...layout, isVerbose: true });
    const headlines = rendered.match(/^ {2}# projects\S+(?= (will|must be))/gm) ?? [];
    const addresses = renderPlanJson(given, meta)
      .resource_changes.filter((entry) => entry.hostwright.action !== 'no-op')
      .map((entry) => `  # ${entry.address}`);
    expect([...headlines].sort()).toEqual([...addresses].sort());
    const folded = renderPlanText(given, layout).match(/^ {2}# projects.+?(?= (will|must be))/gm);
    expect((folded ?? []).flatMap(unfoldAddress).sort()).toEqual(addresses.sort());
  });

  test.prop([plan])('nothing foreign steers the terminal', (given) => {
    expect(renderPlanText(given, { columns: 80, style: createAnsiStyle(false) })).not.toMatch(
      unsafe,
    );
  });

  test.prop([plan])(
    'no line but the closing one is wider than the terminal, unless a word is',
    (given) => {
      const rendered = renderPlanText(given, { columns: 80, style: createAnsiStyle(true) });
      for (const line of rendered.split('\n')) {
        const words = line.trim().split(/(?<=^[│#]|\s)\s*/);
        const longest = Math.max(...words.map(measureTerminalWidth));
        if (longest <= 60 && !line.includes('Plan:'))
          expect(measureTerminalWidth(line)).toBeLessThanOrEqual(80);
      }
    },
  );

  test.prop([plan, fc.integer({ min: 60, max: 120 })])(
    'colour changes no word',
    (given, columns) => {
      const [bare, coloured] = [false, true].map((hasColor) =>
        renderPlanText(given, { columns, style: createAnsiStyle(hasColor) }),
      );
      expect(stripVTControlCharacters(coloured!)).toBe(bare);
    },
  );
});

test.prop([value])('a value does not differ from itself', (given) => {
  expect(compareValues(given, structuredClone(given)).mark).toBe('none');
});

test.prop([value, value])('a difference is marked exactly when there is one', (before, after) => {
  const isSame = JSON.stringify(sortKeys(before)) === JSON.stringify(sortKeys(after));
  expect(compareValues(before, after).mark === 'none').toBe(isSame);
});

function sortKeys(given: Value): unknown {
  if (Array.isArray(given)) return given.map(sortKeys);
  if (typeof given !== 'object' || given === null) return given;
  const keys = Object.keys(given).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys((given as Attributes)[key] ?? null)]));
}

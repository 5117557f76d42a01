import { describe, expect, test } from 'vitest';
import { isEffectivePlan, type OutputChange } from '../../../src/model/plan/plan.ts';
import type { RememberedOutput } from '../../../src/model/state/state.ts';
import type { Value } from '../../../src/model/value.ts';
import { renderApplySummary } from '../../../src/render/text/apply-summary.ts';
import { renderPlanJson } from '../../../src/render/json/json.ts';
import { describeOutputs } from '../../../src/render/json/outputs-json.ts';
import { renderOutputs, renderOutputValue } from '../../../src/render/text/outputs-text.ts';
import { renderStateJson } from '../../../src/render/json/state-json.ts';
import { renderStateText } from '../../../src/render/text/state-text.ts';
import { renderPlanText } from '../../../src/render/text/text.ts';
import { makeFinding, makePlan, plain } from './sample-plan.ts';

const output = (given: Partial<OutputChange> & Pick<OutputChange, 'action'>): OutputChange => ({
  ...{ name: 'o', before: null, after: null },
  ...{ isUnknown: false, wasSensitive: false, isSensitive: false, ...given },
});

const shown = (value: Value): RememberedOutput => ({ sensitive: false, value });
const outputs = new Map<string, RememberedOutput>([
  ['b', shown(['x', 1])],
  ['a', shown('two "words"')],
  ['secret', { sensitive: true }],
]);

describe('outputs of a plan', () => {
  test.each<[string, OutputChange, string]>([
    ['made', output({ action: 'create', after: 'x' }), '  + o = "x"'],
    ['made later', output({ action: 'create', isUnknown: true }), '  + o = (known after apply)'],
    ['changed', output({ action: 'update', before: 1, after: 2 }), '  ~ o = 1 -> 2'],
    [
      'changed later',
      output({ action: 'update', before: 'x', isUnknown: true }),
      '  ~ o = "x" -> (known after apply)',
    ],
    ['gone', output({ action: 'delete', before: 'x' }), '  - o = "x" -> null'],
    ['secret', output({ action: 'create', isSensitive: true }), '  + o = (sensitive value)'],
    [
      'secret no more',
      output({ action: 'update', wasSensitive: true, after: 'x' }),
      '  ~ o = (sensitive value)',
    ],
  ])('%s', (_, change, line) => {
    const plan = makePlan([], { outputs: [change] });
    const text = renderPlanText(plan, plain);
    expect(text).toContain(`Changes to Outputs:\n${line}\n\nYou can apply this plan to save`);
    expect(isEffectivePlan(plan)).toBe(true);
  });

  test('that stay are not shown, and are no change', () => {
    const plan = makePlan([], { outputs: [output({ action: 'no-op', before: 1, after: 1 })] });
    expect(renderPlanText(plan, plain)).toContain('No changes.');
    expect(isEffectivePlan(plan)).toBe(false);
  });

  test('stand above the verdict on a plan that cannot be applied', () => {
    const change = output({ action: 'create', after: 'x' });
    const text = renderPlanText(
      makePlan([], { outputs: [change], findings: [makeFinding()] }),
      plain,
    );
    expect(text).toMatch(/\+ o = "x"\n\nThis plan cannot be applied/);
  });

  test('and checks have the places in JSON that Terraform gives them', () => {
    const changes = [
      output({ name: 'known', action: 'update', before: 1, after: { b: true, a: [null] } }),
      output({ name: 'later', action: 'create', isUnknown: true }),
      output({ name: 'old', action: 'delete', before: 'x' }),
      output({ name: 'secret', action: 'no-op', wasSensitive: true, isSensitive: true }),
    ];
    const checks = [{ name: 'modules.m["a"].up', status: 'fail' as const, problems: ['down'] }];
    const json = renderPlanJson(makePlan([], { outputs: changes, checks }), {
      ...{ version: '1', plannedAt: 0, fingerprints: {} },
    });
    expect(json).toMatchObject({
      applyable: true,
      planned_values: {
        outputs: {
          known: {
            sensitive: false,
            type: ['object', { a: ['tuple', ['dynamic']], b: 'bool' }],
            value: { a: [null], b: true },
          },
          later: { sensitive: false },
          secret: { sensitive: true },
        },
      },
      prior_state: { values: { outputs: { known: { value: 1 }, old: { value: 'x' } } } },
      output_changes: {
        later: { actions: ['create'], after: null, after_unknown: true },
        secret: { before_sensitive: true, after_sensitive: true },
      },
      checks: [
        {
          address: {
            kind: 'check',
            name: 'up',
            module: 'modules.m["a"]',
            to_display: 'modules.m["a"].checks.up',
          },
          status: 'fail',
          instances: [{ status: 'fail', problems: [{ message: 'down' }] }],
        },
      ],
    });
  });
});

describe('outputs of a state', () => {
  test('by name, those that are sensitive without their value', () => {
    expect(renderOutputs(outputs)).toBe(
      'a = "two \\"words\\""\nb = [\n  "x",\n  1,\n]\nsecret = <sensitive>\n',
    );
    expect(describeOutputs(outputs)).toEqual({
      a: { sensitive: false, type: 'string', value: 'two "words"' },
      b: { sensitive: false, type: ['tuple', ['string', 'number']], value: ['x', 1] },
      secret: { sensitive: true },
    });
  });

  test('are never cut', () => {
    const long = 'x'.repeat(500);
    expect(renderOutputValue(long)).toBe(`"${long}"\n`);
  });

  test('are written as Terraform writes them', () => {
    const nested = [['a\nb\n'], { t: 'q"u', 'ö k': 1.5, a: [] }, {}, null, true];
    expect(renderOutputValue(nested)).toMatchInlineSnapshot(`
      "[
        [
          <<-EOT
          a
          b
          EOT,
        ],
        {
          "a" = []
          "t" = "q\\"u"
          "ö k" = 1.5
        },
        {},
        null,
        true,
      ]
      "
    `);
    expect(renderOutputValue('a\nb\n')).toBe('<<EOT\na\nb\n\nEOT\n');
    expect(renderOutputValue('a\n\u001bb')).toBe('<<EOT\na\n\\u001bb\nEOT\n');
  });

  test('stand behind its resources, and alone', () => {
    const state = {
      ...{ lineage: 'l', serial: 1, service: null, resources: new Map(), pending: new Map() },
      outputs,
    };
    expect(renderStateText(state, plain)).toMatch(/^Outputs:\n\na = /);
    expect(renderStateJson(state)).toMatchObject({
      values: { outputs: { secret: { sensitive: true } }, root_module: { resources: [] } },
    });
  });

  test('stand below an apply that is complete, and below no other', () => {
    const layout = { ...plain, mode: 'apply' } as const;
    const whole = { changes: [], isInterrupted: false, outputs };
    expect(renderApplySummary(whole, layout)).toMatch(
      /destroyed\.\n\nOutputs:\n\na = .*secret = <sensitive>\n$/s,
    );
    const failed = { ...whole, findings: [makeFinding({ code: 'check-failed' })] };
    expect(renderApplySummary(failed, layout)).toMatch(/^╷\n│ Error: [^]*destroyed\.\n$/);
    expect(renderApplySummary({ ...whole, isInterrupted: true }, layout)).not.toContain('Outputs:');
    expect(renderApplySummary({ ...whole, outputs: new Map() }, layout)).not.toContain('Outputs:');
  });
});

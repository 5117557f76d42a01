import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { countEffects } from '../../../src/model/effects.ts';
import { isEffectivePlan, type Change } from '../../../src/model/plan/plan.ts';
import { renderPlanJson } from '../../../src/render/json/json.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';
import {
  drawActionSymbol,
  findShownAction,
  type ShownAction,
} from '../../../src/render/view/symbols.ts';
import { renderPlanText } from '../../../src/render/text/text.ts';
import { makeChange, makePlan, plain } from './sample-plan.ts';

const web = { name: 'web', power: 'running' };
const old = 'projects.shop.vms.old';
const kept = { before: web, after: web };
const updated = {
  action: 'update',
  before: web,
  after: { ...web, name: 'www' },
  fields: [{ name: 'name', effect: 'update' }],
} as const;
const replaced = {
  action: 'replace',
  before: { name: 'web', tariff: 'a' },
  after: { name: 'web', tariff: 'b' },
  unknown: ['id'],
  fields: [{ name: 'tariff', effect: 'replace' }],
} as const;
const imported = makeChange({ ...kept, action: 'no-op', isImported: true });
const moved = makeChange({ ...kept, action: 'no-op', movedFrom: old });
const forgotten = makeChange({ action: 'forget', before: web });
const first = makeChange({ ...replaced, isCreatedFirst: true });

const render = (...changes: readonly Change[]) => renderPlanText(makePlan(changes), plain);
function draw(change: Change): string {
  const text = render(change);
  return text.slice(text.indexOf('  # '), text.indexOf('\n\n', text.indexOf('  # ')));
}

it.each<[string, Change, ShownAction, symbol: string]>([
  ['nothing', makeChange({ ...kept, action: 'no-op' }), 'no-op', '   '],
  ['an import', imported, 'import', ' <='],
  ['an import that moves: an import', { ...imported, movedFrom: old }, 'import', ' <='],
  [
    'an import that changes: its change',
    makeChange({ ...updated, isImported: true }),
    'update',
    '  ~',
  ],
  ['a move', moved, 'move', '   '],
  ['a move that changes: its change', makeChange({ ...updated, movedFrom: old }), 'update', '  ~'],
  ['what is forgotten', forgotten, 'forget', '  .'],
  ['a replacement', makeChange(replaced), 'replace', '-/+'],
  ['a replacement that is created first', first, 'create-first', '+/-'],
  ['a rebuild', makeChange({ ...kept, action: 'rebuild' }), 'rebuild', ' !~'],
])('how a change is shown: %s', (_what, change, action, symbol) => {
  expect(findShownAction(change)).toBe(action);
  expect(drawActionSymbol(action, plain.style)).toBe(symbol);
  expect(stripVTControlCharacters(drawActionSymbol(action, createAnsiStyle(true)))).toBe(symbol);
});

test('a sensitive value that was changed outside is not told', () => {
  const change = makeChange({ ...updated, sensitive: ['name'], drift: { name: 'secret' } });
  expect(draw(change)).not.toContain('secret');
});

it.each<[string, Change, string, string | undefined]>([
  [
    '--replace',
    makeChange({ ...replaced, fields: [], reason: 'requested' }),
    '(as requested by --replace)',
    'replace_by_request',
  ],
  [
    'replaceTriggeredBy',
    makeChange({ ...replaced, fields: [], reason: 'triggered' }),
    '(because of a resource that replaceTriggeredBy names)',
    'replace_by_triggers',
  ],
  [
    'an exclusive project',
    makeChange({ action: 'delete', before: web, reason: 'not-exclusive' }),
    '(nobody configured it, and its project is exclusive)',
    undefined,
  ],
])('the reason of: %s', (_what, change, words, reason) => {
  expect(draw(change).split('\n')[1]).toBe(`  # ${words}`);
  expect(renderPlanJson(makePlan([change]), meta).resource_changes[0]?.action_reason).toBe(reason);
});

it.each<[string, readonly Change[], legend: string[], closing: string]>([
  [
    'an import',
    [imported],
    [' <= import'],
    'Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.',
  ],
  [
    'an import that is changed',
    [makeChange({ ...updated, isImported: true })],
    ['  ~ update in-place'],
    'Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.',
  ],
  ['a move', [moved], [], 'Plan: 0 to add, 0 to change, 0 to destroy.'],
  [
    'what is forgotten',
    [forgotten],
    ['  . forget'],
    'Plan: 0 to add, 0 to change, 0 to destroy, 1 to forget.',
  ],
  [
    'a replacement that is created first',
    [first],
    ['+/- create replacement and then destroy'],
    'Plan: 1 to add, 0 to change, 1 to destroy.',
  ],
])('the legend and the closing line: %s', (_what, changes, legend, closing) => {
  const lines = render(...changes).split('\n');
  const from = lines.findIndex((line) => line.endsWith('following symbols:')) + 1;
  expect(lines.slice(from, lines.indexOf('', from))).toEqual(legend);
  expect(lines).toContain(closing);
});

const meta = { version: '0.1.0', plannedAt: 0, fingerprints: {} };

describe('the JSON of', () => {
  const jsonOf = (change: Change) => {
    const json = renderPlanJson(makePlan([change]), meta);
    const [first_] = json.resource_changes;
    return { ...json, entry: first_! };
  };

  it.each<[string, Change, actions: string[], extra: object, applyable: boolean]>([
    ['nothing', makeChange({ ...kept, action: 'no-op' }), ['no-op'], {}, false],
    ['an import', imported, ['no-op'], { importing: { id: 'vm-1' } }, true],
    [
      'an import that is changed',
      makeChange({ ...updated, isImported: true }),
      ['update'],
      { importing: { id: 'vm-1' } },
      true,
    ],
    ['a move', moved, ['no-op'], { previous_address: old }, true],
    ['what is forgotten', forgotten, ['forget'], {}, true],
    [
      'a replacement',
      makeChange(replaced),
      ['delete', 'create'],
      { replace_paths: [['tariff']] },
      true,
    ],
    [
      'a replacement that is created first',
      first,
      ['create', 'delete'],
      { replace_paths: [['tariff']] },
      true,
    ],
  ])('%s', (_what, change, actions, extra, applyable) => {
    const { entry, applyable: isApplyable } = jsonOf(change);
    const { importing, replace_paths } = entry.change;
    const { previous_address } = entry;
    expect(entry.change.actions).toEqual(actions);
    const found = { importing, replace_paths, previous_address };
    expect(
      Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
    ).toEqual(extra);
    expect(isApplyable).toBe(applyable);
    expect(isEffectivePlan({ changes: [change] })).toBe(applyable);
  });

  it('counts imports', () => {
    const changed = makeChange({ ...updated, isImported: true });
    const { hostwright } = renderPlanJson(makePlan([imported, changed]), meta);
    const { expire, due, ...counts } = countEffects([['import'], ['import', 'change']]);
    expect([expire, due, hostwright.summary]).toEqual([0, 0, counts]);
  });

  it('has no planned values of what is forgotten, and does not declare it', () => {
    const index = { action: 'delete', before: web, reason: 'not-configured' } as const;
    const gone = makeChange({ ...index, address: 'projects.shop.vms.web[1]' });
    const left = { ...forgotten, address: 'projects.shop.vms.web[0]' };
    const json = renderPlanJson(makePlan([left, gone]), meta);
    expect(json.planned_values).toEqual({ root_module: { resources: [] } });
    expect(json.resource_changes[1]?.action_reason).toBe('delete_because_no_resource_config');
  });

  it('sorts fingerprints and variables', () => {
    const given = {
      ...meta,
      fingerprints: { b: '2', a: '1', c: '3' },
      variables: { z: 1, a: 2, m: 3 },
    };
    const json = renderPlanJson(makePlan([]), given);
    expect(Object.keys(json.hostwright.fingerprints)).toEqual(['a', 'b', 'c']);
    expect(Object.keys(json.variables as object)).toEqual(['a', 'm', 'z']);
  });
});

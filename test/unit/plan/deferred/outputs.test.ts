import { describe, expect, it } from 'vitest';
import { ProjectedScope } from '../../../../src/expressions/deferred/projected-scope.ts';
import type { DeferredValue, OutputEntry } from '../../../../src/model/deferred.ts';
import type { PlanMode } from '../../../../src/model/plan/plan.ts';
import type { RememberedOutput } from '../../../../src/model/state/state.ts';
import type { ProjectedResource } from '../../../../src/model/state/projected-state.ts';
import type { Value } from '../../../../src/model/value.ts';
import {
  planOutputChanges,
  resolveOutputs,
  type OutputsInput,
} from '../../../../src/plan/deferred/outputs.ts';

const source = { file: 'main.yaml', line: 3, column: 5, endLine: 3, endColumn: 6 };

const standing: readonly ProjectedResource[] = [
  {
    address: 'projects.p.vms.web',
    names: ['id', 'name', 'ram'],
    values: { name: 'hush', ram: 4 },
    unknown: ['id'],
    sensitive: ['name'],
  },
  {
    address: 'projects.p.vms.later',
    names: ['id', 'name'],
    values: {},
    unknown: ['id', 'name'],
    sensitive: [],
    isMissing: true,
  },
];

const expression = (text: string): DeferredValue => ({
  kind: 'expression',
  text,
  isTemplate: false,
  source,
  references: [],
  names: [],
  prefix: '',
});

function entry(value: string | { value: Value }, sensitive = false): OutputEntry {
  const deferred =
    typeof value === 'string' ? expression(value) : ({ kind: 'value', ...value } as const);
  return { name: 'o', value: deferred, sensitive, source };
}

const input = (
  wanted: OutputEntry | undefined,
  was: RememberedOutput | undefined,
  given: { mode?: PlanMode; isWhole?: boolean } = {},
): OutputsInput => ({
  mode: 'apply',
  isWhole: true,
  entries: wanted ? [wanted] : [],
  before: new Map(was ? [['o', was]] : []),
  scope: new ProjectedScope(
    () => standing,
    [
      { address: 'projects.p.vms.none', reads: 'list' as const },
      { address: 'projects.p.vms.nobody', reads: 'map' as const },
    ],
  ),
  ...given,
});

const shown = (value: Value): RememberedOutput => ({ sensitive: false, value });
const hidden: RememberedOutput = { sensitive: true };
const ram = 'projects.p.vms.web.ram';
const id = 'projects.p.vms.web.id';
const later = 'projects.p.vms.later.id';
const none = 'projects.p.vms.none';
const nobody = 'projects.p.vms.nobody.map(k, k)';
const part = { mode: 'destroy', isWhole: false } as const;

type Case = [
  name: string,
  given: OutputsInput,
  change: string | undefined,
  settled: RememberedOutput | undefined,
];

const cases: Case[] = [
  ['is new', input(entry(ram), undefined), 'create null 4', shown(4)],
  ['stays', input(entry(ram), shown(4)), 'no-op 4 4', shown(4)],
  ['becomes another', input(entry(ram), shown('x')), 'update "x" 4', shown(4)],
  ['has left the configuration', input(undefined, shown(4)), 'delete 4 null', undefined],
  ['is known after apply', input(entry(id), undefined), 'create null later', undefined],
  ['was known, and is later', input(entry(id), shown('a')), 'update "a" later', shown('a')],
  ['needs what is left out', input(entry(later), undefined), undefined, undefined],
  ['needs what is left out, and had a value', input(entry(later), shown(1)), 'no-op 1 1', shown(1)],
  ['is null: there is none', input(entry({ value: null }), undefined), undefined, undefined],
  ['has become null', input(entry({ value: null }), shown(1)), 'delete 1 null', undefined],
  ['is sensitive', input(entry(ram, true), undefined), 'create null null', hidden],
  ['is sensitive, and was', input(entry(id, true), hidden), 'no-op null null', hidden],
  ['is sensitive from now on', input(entry(id, true), shown(1)), 'update 1 later', hidden],
  ['is sensitive no more', input(entry(ram), hidden), 'update null 4', shown(4)],
  ['was sensitive, and goes', input(undefined, hidden), 'delete null null', undefined],
  ['counts repeated no times', input(entry(`size(${none})`), undefined), 'create null 0', shown(0)],
  ['lists repeated no times', input(entry(nobody), undefined), 'create null []', shown([])],
  ['goes with all', input(entry(ram), shown(4), { mode: 'destroy' }), 'delete 4 null', undefined],
  ['stays when a part goes', input(entry(ram), shown(5), part), 'no-op 5 5', shown(5)],
];

describe('an output that', () => {
  it.each(cases)('%s', (_, given, change, settled) => {
    const { outputs, findings } = planOutputChanges(given);
    expect(findings).toEqual([]);
    const lines = outputs.map(
      ({ action, before, after, isUnknown }) =>
        `${action} ${JSON.stringify(before)} ${isUnknown ? 'later' : JSON.stringify(after)}`,
    );
    expect(lines).toEqual(change === undefined ? [] : [change]);
    const { recorded, shown: told, findings: unresolved } = resolveOutputs(given);
    expect([...recorded.values()]).toEqual(settled ? [settled] : []);
    expect([told, unresolved]).toEqual([recorded, []]);
  });

  const secret = 'jsonDecode(projects.p.vms.web.name)';
  const broken = { ...expression('local.a'), names: [[['local', 'a'], expression('nope')]] };
  it.each<[string, OutputEntry, code: string, said: string]>([
    [
      'reads a sensitive attribute and does not say so',
      entry('projects.p.vms.web.name'),
      'sensitive-output',
      'Add `sensitive: true` to it.',
    ],
    [
      'reads what is not there',
      entry('projects.p.vms.web.nam'),
      'output-failed',
      '`projects.p.vms.web` has no `nam`. Did you mean `name`?',
    ],
    [
      'fails on a secret',
      entry(secret, true),
      'output-failed',
      'Its expression fails on a sensitive value, which is not shown.',
    ],
    [
      'reads a local with a fault',
      { ...entry(ram), value: broken as DeferredValue },
      'output-failed',
      '',
    ],
  ])('%s', (_, wanted, code, said) => {
    for (const was of [undefined, shown(1)]) {
      const { outputs, findings } = planOutputChanges(input(wanted, was));
      expect(findings).toMatchObject([{ severity: 'error', source, code }]);
      const [{ detail = '', hint = '' } = {}] = findings;
      expect(`${detail} ${hint}`).toContain(said);
      expect(JSON.stringify(findings)).not.toContain('hush');
      expect(outputs.map(({ action }) => action)).toEqual(was ? ['no-op'] : []);
      // The same after an apply: what is recorded stays, and is not told as the value.
      const after = resolveOutputs(input(wanted, was));
      expect(after.findings).toEqual(findings);
      expect([after.recorded.size, after.shown.size]).toEqual([was ? 1 : 0, 0]);
    }
  });

  it('reads what may be shown is shown, though one before it has read a secret', () => {
    const given = input(entry('projects.p.vms.web.name', true), undefined);
    const entries = [...given.entries, { ...entry('projects.p.vms.web.ram'), name: 'p' }];
    expect(planOutputChanges({ ...given, entries }).findings).toEqual([]);
  });

  it('was shown and is sensitive now is not kept, though it cannot be told', () =>
    expect([...resolveOutputs(input(entry(later, true), shown('x'))).recorded]).toEqual([
      ['o', hidden],
    ]));
});

import { describe, expect, it } from 'vitest';
import { countEffects, type ChangeEffect } from '../../../../src/model/effects.ts';
import { drawProjects } from '../../../../src/render/text/plan-tables.ts';
import type { ProjectEffectCounts } from '../../../../src/render/view/project-counts.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';

const project = (address: string): ProjectEffectCounts => ({
  ...countEffects([['add']]),
  project: address,
  costs: [],
  kinds: [{ kind: 'vm', count: 1 }],
});

/** The names in the summary of some projects. */
function namesOf(addresses: readonly string[], columns = 80): string[] {
  const out: string[] = [];
  drawProjects(out, addresses.map(project), { columns, style: createAnsiStyle(false) });
  const rows = out.slice(2).filter((line) => /^ {2}\S/.test(line));
  return rows.slice(0, addresses.length).map((line) => line.trim().split(' ')[0] ?? '');
}

describe('the names in the summary', () => {
  it('stand whole where there is room', () =>
    expect(namesOf(['projects.shop', 'projects.tools'])).toEqual([
      'projects.shop',
      'projects.tools',
    ]));

  it('keep what tells two instances of a module apart when they are cut', () => {
    const long = 'modules.shopOfTheNorthernCountriesAndOfAllOfTheirIslands';
    const names = namesOf([
      `${long}["eu"].projects.production`,
      `${long}["us"].projects.production`,
      'modules.solo.projects.p',
    ]);
    expect(names).toEqual([
      expect.stringMatching(/^modules.*….*\["eu"\]\.projects/),
      expect.stringMatching(/^modules.*….*\["us"\]\.projects/),
      'modules.solo.projects.p',
    ]);
  });

  it('keep what only one of them has', () => {
    const names = namesOf([
      'modules.aRatherLongNameOfAModule.projects.shopOfTheNorth',
      'modules.aRatherLongNameOfAModuleToo.projects.shopOfTheNorth',
    ]);
    expect(new Set(names).size).toBe(2);
  });
});

it('what a plan imports, rebuilds and forgets has columns of its own', () => {
  const out: string[] = [];
  const of = (address: string, ...effects: readonly ChangeEffect[]) => ({
    ...project(address),
    ...countEffects([effects]),
  });
  const rows = [of('projects.a', 'rebuild', 'disksLost'), of('projects.b', 'import', 'forget')];
  drawProjects(out, rows, { columns: 80, style: createAnsiStyle(false) });
  expect(out).toEqual([
    'Summary:',
    '               import   rebuild   forget',
    '  projects.a        0         1        0   1 VM',
    '  projects.b        1         0        1   1 VM',
    '  total             1         1        1   2 VMs',
    '',
  ]);
});

it('even a single change has its summary, and a plan without changes has none', () => {
  const draw = (rows: readonly ProjectEffectCounts[]) => {
    const out: string[] = [];
    drawProjects(out, rows, { columns: 80, style: createAnsiStyle(false) });
    return out;
  };
  expect(draw([project('projects.shop')])).toEqual([
    'Summary:',
    '                  add',
    '  projects.shop     1   1 VM',
    '',
  ]);
  expect(draw([])).toEqual([]);
});

describe('the kinds in the summary', () => {
  const effects: ChangeEffect[] = ['add', 'change', 'rebuild', 'destroy', 'import', 'forget'];
  const draw = (columns: number) => {
    const out: string[] = [];
    const kinds = [
      { kind: 'vm' as const, count: 8 },
      { kind: 'portForward' as const, count: 3 },
    ];
    const row = {
      ...project('projects.production'),
      ...countEffects([effects]),
      kinds,
    };
    drawProjects(out, [row], { columns, style: createAnsiStyle(false) });
    return out;
  };

  it('stand below the numbers where there is no room beside them', () =>
    expect(draw(80)).toEqual([
      'Summary:',
      '                        import   add   change   rebuild   destroy   forget',
      '  projects.production        1     1        1         1         1        1',
      '    8 VMs, 3 port forwards',
      '',
    ]));

  it('stand beside them where there is', () =>
    expect(draw(120)[2]).toMatch(/ 1 {3}8 VMs, 3 port forwards$/));

  it('keep to 40 columns, and the name stays whole', () =>
    expect(draw(40)).toEqual([
      'Summary:',
      '  projects.production  import 1  add 1\n    change 1  rebuild 1  destroy 1\n    forget 1',
      '    8 VMs, 3 port forwards',
      '',
    ]));
});

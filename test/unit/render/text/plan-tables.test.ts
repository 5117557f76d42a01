import { describe, expect, it } from 'vitest';
import { countEffects, type Effect } from '../../../../src/model/plan/effects.ts';
import { drawProjects } from '../../../../src/render/text/plan-tables.ts';
import type { ProjectCounts } from '../../../../src/render/view/project-counts.ts';
import { createStyle } from '../../../../src/render/format/style.ts';

const project = (address: string): ProjectCounts => ({
  ...countEffects([['add']]),
  ...{ project: address, total: 1 },
  costs: [],
  kinds: [{ kind: 'vm', count: 1 }],
});

/** The names in the summary of some projects. */
function namesOf(addresses: readonly string[], columns = 80): string[] {
  const out: string[] = [];
  drawProjects(out, addresses.map(project), { columns, style: createStyle(false) });
  return out.slice(2, 2 + addresses.length).map((line) => line.trim().split(' ')[0] ?? '');
}

describe('the names in the summary', () => {
  it('stand whole where there is room', () => {
    expect(namesOf(['projects.shop', 'projects.tools'])).toEqual([
      'projects.shop',
      'projects.tools',
    ]);
  });

  it('keep what tells two instances of a module apart when they are cut', () => {
    const names = namesOf([
      'modules.shopEu["eu"].projects.p',
      'modules.shopEu["us"].projects.p',
      'modules.solo.projects.p',
    ]);
    expect(names).toEqual([
      'modul…Eu["eu"].projects.p',
      'modul…Eu["us"].projects.p',
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
  const of = (address: string, ...effects: readonly Effect[]) => ({
    ...project(address),
    ...countEffects([effects]),
  });
  const rows = [of('projects.a', 'rebuild', 'disksLost'), of('projects.b', 'import', 'forget')];
  drawProjects(out, rows, { columns: 80, style: createStyle(false) });
  expect(out).toEqual([
    'Summary:',
    '               import   add   change   rebuild   destroy   forget',
    '  projects.a        0     0        0         1         0        0   1 VM',
    '  projects.b        1     0        0         0         0        1   1 VM',
    '  total             1     0        0         1         0        1   2 VMs',
    '',
  ]);
});

import { describe, expect, it } from 'vitest';
import { drawProjects } from '../../../src/render/plan-tables.ts';
import type { ProjectCounts } from '../../../src/render/project-counts.ts';
import { createStyle } from '../../../src/render/style.ts';

const project = (address: string): ProjectCounts => ({
  ...{ project: address, total: 1, import: 0, add: 1, change: 0, destroy: 0 },
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

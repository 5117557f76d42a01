import { expect, it } from 'vitest';
import { markAllSensitive, markSensitive } from '../../../../src/plan/decide/mark-sensitive.ts';
import { buildVm } from '../../state/build-records.ts';

const web = buildVm('web');
const marked = buildVm('web', { sensitive: ['name'] });

it('says what the configuration calls sensitive', () => {
  expect(markSensitive(web, { sensitive: ['name'] })).toEqual(marked);
  expect(markSensitive(marked, { sensitive: ['image'] }).sensitive).toEqual(['image']);
});

it('says nothing where it calls nothing sensitive', () => {
  expect(markSensitive(marked, { sensitive: [] })).toEqual(web);
  expect(markSensitive(marked, {})).toEqual(web);
});

it('leaves what has left the configuration as it was', () => {
  expect(markSensitive(marked, undefined)).toBe(marked);
  const state = { resources: new Map([[marked.address, marked]]) };
  expect(markAllSensitive(state, new Map()).resources.get(marked.address)).toBe(marked);
});

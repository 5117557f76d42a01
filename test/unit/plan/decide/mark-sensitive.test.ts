import { expect, it } from 'vitest';
import {
  markSensitiveInState,
  markSensitiveAttributes,
} from '../../../../src/plan/decide/mark-sensitive.ts';
import { buildVm } from '../../state/build-records.ts';

const web = buildVm('web');
const marked = buildVm('web', { sensitive: ['name'] });

it('says what the configuration calls sensitive', () => {
  expect(markSensitiveAttributes(web, { sensitive: ['name'] })).toEqual(marked);
  expect(markSensitiveAttributes(marked, { sensitive: ['image'] }).sensitive).toEqual(['image']);
});

it('says nothing where it calls nothing sensitive', () => {
  expect(markSensitiveAttributes(marked, { sensitive: [] })).toEqual(web);
  expect(markSensitiveAttributes(marked, {})).toEqual(web);
});

it('leaves what has left the configuration as it was', () => {
  expect(markSensitiveAttributes(marked, undefined)).toBe(marked);
  const state = { resources: new Map([[marked.address, marked]]) };
  expect(markSensitiveInState(state, new Map()).resources.get(marked.address)).toBe(marked);
});

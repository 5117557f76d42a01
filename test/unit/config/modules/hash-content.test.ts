import { expect, it } from 'vitest';
import {
  hashModuleEntries,
  type ModuleContentEntry,
} from '../../../../src/config/modules/hash-content.ts';

const entry = (
  path: string,
  text: string,
  type: ModuleContentEntry['type'] = 'file',
): ModuleContentEntry => {
  return { path, type, bytes: Buffer.from(text) };
};
const hash = hashModuleEntries([entry('a.yaml', 'one'), entry('b.yaml', 'two')]);

it('is the same in whatever order files are found', () =>
  expect(hashModuleEntries([entry('b.yaml', 'two'), entry('a.yaml', 'one')])).toBe(hash));

it.each([
  ['content of the same length', entry('b.yaml', 'owt')],
  ['name', entry('c.yaml', 'two')],
  ['kind', entry('b.yaml', 'two', 'link')],
])('is another one for another %s', (_what, other) => {
  expect(hashModuleEntries([entry('a.yaml', 'one'), other])).not.toBe(hash);
});

import { expect, it } from 'vitest';
import { hashEntries, type ContentEntry } from '../../../../src/config/modules/hash-content.ts';

const entry = (path: string, text: string, type: ContentEntry['type'] = 'file'): ContentEntry => {
  return { path, type, bytes: Buffer.from(text) };
};
const hash = hashEntries([entry('a.yaml', 'one'), entry('b.yaml', 'two')]);

it('is the same in whatever order files are found', () =>
  expect(hashEntries([entry('b.yaml', 'two'), entry('a.yaml', 'one')])).toBe(hash));

it.each([
  ['content of the same length', entry('b.yaml', 'owt')],
  ['name', entry('c.yaml', 'two')],
  ['kind', entry('b.yaml', 'two', 'link')],
])('is another one for another %s', (_what, other) => {
  expect(hashEntries([entry('a.yaml', 'one'), other])).not.toBe(hash);
});

import { expect, it } from 'vitest';
import { listExcess } from '../../../../src/server/runs/compare-changes.ts';

const approved = [
  { address: 'a', action: 'create' },
  { address: 'b', action: 'update' },
  { address: 'c', action: 'delete' },
  { address: 'e', action: 'replace' },
];

it.each([
  ['the same', approved, 0],
  ['nothing any more', [], 0],
  ['less', [{ address: 'b', action: 'update' }], 0],
  ['the rest of a create', [{ address: 'a', action: 'update' }], 0],
  ['the new one of a replacement', [{ address: 'e', action: 'create' }], 0],
  ['the old one of a replacement', [{ address: 'e', action: 'delete' }], 0],
  ['an update in place of a delete', [{ address: 'c', action: 'update' }], 1],
  ['another resource', [{ address: 'd', action: 'update' }], 1],
  ['another action', [{ address: 'a', action: 'delete' }], 1],
  ['a replacement in place of an update', [{ address: 'b', action: 'replace' }], 1],
])('a plan that goes on with an approved one may do %s: %o', (_what, planned, count) => {
  expect(listExcess(approved, planned)).toHaveLength(count);
});

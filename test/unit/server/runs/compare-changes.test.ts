import { expect, it } from 'vitest';
import {
  configuredSecretsPartName,
  type ApprovedPart,
} from '../../../../src/model/plan/approval.ts';
import { listExcessChanges } from '../../../../src/server/runs/compare-changes.ts';

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
  const none = { approved: undefined };
  expect(
    listExcessChanges({ changes: approved, ...none }, { changes: planned, ...none }),
  ).toHaveLength(count);
});

it.each<[string, string, ApprovedPart<string>, string[]]>([
  ['what is at stake', 'delete', { kind: 'stake', name: 'c', content: 'x' }, ['c: not as']],
  ['what is left of a change', 'update', { kind: 'stake', name: 'a', content: 'x' }, []],
  [
    'sensitive values',
    'delete',
    { kind: 'secrets', name: configuredSecretsPartName, content: 'x' },
    ['sensitive values: not as'],
  ],
  ['spelling', 'delete', { kind: 'contract', name: '', content: 'x' }, ['contract file: not as']],
  ['sensitive values that were applied', 'delete', { kind: 'secrets', name: '', content: 'x' }, []],
  ['an output that is known by now', 'delete', { kind: 'output', name: 'o', content: 'x' }, []],
])('it may not go on with other %s, if it is bound by them', (_what, action, part, lines) => {
  const address = part.kind === 'stake' ? part.name : 'c';
  const found = listExcessChanges(
    { changes: approved, approved: [{ ...part, content: 'y' }] },
    { changes: [{ address, action }], approved: [part] },
  );
  expect(found).toEqual(lines.map((line) => `${line} in the approved plan`));
});

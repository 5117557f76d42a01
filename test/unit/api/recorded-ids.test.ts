import { describe, expect, it } from 'vitest';
import { OperationRecordResourceIds } from '../../../src/api/client.ts';

const of = (resourceId: string | null, type = 'Provision') => ({ resourceId, type });

describe('the resources that operation records name', () => {
  it.each([
    ['are those of a list', [of('b'), of('a')], ['a', 'b']],
    ['are without what the asker knows by its newest record', [of('a', 'Delete'), of('a')], []],
    ['have what was deleted and came back', [of('a'), of('a', 'Delete')], ['a']],
    ['have what an unpublished type is about', [of('a', 'DropV2')], ['a']],
    ['are none where a record does not say', [of(null)], []],
  ])('%s', (_what, operations, expected) => {
    const ids = new OperationRecordResourceIds();
    ids.note(operations);
    expect(ids.findUnknown((_id, type) => type === 'Delete')).toEqual(expected);
  });

  it('are those that the asker does not know, and never again those that it knew', () => {
    const ids = new OperationRecordResourceIds();
    ids.note([of('b'), of('a')]);
    expect(ids.findUnknown((id) => id === 'a')).toEqual(['b']);
    expect(ids.findUnknown(() => false)).toEqual(['b']);
  });
});

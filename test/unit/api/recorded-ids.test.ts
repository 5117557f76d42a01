import { describe, expect, it } from 'vitest';
import { noteRecorded } from '../../../src/api/recorded-ids.ts';

const of = (resourceId: unknown, type = 'Provision') => ({ resourceId, type });

describe('the resources that operation records name', () => {
  it.each<[string, unknown, string[]]>([
    ['are those of a page', { items: [of('b'), of('a')] }, ['a', 'b']],
    ['are those of a bare list', [of('a')], ['a']],
    ['are without what was deleted', { items: [of('a', 'DeleteNetwork'), of('a')] }, []],
    ['have what was deleted and came back', { items: [of('a'), of('a', 'Delete')] }, ['a']],
    ['are none where a record does not say', { items: [of(null), {}, 7, null] }, []],
    ['are none of what is no list', 'a page', []],
  ])('%s', (_what, body, expected) => {
    const ids = new Set<string>();
    noteRecorded(ids, body);
    expect([...ids]).toEqual(expected);
  });
});

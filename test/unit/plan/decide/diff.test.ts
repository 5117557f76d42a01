import { parse } from 'yaml';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { kindRegistry } from '../../../../src/kinds/registry.ts';
import type { FieldChange, FieldEffect } from '../../../../src/model/plan/plan.ts';
import { kindNames } from '../../../../src/model/kind-places.ts';
import type { Attributes, Value } from '../../../../src/model/value.ts';
import { diffAttributes, findStrongestEffect } from '../../../../src/plan/decide/diff.ts';
import { readList, readRows } from '../../../support/read-rows.ts';

const kind = {
  fields: {
    name: { effect: 'update' },
    image: { effect: 'rebuild' },
    size: { effect: 'replace' },
    networks: { effect: 'update', isSet: true, fallback: [] },
    publicIp: { effect: 'replace', fallback: null },
    steps: { effect: 'update' },
  },
} as const;

it.each(
  readRows(`
  none where all is equal | { name: a, size: 1 } | { name: a, size: 1 } |  |
  a text | { name: a } | { name: b } |  | name update
  not a field that is untold | {} | { name: b } |  |
  not one that is untold and has left the configuration | {} | {} | networks |
  several, in the order of the kind | { size: 1, image: h } | { size: 2, image: i } |  | image rebuild, size replace
  not what nobody configures | { name: a, size: 1 } | {} |  |
  not what the kind has no field for | { cpu: 1 } | { cpu: 2 } |  |
  not null where nothing is live | {} | { publicIp: } |  |
  not nothing where null is live | { publicIp: } | { publicIp: } |  |
  a value where null is live | { publicIp: } | { publicIp: edge } |  | publicIp replace
  not a set in another order | { networks: [a, b] } | { networks: [b, a] } |  |
  a set with one more | { networks: [a] } | { networks: [b, a] } |  | networks update
  a set with one less | { networks: [a, b] } | { networks: [b] } |  | networks update
  a set where none is live | { networks: [] } | { networks: [a] } |  | networks update
  a list in another order | { steps: [a, b] } | { steps: [b, a] } |  | steps update
  a set that has left the configuration | { networks: [a] } | {} | networks | networks update
  not a set that was never configured | { networks: [a] } | {} |  |
  not a set that has left and is empty | { networks: [] } | {} | networks |
  a value that has left the configuration | { publicIp: edge } | {} | publicIp | publicIp replace
  not a field without a fallback that has left | { name: a } | {} | name |
`),
)('the fields that differ: %s', (_what, live, configured, before, expected) => {
  const sides = [parse(live) as Attributes, parse(configured) as Attributes] as const;
  const { fields } = diffAttributes(kind, ...sides, readList(before));
  expect(fields.map(({ name, effect }) => `${name} ${effect}`).join(', ')).toBe(expected);
});

describe('both sides of a difference', () => {
  it.each(
    readRows(`
    keep what nobody configures | { name: a, cpu: 1 } | { name: b } |  | { name: a, cpu: 1 } | { name: b, cpu: 1 }
    have a set in the wanted order | { networks: [x, b, a] } | { networks: [a, b, c] } |  | { networks: [a, b, x] } | { networks: [a, b, c] }
    have a list as it is | { steps: [x, b] } | { steps: [b, c] } |  | { steps: [x, b] } | { steps: [b, c] }
    have what a field falls back to | { networks: [a], publicIp: edge } | {} | networks, publicIp | { networks: [a], publicIp: edge } | { networks: [], publicIp: }
  `),
  )('%s', (_what, live, configured, left, before, after) => {
    const sides = [parse(live) as Attributes, parse(configured) as Attributes] as const;
    const expected = { before: parse(before) as object, after: parse(after) as object };
    expect(diffAttributes(kind, ...sides, readList(left))).toMatchObject(expected);
  });

  it('do not touch what they were made from', () => {
    const live = Object.freeze({ networks: Object.freeze(['b', 'a']), name: 'a' });
    expect(() => diffAttributes(kind, live, { networks: ['a', 'b'] }, [])).not.toThrow();
    expect(live.networks).toEqual(['b', 'a']);
  });
});

it.each<[FieldEffect[], FieldEffect | undefined]>([
  [[], undefined],
  [['update'], 'update'],
  [['update', 'rebuild'], 'rebuild'],
  [['rebuild', 'update'], 'rebuild'],
  [['update', 'replace', 'rebuild'], 'replace'],
  [['replace', 'replace'], 'replace'],
])('strongestEffect of %j is %s', (effects, strongest) => {
  const fields = effects.map((effect): FieldChange => ({ name: effect, effect }));
  expect(findStrongestEffect(fields)).toBe(strongest);
});

describe('diff(x, x)', () => {
  const text = fc.constantFrom('', 'a', 'b', 'c');
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.constant(null),
    text,
    fc.nat(3),
    fc.uniqueArray(text),
  );
  const everyField = [
    ...new Set(kindNames.flatMap((name) => Object.keys(kindRegistry[name].fields))),
  ];
  const attributes = fc.dictionary(fc.constantFrom(...everyField, 'id', 'cpu'), value);
  const names = fc.subarray(everyField);

  test.prop([fc.constantFrom(...kindNames), attributes])('is empty', (name, x) => {
    expect(diffAttributes(kindRegistry[name], x, x, Object.keys(x)).fields).toEqual([]);
  });

  test.prop([fc.constantFrom(...kindNames), attributes, attributes, names])(
    'is empty once the difference is made',
    (name, live, configured, configuredBefore) => {
      const { after } = diffAttributes(kindRegistry[name], live, configured, configuredBefore);
      const again = diffAttributes(kindRegistry[name], after, configured, configuredBefore);
      expect(again.fields).toEqual([]);
      expect(again.after).toEqual(after);
    },
  );
});

import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { compareVersionedNames } from '../../../../src/plan/data/select-data.ts';

describe('the natural order of names', () => {
  test.each([
    ['ubuntu-9.10', 'ubuntu-22.04'],
    ['9.9', '9.10'],
    ['ubuntu-24.04', 'ubuntu-24.04.1'],
    ['debian-12', 'ubuntu-1'],
    ['Debian-11', 'debian-12'],
    ['v1', 'v02'],
    ['v99999999999999999998', 'v99999999999999999999'],
    ['', 'a'],
    ['a-', 'a-1'],
  ])('%j comes before %j', (before, after) => {
    expect(compareVersionedNames(before, after)).toBeLessThan(0);
    expect(compareVersionedNames(after, before)).toBeGreaterThan(0);
  });

  test('is the same for one number written twice', () =>
    expect(compareVersionedNames('v01', 'V1')).toBe(0));

  const name = fc
    .array(fc.constantFrom('a', 'b', '-', '.', '0', '1', '10', '09'))
    .map((parts) => parts.join(''));

  property.prop([name, name, name])('is an order', (a, b, c) => {
    expect(Math.sign(compareVersionedNames(a, b)) + Math.sign(compareVersionedNames(b, a))).toBe(0);
    if (compareVersionedNames(a, b) <= 0 && compareVersionedNames(b, c) <= 0) {
      expect(compareVersionedNames(a, c)).toBeLessThanOrEqual(0);
    }
  });
});

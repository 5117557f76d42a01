import { expect, test } from 'vitest';
import {
  describeVmSizes,
  listNearestSizes,
  parseSizeFromName,
} from '../../../src/model/nearest-sizes.ts';
import type { CatalogConfiguration } from '../../../src/model/account/live.ts';

const size = (
  [cpu, ram, disk]: readonly [number, number, number],
  given: Partial<CatalogConfiguration> = {},
): CatalogConfiguration => ({
  ...{ id: `${cpu}`, name: `s${cpu}-${ram}-${disk}`, cpu, ram, disk },
  ...{ availability: 'available', maxCount: null },
  ...given,
});
const offered = [
  size([32, 64, 500]),
  size([2, 8, 40]),
  size([4, 8, 80], { availability: 'unavailable' }),
  size([6, 12, 90], { maxCount: 0 }),
  size([1, 1, 10], { availability: null }),
  size([8, 16, 80], { maxCount: 2 }),
  size([0, 0, 0]),
];

test('the nearest sizes are those that differ least, of those that are not used up', () => {
  const near = listNearestSizes(offered, { cpu: 4, ram: 8, disk: 80 });
  expect(near.map(({ name }) => name)).toEqual(['s2-8-40', 's8-16-80', 's1-1-10']);
  expect(describeVmSizes(near.slice(0, 1))).toBe('s2-8-40 (2 cores, 8 GB RAM, 40 GB disk)');
});

test.each([
  ['s3-5-70', offered.slice(0, -1), { cpu: 3, ram: 5, disk: 70 }],
  ['s3-5', offered.slice(0, -1), undefined],
  ['s3-0-70', offered.slice(0, -1), undefined],
  ['s3-5-70', [...offered.slice(0, -1), size([5, 5, 5], { name: 'large' })], undefined],
  ['s3-5-70', [size([5, 5, 5], { name: 's5-5-6' })], undefined],
])('the name %s tells a size where all others do: %#', (name, others, expected) => {
  expect(parseSizeFromName(name, others)).toEqual(expected);
});

import type { CatalogConfiguration } from './account/live.ts';
import { escapeLineEnds } from './text/unsafe-text.ts';

/** The most sizes that a message suggests. */
const mostNamed = 3;

type Size = Pick<CatalogConfiguration, 'cpu' | 'ram' | 'disk'>;

/** Describes sizes of VMs for a message, with their CPU, RAM and disk. */
export function describeVmSizes(sizes: readonly CatalogConfiguration[]): string {
  return sizes
    .map(({ name, cpu, ram, disk }) => {
      const cores = cpu === 1 ? '1 core' : `${cpu} cores`;
      return `${escapeLineEnds(name)} (${cores}, ${ram} GB RAM, ${disk} GB disk)`;
    })
    .join(', ');
}

/** Offered sizes that are not used up, those that differ least from a wanted one first; a few. */
export function listNearestSizes(
  offered: readonly CatalogConfiguration[],
  wanted: Size,
): readonly CatalogConfiguration[] {
  return offered
    .filter(({ availability, maxCount }) => availability !== 'unavailable' && maxCount !== 0)
    .map((size) => ({ size, distance: distanceOf(size, wanted) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostNamed)
    .map(({ size }) => size);
}

/** Difference of two sizes by factors: twice the cores is as far as twice the disk. */
function distanceOf(one: Size, other: Size): number {
  const members = ['cpu', 'ram', 'disk'] as const;
  return members.reduce(
    (sum, name) => sum + Math.abs(Math.log1p(one[name]) - Math.log1p(other[name])),
    0,
  );
}

/** A withdrawn size by the numbers of its name; undefined unless the names of all others have theirs: `c2-r4-d40`. */
export function parseSizeFromName(
  name: string,
  offered: readonly CatalogConfiguration[],
): Size | undefined {
  const isTold = offered.every((one) => {
    const size = readNumbers(one.name);
    return size?.cpu === one.cpu && size.ram === one.ram && size.disk === one.disk;
  });
  return isTold ? readNumbers(name) : undefined;
}

function readNumbers(name: string): Size | undefined {
  const numbers = name.match(/\d+/g)?.map(Number) ?? [];
  const [cpu = 0, ram = 0, disk = 0] = numbers;
  return numbers.length === 3 && cpu * ram * disk > 0 ? { cpu, ram, disk } : undefined;
}

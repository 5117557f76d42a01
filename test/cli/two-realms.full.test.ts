import { expect, test } from 'vitest';
import { drawCourses, findHindrance, runCourses } from './two-realms.ts';

const hindrance = findHindrance();
if (hindrance !== undefined)
  console.log(`Skipped, since namespaces are not permitted: ${hindrance}`);

test.skipIf(hindrance !== undefined)(
  'a run is stopped at any of 20 moments, another takes over, the first comes back: never two writers, nothing twice',
  { timeout: 900_000 },
  async () => {
    const { faults, met } = await runCourses([...drawCourses(10, 1), ...drawCourses(10, 4)], 10);
    expect(faults).toEqual([]);
    expect(met).toBeGreaterThan(10);
  },
);

import { expect, test } from 'vitest';
import { drawCourses, findHindrance, runCourses } from './two-realms.ts';

const hindrance = findHindrance();
if (hindrance !== undefined)
  console.log(`Skipped, since namespaces are not permitted: ${hindrance}`);

test.skipIf(hindrance !== undefined)(
  'a run is stopped at any of 50 moments, another takes over, the first comes back: never two writers, nothing twice',
  { timeout: 3_600_000 },
  async () => {
    const { faults, met } = await runCourses([...drawCourses(25, 1), ...drawCourses(25, 4)], 10);
    expect(faults).toEqual([]);
    expect(met).toBeGreaterThan(25);
  },
);

import { test } from 'vitest';
import { drawCourses, findHindrance, runAtOnce, runCourses } from './two-realms.ts';

const hindrance = findHindrance();
if (hindrance !== undefined)
  console.log(`Skipped, since namespaces are not permitted: ${hindrance}`);

// `two-realms.full.test.ts` draws ten times as many, some with several changes under way at a time.
test
  .skipIf(hindrance !== undefined)
  .concurrent(
    'a run is stopped at any moment, another takes over, the first comes back: never two writers, nothing twice',
    { timeout: 600_000 },
    async ({ expect }) => {
      const { faults } = await runCourses(drawCourses(5, 1), 5);
      expect(faults).toEqual([]);
    },
  );

test
  .skipIf(hindrance !== undefined)
  .concurrent(
    'of two runs that start at one moment one waits for the other',
    { timeout: 300_000 },
    async ({ expect }) => {
      expect(await runAtOnce()).toEqual([]);
    },
  );

import { describe, expect, test } from 'vitest';
import { EventReporter } from '../../../../src/cli/output/event-reporter.ts';
import { TerminalReporter } from '../../../../src/cli/output/terminal-reporter.ts';
import { writeTextInPieces } from '../../../../src/cli/output/write-pieces.ts';
import type { DisplayedPlan } from '../../../../src/commands/session/shown-plan.ts';
import { minTextChunkLength } from '../../../../src/model/text/json-parts.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';
import { makeChange, makePlan } from '../../render/sample-plan.ts';

/** A reader that takes the next piece when it is told to. */
function openSlowReader() {
  const taken: string[] = [];
  let answer: ((isThere: boolean) => void) | undefined;
  return {
    taken,
    sink: {
      ...silentRuntime.stdout,
      write: (text: string) => void taken.push(text),
      ready: () =>
        new Promise<boolean>((resolve) => {
          answer = resolve;
        }),
    },
    /** It is ready for more, or it goes away. */
    async answer(isThere: boolean) {
      answer?.(isThere);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('pieces', () => {
  function* count(made: number[]) {
    try {
      for (const one of [1, 2, 3]) {
        made.push(one);
        yield String(one);
      }
    } finally {
      made.push(0);
    }
  }

  test('wait for a slow reader: none is made before there is room for it', async () => {
    const reader = openSlowReader();
    const made: number[] = [];
    let isDone = false;
    const written = writeTextInPieces(reader.sink, count(made)).then(() => {
      isDone = true;
    });
    expect(made).toEqual([1]);
    await reader.answer(true);
    expect(made).toEqual([1, 2]);
    await reader.answer(true);
    expect(isDone).toBe(false);
    await reader.answer(true);
    await written;
    expect(reader.taken.join('')).toBe('123');
    expect(made).toEqual([1, 2, 3, 0]);
  });

  test('end where nobody reads any more', async () => {
    const reader = openSlowReader();
    const made: number[] = [];
    const written = writeTextInPieces(reader.sink, count(made));
    await reader.answer(false);
    await written;
    expect(reader.taken).toEqual(['1']);
    expect(made).toEqual([1, 0]);
  });
});

describe('a long plan', () => {
  const changes = Array.from({ length: 2_000 }, (_, index) =>
    makeChange({ action: 'create', address: `projects.shop.vms.web[${index}]`, after: {} }),
  );
  const shown: DisplayedPlan = {
    ...{ plan: makePlan(changes), plannedAt: 0, variables: {} },
    fingerprints: () => ({}),
    dependencies: () => ({ nodes: [], edges: [] }),
  };
  const options = { isColorRefused: true, isCompact: false, isVerbose: false };

  test.each(['json', 'events'])('goes to a slow reader bit by bit: %s', async (form) => {
    const reader = openSlowReader();
    const runtime = { ...silentRuntime, stdout: reader.sink };
    const reporter =
      form === 'json'
        ? new TerminalReporter(runtime, { ...options, format: 'json' })
        : new EventReporter(runtime.clock, reader.sink);
    const before = reader.taken.length;
    const written = reporter.showPlan(shown);
    for (let pieces = 1; reader.taken.length === before + pieces; pieces += 1) {
      expect(reader.taken.at(-1)!.length).toBeLessThan(minTextChunkLength + 2_000);
      await reader.answer(true);
    }
    await written;
    expect(reader.taken.length).toBeGreaterThan(3);
    expect(reader.taken.at(-1)).toMatch(/\}\n$/);
  });
});

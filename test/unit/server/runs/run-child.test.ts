import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChildProgram } from '../../../../src/server/runs/run-child.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-child-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program until it has said a word, and then asks it to end. @returns its priority on the processor */
async function seePriority(isLow: boolean): Promise<number> {
  const file = join(folder, 'program.mjs');
  await writeFile(file, 'console.log("here"); setInterval(() => {}, 1000);');
  const start = openChildProgram({ file, maxMemoryMb: 64, maxMs: 60_000 });
  let priority = Number.NaN;
  let pid = 0;
  const child = start({
    ...{ args: [], cwd: folder, env: {}, isLow },
    onLine: () => {
      priority = getPriority(pid);
      child.kill();
    },
    serve: () => Promise.resolve(),
    onStart: (started) => {
      pid = started;
      return Promise.resolve(true);
    },
  });
  expect(await child.ended).toBeUndefined();
  return priority;
}

describe('the process of a run', () => {
  it('lets others go first on the processor where nobody waits for it', async () => {
    expect(await seePriority(false)).toBe(getPriority());
    expect(await seePriority(true)).toBe(constants.priority.PRIORITY_LOW);
  });

  it('is ended once it takes longer than it may, with the limit in its log', async () => {
    const file = join(folder, 'endless.mjs');
    await writeFile(file, 'setInterval(() => {}, 1000);');
    const lines: string[] = [];
    const child = openChildProgram({ file, maxMemoryMb: 64, maxMs: 5 })({
      ...{ args: [], cwd: folder, env: {} },
      onLine: (_stream, text) => lines.push(text),
      serve: () => Promise.resolve(),
      onStart: () => Promise.resolve(true),
    });
    expect(await child.ended).toBeUndefined();
    expect(lines).toEqual([
      'The run took longer than 0s, the limit of --run-timeout, and is ended.',
    ]);
  });
});

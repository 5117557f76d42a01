// The lock between real processes: who wins, and what is left when one ends in any way.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileSources, type CompiledSources } from './compile-sources.ts';

let directory: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-lock-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(directory, { recursive: true });
});

const childPath = fileURLToPath(new URL('./lock-child.ts', import.meta.url));
let sources: CompiledSources;
beforeAll(async () => {
  sources = await compileSources(childPath);
});
afterAll(() => sources.remove());

const isLocked = () =>
  access(join(directory, '.hostwright', 'lock.json')).then(
    () => true,
    () => false,
  );

/** Starts a child and waits until it is loaded; `go` lets it take the lock and answers with what it says. */
async function startChild(ending = 'stay') {
  const child = spawn(process.execPath, [sources.pathOf(childPath), directory, ending], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.push(child);
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const read = async () => String((await lines.next()).value);
  expect(await read()).toBe('ready');
  const go = () => {
    child.stdin.write('go\n');
    return read();
  };
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { go, read, end, ended };
}

describe('a lock between processes', () => {
  test('is taken over from a killed one by exactly one of many', { timeout: 60_000 }, async () => {
    const contenders = await Promise.all(Array.from({ length: 16 }, () => startChild()));
    const [first, ...rest] = contenders;
    let holder = first;
    expect(await holder!.go()).toBe('won');
    for (let round = 0; round < 3; round += 1) {
      await holder!.end('SIGKILL');
      const group = rest.splice(0, 5);
      const outcomes = await Promise.all(group.map((child) => child.go()));
      expect(outcomes.filter((outcome) => outcome === 'won lock-taken-over')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'lost state-locked')).toHaveLength(4);
      expect(await readdir(join(directory, '.hostwright'))).toEqual(['lock.json']);
      holder = group[outcomes.indexOf('won lock-taken-over')];
    }
  });

  test.each([
    ['an exit by itself keeps its code', 'exit', undefined, [3, null]],
    ['an exception keeps its code', 'throw', undefined, [1, null]],
    ['a handler of the program goes on', 'drain', 'SIGTERM', [130, null]],
  ] as const)('is released: %s', async (_name, ending, signal, expected) => {
    const child = await startChild(ending);
    expect(await child.go()).toBe('won');
    const outcome = await (signal ? child.end(signal) : child.ended);
    expect(outcome).toEqual(expected);
    expect(await isLocked()).toBe(false);
  });
});

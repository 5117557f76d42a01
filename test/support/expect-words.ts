// What tests expect of what a run of the program said.
import { expect } from 'vitest';

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** All the words stand in the text. */
export function expectWords(text: string, ...words: readonly string[]): void {
  for (const word of words) expect(text).toContain(word);
}

/** The run failed, and standard error has all the words. */
export function expectFailure(
  { code, stderr }: Omit<Said, 'stdout'>,
  ...words: readonly string[]
): void {
  expect(code).toBe(1);
  expectWords(stderr, ...words);
}

/** The run succeeded, and standard output has all the words. */
export function expectOutput(
  { code, stdout }: Omit<Said, 'stderr'>,
  ...words: readonly string[]
): void {
  expect(code).toBe(0);
  expectWords(stdout, ...words);
}

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import canonicalize from 'canonicalize';
import { expect } from 'vitest';
import type { SavedPlan } from '../../src/state/plan-file.ts';

/** Puts another plan in the place of a saved one, with a checksum that fits: anybody can make it. */
export async function forgePlan(path: string, change: (saved: SavedPlan) => object): Promise<void> {
  const { checksum, ...saved } = JSON.parse(await readFile(path, 'utf8')) as SavedPlan & {
    readonly checksum: string;
  };
  const forged = { ...saved, ...change(saved) };
  const text = canonicalize(forged) ?? '';
  const fitting = createHash('sha256').update(text).digest('hex');
  expect(fitting).not.toBe(checksum);
  await writeFile(path, JSON.stringify({ checksum: fitting, ...forged }));
}

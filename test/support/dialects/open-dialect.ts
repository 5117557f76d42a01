// The dialects that are data, and those that are drawn: by name, so that a run of the tests can be told which.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBinding } from '../../../src/config/contract/read-binding.ts';
import type { Binding } from '../../../src/model/account/binding.ts';
import { createSeededRandom } from '../../../src/sandbox/clock/seeded-random.ts';
import { drawDialect } from './random-dialect.ts';

const folder = join(import.meta.dirname, '../../scenario/dialects');

/** The contract file of a dialect that is data. */
export const dialectPath = (name: string): string => join(folder, `${name}.contract.yaml`);

/** The dialect of a name: a file of `test/scenario/dialects/`, or `seed-N`. */
export async function openDialect(name: string): Promise<Binding> {
  const seed = /^seed-(\d+)$/.exec(name)?.[1];
  if (seed !== undefined) {
    const random = createSeededRandom(Number(seed));
    return drawDialect(random, random()).binding;
  }
  const path = dialectPath(name);
  const { binding, diagnostics } = readBinding(await readFile(path, 'utf8'), path);
  if (!binding) throw new Error(diagnostics.map(({ summary }) => summary).join('\n'));
  return binding;
}

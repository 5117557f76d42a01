// What the golden cases are compared with: the files that stand in a case's folder, and the hashes of those that don't.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { goldenFiles, type DrawnPlan, type GoldenFile } from './golden-case.ts';

/** The folder of the golden cases. */
export const goldenFolder = resolve(import.meta.dirname, '../golden');

/** The golden cases by name, in order. */
export const goldenCases: readonly string[] = readdirSync(goldenFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/**
 * A person reads one of these in every case: the whole text, or a line a resource where the layout is not the point, with a
 * line a finding where its words are in other cases.
 */
const readable: readonly GoldenFile[] = ['plan.txt', 'plan.oneline.txt', 'plan.lines.txt'];
const hashesPath = join(goldenFolder, 'hashes.txt');

/** The hashes of `hashes.txt`: by case, then by file. */
type Hashes = Map<string, Map<string, string>>;

/** `over-quota plan.md=0123456789ab …`, a line a case. */
export function readHashes(): Hashes {
  const lines = readFileSync(hashesPath, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [name = '', ...entries] = line.split(' ');
      return [name, new Map(entries.map((entry) => entry.split('=') as [string, string]))];
    }),
  );
}

/** Writes the hashes of the cases that there are. */
export function writeHashes(hashes: Hashes): void {
  const lines = goldenCases.flatMap((name) => {
    const entries = [...(hashes.get(name) ?? [])].map(([file, hash]) => `${file}=${hash}`);
    return entries.length === 0 ? [] : `${[name, ...entries].join(' ')}\n`;
  });
  writeFileSync(hashesPath, lines.join(''));
}

/** Renews what a case is compared with: the files that stand in its folder, and the hashes of the others. */
export function updateGolden(name: string, drawn: DrawnPlan, hashes: Hashes): void {
  const missing = goldenFiles.filter((file) => !isStored(name, file));
  for (const file of goldenFiles) {
    if (!missing.includes(file)) writeFileSync(join(goldenFolder, name, file), drawn[file]);
  }
  hashes.set(name, new Map(missing.map((file) => [file, hashText(drawn[file])])));
}

/** Writes a case in every format into a folder of its name. */
export function drawGolden(folder: string, name: string, drawn: DrawnPlan): void {
  mkdirSync(join(folder, name), { recursive: true });
  for (const file of goldenFiles) writeFileSync(join(folder, name, file), drawn[file]);
}

/** The plan of a case as its folder has it for a person to read. */
export function readStored(name: string): string {
  const file = readable.find((one) => isStored(name, one));
  if (!file)
    throw new Error(`${name} has none of ${readable.join(', ')}: add one, empty, and update`);
  return readFileSync(join(goldenFolder, name, file), 'utf8');
}

/** Expects a format of a case to be as it was. */
export function expectGolden(
  name: string,
  file: GoldenFile,
  drawn: DrawnPlan,
  hashes: Hashes,
): void {
  const hash = hashes.get(name)?.get(file);
  const path = join(goldenFolder, name, file);
  if (!isStored(name, file)) expect(hashText(drawn[file]), explainHash(name, file)).toBe(hash);
  else {
    expect(hash, `${file} of ${name} stands in its folder: it has no place in hashes.txt`).toBe(
      undefined,
    );
    expect(drawn[file]).toBe(readFileSync(path, 'utf8'));
  }
}

const isStored = (name: string, file: GoldenFile): boolean =>
  existsSync(join(goldenFolder, name, file));

const hashText = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

const explainHash = (
  name: string,
  file: GoldenFile,
): string => `${file} of ${name} has not the hash that test/golden/hashes.txt has of it.
To read it, draw it with
  DRAW_GOLDEN=coverage/drawn npx vitest run test/golden -t '^${name} '
here and in a worktree of the commit before, and compare the two: CONTRIBUTING.md, "Add a format".
If it is as it should be, renew the hash with UPDATE_GOLDEN=1 in the place of DRAW_GOLDEN.
`;

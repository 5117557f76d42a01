import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * One small change that a real mistake could be, and the tests that are to notice it. A list has them by their file, and leaves
 * out `with` where the text is removed, and `tests` where they are those that stand alone before the first of the file, or else
 * that of the same name in test/unit.
 * @typedef {object} Mutant
 * @property {string} breaks what a user would see, in one sentence of its own
 * @property {string} file from the root of the repository
 * @property {number} line of its first change
 * @property {string} replace text that stands once in the file
 * @property {string} with what it is replaced with
 * @property {readonly string[]} tests files or folders, the quickest first
 */

/**
 * All lists of this folder.
 * @param {string} root of the repository
 * @returns {readonly Mutant[]}
 * @throws {Error} that names every entry which no longer fits the source
 */
export function listMutants(root) {
  const lists = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));
  const mutants = lists.flatMap((name) =>
    Object.entries(parse(readFileSync(join(import.meta.dirname, name), 'utf8'))).flatMap(readFile),
  );
  const faults = [];
  const located = mutants.map((mutant) => {
    const path = join(root, mutant.file);
    const parts = existsSync(path) ? readFileSync(path, 'utf8').split(mutant.replace) : [];
    if (parts.length !== 2) {
      const count = Math.max(parts.length - 1, 0);
      faults.push(`${mutant.breaks}: the text stands ${count} times in ${mutant.file}`);
    }
    for (const test of mutant.tests)
      if (!existsSync(join(root, test))) faults.push(`${mutant.breaks}: there is no ${test}`);
    return { ...mutant, line: (parts[0] ?? '').split('\n').length };
  });
  const sentences = mutants.map(({ breaks }) => breaks);
  for (const twice of sentences.filter((one, index) => sentences.indexOf(one) !== index))
    faults.push(`${twice}: stands twice`);
  if (faults.length > 0)
    throw new Error(`The lists of mutants do not fit the source.\n${faults.join('\n')}`);
  return located;
}

function readFile([file, [first, ...others]]) {
  const unit = file.replace(/^src\//, 'test/unit/').replace(/\.ts$/, '.test.ts');
  const { tests = [unit] } = 'breaks' in first ? {} : first;
  const entries = 'breaks' in first ? [first, ...others] : others;
  return entries.map((entry) => ({ with: '', tests, ...entry, file }));
}

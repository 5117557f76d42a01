// Measures what the tests notice: `npm run mutants` breaks the program in each place of the lists beside this file, one at a
// time, in a copy of the working tree, and says which test failed. A mutant runs the tests that it names, up to the first
// failure; the whole short suite runs for one that they let pass.
//   npm run mutants                     all of them, and sums up in results.md
//   npm run mutants -- --changed [REV]  those whose source, tests or entry changed since REV: the branch's upstream, or a day
//                                       before the newest commit where nothing is ahead of it
//   npm run mutants -- --only TEXT      those with TEXT in their file or sentence
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { listMutants } from './list-mutants.mjs';

const root = resolve(import.meta.dirname, '../..');
/** A run of the named tests takes seconds; one that a mutant keeps from ending is ended. */
const endlessMs = { named: 300_000, whole: 1_500_000 };
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

function chooseMutants({ changed, only }, [revision]) {
  const chosen = listMutants(root).filter(({ file, breaks }) => `${file} ${breaks}`.includes(only));
  if (!changed) return chosen;
  const base = revision ?? findBase();
  const untracked = git('ls-files', '--others', '--exclude-standard');
  const paths = `${git('diff', '--name-only', base)}\n${untracked}`.split('\n').filter(Boolean);
  const lists = git('diff', '-U0', base, '--', 'test/mutants/*.yaml');
  console.log(`${paths.length} files changed since ${git('log', '-1', '--format=%h %s', base)}`);
  const isTouched = (one) => paths.some((path) => path === one || path.startsWith(`${one}/`));
  return chosen.filter(
    ({ file, tests, breaks }) =>
      isTouched(file) || tests.some(isTouched) || lists.includes(`+  - breaks: ${breaks}`),
  );
}

function findBase() {
  try {
    const base = git('merge-base', 'HEAD', '@{upstream}');
    if (base !== git('rev-parse', 'HEAD')) return base;
  } catch {
    // The branch has no upstream.
  }
  const dayBefore = Number(git('log', '-1', '--format=%ct')) - 24 * 3_600;
  const older = git('rev-list', '-1', `--before=${dayBefore}`, 'HEAD');
  return older || git('rev-list', '--max-parents=0', 'HEAD');
}

/** The working tree as it is, in a directory where it can be broken. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'hostwright-mutants-'));
  // Some tests run the program as another user.
  chmodSync(copy, 0o755);
  // What a run that was ended is still writing is removed as well.
  process.once('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 20 }));
  const paths = git('ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate');
  const deleted = new Set(git('ls-files', '--deleted').split('\n'));
  // Whether the lists fit the source is asked of the source as it is.
  deleted.add('test/unit/mutants.test.ts');
  for (const path of paths.split('\n'))
    if (!deleted.has(path)) cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Runs a program; resolves with its exit code, or undefined where it had to be ended. */
function run(cwd, words, timeoutMs, env = process.env) {
  const child = spawn(process.execPath, words, { cwd, env, stdio: 'ignore', detached: true });
  const stop = () => process.kill(-child.pid, 'SIGKILL');
  // Before the copy that the run writes in is removed.
  process.prependOnceListener('exit', stop);
  const timer = setTimeout(stop, timeoutMs);
  return new Promise((done) =>
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('exit', stop);
      done(code ?? undefined);
    }),
  );
}

/** The first test that fails, `''` where none does. */
async function findFailure(copy, tests, timeoutMs) {
  const report = join(copy, 'node-report.json');
  rmSync(report, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
  const flags = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`];
  // The short tier draws from variants: which mutants it notices depends on the commit.
  const env = { ...process.env, HOSTWRIGHT_TEST_TIER: 'ci' };
  const code = await run(copy, [...vitest, ...flags, ...tests], timeoutMs, env);
  if (code === undefined) return 'no end';
  if (code === 0) return '';
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return `${name.slice(copy.length + 1)}: ${failed.fullName.trim()}`;
  }
  const unloaded = testResults.find(({ status }) => status === 'failed');
  return unloaded
    ? `${unloaded.name.slice(copy.length + 1)}: (a hook, or the file itself)`
    : 'an error outside of tests';
}

/** Breaks one place, and says who noticed. */
async function tryMutant(copy, { file, replace, with: broken, tests }) {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    whole.replace(replace, () => broken),
  );
  try {
    const noticed = await findFailure(copy, tests, endlessMs.named);
    if (noticed !== '') return noticed;
    await run(copy, ['node_modules/tsdown/dist/run.mjs', '--log-level', 'silent'], endlessMs.named);
    const late = await findFailure(copy, [], endlessMs.whole);
    return late === '' ? '' : `only the whole suite: ${late}`;
  } finally {
    writeFileSync(path, whole);
  }
}

/** Of each folder of the source, how many mutants the tests of each folder noticed. */
function sumUp() {
  const rooms = new Map();
  for (const mutant of mutants) {
    const room = mutant.file.split('/').slice(0, 2).join('/');
    const noticed = noticedBy.get(mutant) || '**nothing**';
    const folder = /test\/[^/:]+/.exec(noticed)?.[0] ?? noticed;
    const counts = rooms.get(room) ?? new Map();
    rooms.set(room, counts.set(folder, (counts.get(folder) ?? 0) + 1));
  }
  const rows = [...rooms].sort().map(([room, counts]) => {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const list = [...counts].sort().map(([folder, count]) => `${count} ${folder}`);
    return `| ${room} | ${all} | ${list.join(', ')} |\n`;
  });
  return `| in | mutants | noticed by |\n| --- | --- | --- |\n${rows.join('')}`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const mutants = chooseMutants(values, positionals);
const copies = [copyTree(), copyTree()];
const named = [...new Set(mutants.flatMap(({ tests }) => tests))];
const broken = named.length === 0 ? '' : await findFailure(copies[0], named, endlessMs.whole);
if (broken !== '') {
  console.log(`A test fails with nothing broken: ${broken}`);
  process.exit(1);
}

const begun = Date.now();
const noticedBy = new Map();
const waiting = [...mutants];
await Promise.all(
  copies.map(async (copy) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const noticed = await tryMutant(copy, next);
      noticedBy.set(next, noticed);
      const verdict = noticed === '' ? 'SURVIVED' : `caught by ${noticed}`;
      const where = `${next.file}:${next.line}`;
      console.log(`${noticedBy.size}/${mutants.length} ${next.breaks} (${where})\n    ${verdict}`);
    }
  }),
);
const survivors = mutants.filter((mutant) => noticedBy.get(mutant) === '');
const tally = `${mutants.length - survivors.length} of ${mutants.length} mutants caught`;
console.log(`\n${tally} in ${Math.round((Date.now() - begun) / 1_000)} s`);
for (const { breaks, file, line } of survivors) console.log(`${file}:${line}: ${breaks}`);
if (mutants.length === listMutants(root).length)
  writeFileSync(join(import.meta.dirname, 'results.md'), `# Mutants\n\n${tally}.\n\n${sumUp()}`);
process.exit(survivors.length === 0 ? 0 : 1);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  countFiles,
  listArrowsUp,
  listCircles,
  listNamesakes,
  listSpellers,
  mostExceptions,
  mostFiles,
  spellingExceptions,
} from '../support/measure-house.ts';
import { readModule, readModules, type SourceModule } from '../support/source-files.ts';

/** Lint's table, from its own file: a plain script, so its shape is said here. */
const lintConfig = new URL('../../eslint.config.mjs', import.meta.url).href;
const { layers, pureLayers } = (await import(lintConfig)) as {
  layers: Readonly<Record<string, readonly string[]>>;
  pureLayers: readonly string[];
};

/** A copy of the table, so that nobody opens a way without saying so twice. Expressions have a room of their own, pure like the
 * rooms that evaluate them. */
const design: Readonly<Record<string, readonly string[]>> = {
  cli: ['commands', 'render', 'model', 'server'],
  // What it takes of `modules` is how a commit of a stranger's repository is fetched and written.
  server: ['commands', 'render', 'state', 'model', 'modules'],
  commands: [
    ...['config', 'live', 'model', 'kinds', 'plan', 'checks', 'render', 'api', 'state'],
    ...['modules', 'execute', 'engine', 'sandbox', 'expressions', 'binding'],
  ],
  config: ['model', 'kinds', 'expressions', 'api/contract'],
  expressions: ['model'],
  live: ['model', 'kinds', 'api'],
  model: [],
  kinds: ['model', 'api/contract'],
  plan: ['model', 'kinds', 'expressions'],
  checks: ['model', 'kinds', 'expressions'],
  // What it takes of `kinds` is their words.
  render: ['model', 'kinds'],
  api: ['model'],
  state: ['model'],
  modules: ['model', 'config/modules', 'state/backends'],
  execute: ['model', 'kinds', 'expressions', 'plan/deferred', 'plan/values', 'api', 'state'],
  // It neither reads a configuration nor shows anything: whoever calls it does.
  engine: ['model', 'kinds', 'expressions', 'plan', 'checks', 'live', 'api', 'state', 'execute'],
  sandbox: ['model', 'api/contract'],
  binding: ['model', 'api/contract'],
};
const designedPure = ['model', 'expressions', 'kinds', 'plan', 'checks', 'render', 'binding'];

/** Files that may be longer than 400 lines, each with its reason. */
const longFiles: Readonly<Record<string, string>> = {
  'api/contract/schema.ts': 'generated from schemas/openapi.yaml',
  'api/contract/shapes.ts': 'generated from schemas/openapi.yaml',
  'server/contract.ts': 'generated from schemas/server.yaml',
};

/** What may stand at the top of the repository beside files of configuration. */
const topFolders = ['docs', 'examples', 'man', 'schemas', 'src', 'templates', 'test'];
/** What tools make and git ignores. */
const madeFolders = ['gallery', 'coverage', 'dist', 'node_modules'];

const impureGlobals =
  /^(?:Date\.now|Math\.random|performance|crypto|console|process|fetch|random(?:UUID|Bytes|Int)|set(?:Timeout|Interval|Immediate))\b/;

const modules = readModules('src');

/** `plan` for `plan/diff.ts`; undefined for a file directly in src. */
const layerOf = (path: string): string | undefined =>
  path.includes('/') ? path.split('/')[0] : undefined;

/** Imports that the table does not allow, as sentences. */
function listTrespasses(all: readonly SourceModule[]): string[] {
  return all.flatMap(({ path, imports }) => {
    const layer = layerOf(path);
    // main.ts starts the command line, and is the process that everything else must not be.
    const allowed = layer === undefined ? ['cli', 'model'] : [layer, ...(design[layer] ?? [])];
    return imports
      .filter(({ target }) => target?.endsWith('.ts') === true && layerOf(target) !== undefined)
      .filter(({ target = '' }) => !allowed.some((one) => target.startsWith(`${one}/`)))
      .map(({ target }) => `${path} imports ${target ?? ''}`);
  });
}

/** Modules of Node that pure files may use: a hash is a function of its text. Randomness is refused by its names. */
const pureModules = new Set(['node:util', 'node:crypto']);

/** What pure files must not touch, as sentences. */
const listImpurities = (all: readonly SourceModule[]): string[] =>
  all
    .filter(({ path }) => designedPure.includes(layerOf(path) ?? ''))
    .flatMap(({ path, imports, globals }) => [
      ...imports
        .filter(({ specifier }) => specifier.startsWith('node:') && !pureModules.has(specifier))
        .map(({ specifier }) => `${path} imports ${specifier}`),
      ...[...globals]
        .filter((name) => impureGlobals.test(name))
        .map((name) => `${path} uses ${name}`),
    ]);

/** Comments that turn a rule of lint off and do not say why. */
function listBareDisables(text: string): string[] {
  const comments = text.match(/\/[/*] *eslint-disable.*/g) ?? [];
  return comments.filter((comment) => !/ -- \S/.test(comment));
}

/** Errors of JavaScript and of packages that comments name. */
const builtInErrors = ['Error', 'SyntaxError', 'RangeError', 'TypeError', 'CommanderError'];

/** The words of a name in camel case. */
const listWords = (name: string): readonly string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

describe('the language of the code', () => {
  it('has an exported name in one file only', () => expect(listNamesakes(modules)).toEqual([]));

  it('has few comments that begin with a clause where a noun should be', () =>
    expect(modules.reduce((sum, one) => sum + one.vagueComments, 0)).toBeLessThan(150));

  it('is that of its table', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const section = page.split('## The words of the code')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| (\w+) +\| [^|]+\| ([^|]*?) *\|$/gm)].slice(1);
    const used = new Set(modules.flatMap(({ exports }) => exports.flatMap(listWords)));
    const never = rows.flatMap(([, , words = '']) => words.split(', ').filter((word) => word));
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.map(([, word]) => word).filter((word) => !used.has(word!))).toEqual([]);
    expect(never.filter((word) => used.has(word))).toEqual([]);
  });

  it('calls errors as their classes are called', () => {
    const classes = new Set([...builtInErrors, ...modules.flatMap((one) => one.classes)]);
    const documented = new Set(modules.flatMap(({ thrownErrors }) => thrownErrors));
    expect(documented.size).toBeGreaterThan(30);
    expect([...documented].filter((name) => !classes.has(name))).toEqual([]);
    // An error of the sandbox takes the name of the one that `fetch` would throw in its place.
    const misnamed = modules.flatMap(({ misnamedErrors }) => misnamedErrors);
    expect(misnamed).toEqual(['ConnectionDroppedError: TypeError']);
  });

  it('notices an error with a former name', () => {
    const text = `/** Reads it. @throws GoneError, StillError for none */
export class StillError extends Error {
  override readonly name = 'GoneError';
}`;
    const { classes, thrownErrors, misnamedErrors } = readModule('a.ts', text);
    expect(classes).toEqual(['StillError']);
    expect(thrownErrors).toEqual(['GoneError', 'StillError']);
    expect(misnamedErrors).toEqual(['StillError: GoneError']);
  });

  it('notices both', () => {
    const [one, other] = ['a.ts', 'b.ts'].map((path) =>
      readModule(path, '/** What it is. */\nexport const x: Y = 1;\nexport type Y = number;'),
    );
    expect(one).toMatchObject({ vagueComments: 1, exports: ['x', 'Y'] });
    expect(listNamesakes([one!, other!])).toContainEqual(['Y', ['a.ts', 'b.ts']]);
  });
});

describe('the import table', () => {
  it('is the same for lint and in the design', () => {
    const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(table).map(([layer, row]) => [layer, [...row].sort()]));
    expect(sorted(layers)).toEqual(sorted(design));
    expect([...pureLayers].sort()).toEqual([...designedPure].sort());
  });

  it('has a row for every folder of src', () => {
    const folders = [...new Set(modules.flatMap(({ path }) => layerOf(path) ?? []))];
    expect(folders.filter((folder) => !(folder in design))).toEqual([]);
    const files = modules.map(({ path }) => path).filter((path) => layerOf(path) === undefined);
    expect(files).toEqual(['main.ts']);
  });

  it('is kept by every file', () => expect(listTrespasses(modules)).toEqual([]));

  it('is about files that are there', () => {
    const paths = new Set(modules.map(({ path }) => path));
    const missing = modules.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target?.endsWith('.ts') === true && !target.startsWith('..'))
        .filter(({ target = '' }) => !paths.has(target))
        .map(({ target }) => `${path} imports ${target ?? ''}`),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['a layer that is not in the row', 'plan/a.ts', `import '../config/b.ts';`, 1],
    ['a type alone', 'plan/a.ts', `import type { B } from '../config/b.ts';`, 1],
    ['an export from', 'plan/a.ts', `export { b } from '../config/b.ts';`, 1],
    ['a dynamic import', 'plan/a.ts', `const b = () => import('../config/b.ts');`, 1],
    ['the type of a module', 'plan/a.ts', `type B = import('../config/b.ts').B;`, 1],
    ['a deeper folder', 'sandbox/handlers/a.ts', `import '../../state/b.ts';`, 1],
    ['api beside its contract', 'kinds/a.ts', `import '../api/client.ts';`, 1],
    ['the contract of api', 'kinds/a.ts', `import '../api/contract/types.ts';`, 0],
    ['a layer beside its open folder', 'execute/a.ts', `import '../plan/build-plan.ts';`, 1],
    ['the open folder of a layer', 'execute/a.ts', `import '../plan/deferred/b.ts';`, 0],
    ['its own layer', 'plan/a.ts', `import './b.ts';`, 0],
    ['a package', 'plan/a.ts', `import 'yaml';`, 0],
  ])('sees %s', (_what, path, text, count) => {
    expect(listTrespasses([readModule(path, text)])).toHaveLength(count);
  });
});

describe('a pure layer', () => {
  it('has no clock, no randomness, no I/O', () => expect(listImpurities(modules)).toEqual([]));

  it.each([
    [`Date.now();`, 1],
    [`const x = Math.random() * 2;`, 1],
    [`process.env.HOME;`, 1],
    [`setTimeout(run, 1);`, 1],
    [`fetch('https://example.com');`, 1],
    [`run(performance.now);`, 1],
    [`import { readFile } from 'node:fs';`, 1],
    [`import { isDeepStrictEqual } from 'node:util';`, 0],
    [`import { createHash } from 'node:crypto';\ncreateHash('sha256');`, 0],
    [`import { randomUUID } from 'node:crypto';\nrandomUUID();`, 1],
    [`interface Runtime { fetch(): void; readonly process: string }`, 0],
    [`const at = new Date(0).toISOString();`, 0],
  ])('sees %s', (text, count) => {
    expect(listImpurities([readModule('plan/a.ts', text)])).toHaveLength(count);
  });
});

it('the folders of a room stand in one order, each importing from those below it alone', () => {
  const up = [...listArrowsUp(modules)].flatMap(([room, one]) =>
    one.up.map(({ from, to }) => `${room}/${from} to ${to}`),
  );
  expect(up).toEqual([]);
  const down = readModule('plan/a/a.ts', `import '../b/b.ts';`);
  const deeper = readModule('plan/b/b.ts', `import type { C } from '../c/c.ts';`);
  const back = readModule('plan/c/c.ts', `import '../a/a.ts'; import '../a/d.ts';`);
  const countUp = (...files: SourceModule[]) => listArrowsUp(files).get('plan')?.up.length;
  expect(countUp(down, deeper)).toBe(0);
  expect(countUp(down, deeper, back)).toBe(1);
});

describe('a file', () => {
  it('is in no circle of imports, types included', () => {
    expect(listCircles(modules)).toEqual([]);
    const a = readModule('plan/a.ts', `import './b.ts';`);
    const b = readModule('plan/b.ts', `import { a } from './a.ts';`);
    const typed = readModule('plan/b.ts', `import type { A } from './a.ts';`);
    const above = readModule('plan/c.ts', `import './a.ts';`);
    expect(listCircles([a, b, above])).toEqual([['plan/a.ts', 'plan/b.ts']]);
    expect(listCircles([a, typed])).toEqual([['plan/a.ts', 'plan/b.ts']]);
    expect(listCircles([a, above])).toEqual([]);
  });

  it('has no default export', () => {
    const found = modules.filter(({ hasDefaultExport }) => hasDefaultExport);
    expect(found.map(({ path }) => path)).toEqual([]);
    expect(readModule('a.ts', `export default 1;`).hasDefaultExport).toBe(true);
    expect(readModule('a.ts', `export default function run() {}`).hasDefaultExport).toBe(true);
    expect(readModule('a.ts', `switch (a) { default: run(); }`).hasDefaultExport).toBe(false);
  });

  it('has a name of its own, in kebab-case', () => {
    const names = modules.map(({ path }) => path);
    expect(
      names.filter((path) => /(?:^|\/)(?:utils?|helpers?|common|index)\.ts$/.test(path)),
    ).toEqual([]);
    expect(names.filter((path) => !/^[a-z0-9/-]+\.ts$/.test(path))).toEqual([]);
  });

  it('has at most 400 lines', () => {
    const long = modules.filter(({ lines }) => lines > 400);
    const reported = long.filter(({ path }) => !(path in longFiles));
    expect(reported.map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([]);
    // A reason that is not needed any more is no reason.
    expect(Object.keys(longFiles).filter((path) => !long.some((one) => one.path === path))).toEqual(
      [],
    );
  });
});

it('a folder holds no more files than can be taken in', () => {
  const crowded = countFiles(modules).filter(([, count]) => count > mostFiles);
  expect(crowded.map(([folder, count]) => `${folder}: ${count} files`)).toEqual([]);
});

describe('a kind', () => {
  it('has a small core, which every kind has whole', () => {
    const core =
      modules.find(({ path }) => path === 'kinds/kind.ts')?.interfaces.get('ResourceKind') ?? [];
    expect(core).toContain('traits');
    expect(core.length).toBeLessThanOrEqual(30);
    expect(core.filter((name) => name.endsWith('?'))).toEqual([]);
  });

  it('is spelled in its own folder, and elsewhere for a reason alone', () => {
    const excepted = Object.keys(spellingExceptions).sort();
    expect([...listSpellers(modules).keys()].sort()).toEqual(excepted);
    expect(excepted.length).toBeLessThanOrEqual(mostExceptions);
  });

  it.each([
    ['its name', 'plan/a.ts', `if (kind === 'vm') run();`, ['vm']],
    ['its command', 'plan/a.ts', `send('createVm');`, ['createVm']],
    [
      'a table of kinds',
      'plan/a.ts',
      `const t = { vm: 1, network: 2, sshKey: 3 };`,
      ['vm', 'network', 'sshKey'],
    ],
    ['one word that is a key', 'plan/a.ts', `const t = { project: 1 };`, undefined],
    ['its own folder', 'kinds/vm/a.ts', `send('createVm');`, undefined],
  ])('is seen by %s', (_what, path, text, names) => {
    expect(listSpellers([readModule(path, text)]).get(path)).toEqual(names);
  });
});

describe('the repository', () => {
  it('says why wherever it turns a rule of lint off', () => {
    const bare = topFolders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(?:ts|mjs)$/.test(path))
        .map((path) => join(folder, path))
        .flatMap((path) => listBareDisables(readFileSync(path, 'utf8')).map((one) => path + one)),
    );
    expect(bare).toEqual([]);
    const comment = ['//', 'eslint-disable-next-line no-eval'].join(' ');
    expect(listBareDisables(`${comment}\n${comment} --\n`)).toHaveLength(2);
    expect(listBareDisables(`${comment} -- the page under test calls it\n`)).toEqual([]);
  });

  it('has no other folder at its top', () => {
    const folders = readdirSync('.', { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !madeFolders.includes(name));
    expect(folders.sort()).toEqual(topFolders);
  });
});

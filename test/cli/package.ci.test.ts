import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { startCommand, type Ended } from './program.ts';

const root = resolve(import.meta.dirname, '../..');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostwright-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** With the settings of whoever runs this: where the registry is, and what is cached. */
const npm = (args: readonly string[], cwd: string): Promise<Ended> => {
  const env = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return startCommand(['npm', ...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
    cwd,
    env: Object.fromEntries(env) as Record<string, string>,
  }).ended;
};

/** Node's own SQLite, which Node.js 20 has not: the package in its place need not be there. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasSqlite = major > 22 || (major === 22 && minor >= 16);

/** What has been built is packed: a build would take `dist` away from the tests beside this one. */
async function pack(
  directory: string,
  ...flags: string[]
): Promise<{ name: string; size: number; files: string[] }> {
  const { code, stdout, stderr } = await npm(
    ['pack', '--json', '--ignore-scripts', ...flags],
    directory,
  );
  expect(code, stderr).toBe(0);
  const [packed] = JSON.parse(stdout) as [
    { filename: string; size: number; files: { path: string }[] },
  ];
  const { filename: name, size, files } = packed;
  return { name, size, files: files.map(({ path }) => path) };
}

/** Installs with what is cached where it can. Skips the test, and says so, where npm reaches no registry but in CI. */
async function install(context: TestContext, args: readonly string[], cwd: string): Promise<Ended> {
  const ended = await npm(['install', '--prefer-offline', ...args], cwd);
  const isCutOff = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED)\b/;
  if (ended.code !== 0 && isCutOff.test(ended.stderr) && process.env.CI !== 'true') {
    context.skip(`npm reaches no registry: ${ended.stderr}`);
  }
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

describe('the package', () => {
  it('packs what it needs, and nothing that a run has left', async () => {
    const copy = join(folder, 'copy');
    for (const name of [
      'package.json',
      'README.md',
      'LICENSE',
      'examples',
      'templates',
      'schemas',
      'man',
      'src',
    ]) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    const left = join(copy, 'examples/quickstart/.hostwright/sandbox');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'sandbox.sqlite'), 'an account');
    mkdirSync(join(copy, 'dist'));
    writeFileSync(join(copy, 'dist/main.js'), '');
    const { files } = await pack(copy, '--dry-run');
    expect(files).toEqual(
      expect.arrayContaining([
        ...['package.json', 'README.md', 'LICENSE', 'dist/main.js', 'man/hostwright.1'],
        ...['schemas/openapi.yaml', 'schemas/config.schema.json', 'examples/quickstart/main.yaml'],
        ...['templates/ci.sh', 'templates/github.mjs'],
      ]),
    );
    expect(files.filter((path) => /\.hostwright|^src|^test|generate\.mjs$/.test(path))).toEqual([]);
  });

  it('would be published as it is: by name, to everybody, with its provenance', async () => {
    const { code, stdout, stderr } = await npm(
      ['publish', '--dry-run', '--json', '--ignore-scripts', '--prefer-offline'],
      root,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('"id": "hostwright@');
    const warnings = stderr.split('\n').filter((line) => /^npm warn publish/i.test(line));
    expect(warnings.filter((line) => !line.includes('logged in'))).toEqual([]);
    const { publishConfig, private: isPrivate } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect([publishConfig, isPrivate]).toEqual([{ access: 'public', provenance: true }, undefined]);
  });

  it(
    'is below 3 MB, installs without a warning or a script, and runs the quickstart',
    { timeout: 300_000 },
    async (context) => {
      const { name, size } = await pack(root, '--pack-destination', folder);
      expect(size).toBeLessThan(3_000_000);
      const home = join(folder, 'home');
      mkdirSync(home);
      const tarball = join(folder, name);
      const readWarnings = ({ stderr }: Ended) =>
        stderr
          .split('\n')
          .filter((line) => /^npm warn/i.test(line) && !/Unknown \w+ config/.test(line));
      // Some npm names the one script that need not run, and nothing else.
      const warnings = readWarnings(await install(context, [tarball], home));
      expect(warnings.filter((line) => !line.startsWith('npm warn install-scripts'))).toEqual([]);
      const { packages } = JSON.parse(
        readFileSync(join(home, 'node_modules/.package-lock.json'), 'utf8'),
      ) as { packages: Record<string, { hasInstallScript?: boolean }> };
      const scripted = Object.entries(packages).filter(
        ([, { hasInstallScript }]) => hasInstallScript,
      );
      expect(scripted.map(([path]) => path)).toEqual(['node_modules/@photostructure/sqlite']);
      // Once more for somebody who lets no script run at all, and installs nothing that need not be.
      rmSync(join(home, 'node_modules'), { recursive: true });
      const lean = ['--ignore-scripts', ...(hasSqlite ? ['--omit=optional'] : [])];
      expect(readWarnings(await install(context, lean, home))).toEqual([]);
      expect(existsSync(join(home, 'node_modules/@photostructure'))).toBe(!hasSqlite);
      const program = join(home, 'node_modules/.bin/hostwright');
      cpSync(join(home, 'node_modules/hostwright/examples/quickstart'), join(home, 'hosting'), {
        recursive: true,
      });
      for (const [args, said] of [
        [['plan', 'hosting'], 'Plan: 7 to add, 0 to change, 0 to destroy.'],
        [['apply', 'hosting', '--auto-approve'], 'Apply complete! Resources: 7 added'],
        [['plan', 'hosting', '--detailed-exitcode'], 'No changes.'],
      ] as const) {
        const ended = await startCommand([program, ...args], { cwd: home }).ended;
        expect(ended.code, ended.stderr).toBe(0);
        expect(ended.stdout).toContain(said);
        expect(ended.stderr).not.toMatch(/warning|experimental/i);
      }
      expect(existsSync(join(home, 'hosting/.hostwright/sandbox/sandbox.sqlite'))).toBe(true);
      const served = startCommand([program, 'sandbox', '--port', '0', '--json'], { cwd: home });
      await served.waitFor('"baseUrl"');
      const { baseUrl } = JSON.parse(served.readStdout()) as { baseUrl: string };
      expect((await fetch(new URL('/docs', baseUrl))).status).toBe(200);
      served.child.kill('SIGTERM');
      expect((await served.ended).code).toBe(0);
    },
  );

  it(
    'runs the quickstart on the first Node.js whose own SQLite is used, and on a new one',
    { timeout: 300_000 },
    async (context) => {
      const { name } = await pack(root, '--pack-destination', folder);
      const node = `node-${process.platform}-${process.arch}`;
      for (const version of ['22.16.0', '24']) {
        const home = join(folder, `node-${version}`);
        mkdirSync(home);
        const given = [join(folder, name), `${node}@${version}`, '--omit=optional'];
        await install(context, given, home);
        const installed = join(home, 'node_modules/hostwright');
        cpSync(join(installed, 'examples/quickstart'), join(home, 'hosting'), { recursive: true });
        const program = [
          join(home, 'node_modules', node, 'bin/node'),
          join(installed, 'dist/main.js'),
        ];
        for (const [args, said] of [
          [['apply', 'hosting', '--auto-approve'], 'Apply complete! Resources: 7 added'],
          [['plan', 'hosting', '--detailed-exitcode'], 'No changes.'],
        ] as const) {
          const ended = await startCommand([...program, ...args], { cwd: home }).ended;
          expect(ended.code, ended.stderr).toBe(0);
          expect(ended.stdout).toContain(said);
          expect(ended.stderr).not.toMatch(/warning|experimental/i);
        }
      }
    },
  );
});

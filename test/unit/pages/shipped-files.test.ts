// What is shipped to copy: containers, a workflow of a release, and how a server is run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../support/pages/read-pages.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('the linter has nothing to say about the container, and would say it', () => {
  const text = read('Containerfile');
  expect(validate(text)).toEqual([]);
  expect(validate(text.replace('WORKDIR', 'WORKDIRR')).length).toBeGreaterThan(0);
});

test('the container installs the package without scripts, and runs it as nobody special', () => {
  const text = read('Containerfile');
  expect(text).toMatch(/npm install .*--ignore-scripts/);
  expect(text.lastIndexOf('\nUSER node')).toBeGreaterThan(text.lastIndexOf('\nRUN '));
  const major = Number(/^FROM node:(\d+)/m.exec(text)?.[1]);
  expect([22, 24]).toContain(major);
});

test('every file that the container and the package name is packed', () => {
  const { files, engines } = JSON.parse(read('package.json')) as {
    files: string[];
    engines: { node: string };
  };
  expect(files).toContain('docs/*.md');
  const version = engines.node.replace('>=', '');
  expect(read('docs/install.md')).toContain(`${version} or later`);
  expect(read('.nvmrc').trim()).toBe(version);
});

test('every folder of src has an owner, and every path with one is there', () => {
  const owned = [...read('CODEOWNERS').matchAll(/^\/(\S+) +@hostwright\/[a-z]+$/gm)].map(
    ([, path = '']) => path,
  );
  expect(owned.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const folders = readdirSync(join(root, 'src')).filter((name) => !name.endsWith('.ts'));
  expect(folders.filter((name) => !owned.includes(`src/${name}/`))).toEqual([]);
});

test('a version is exact', () => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(
    read('package.json'),
  ) as Record<string, Record<string, string>>;
  const all = [dependencies, devDependencies, optionalDependencies, peerDependencies].flatMap(
    (some) => Object.entries(some ?? {}),
  );
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

/** The optional packages but for that of `hostwright mcp`. */
function readServerPackages(): Record<string, string> {
  const { peerDependencies } = JSON.parse(read('package.json')) as {
    peerDependencies: Record<string, string>;
  };
  const entries = Object.entries(peerDependencies);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('@modelcontextprotocol/')));
}

test('updates of the packages of a server reach its container', () => {
  const { customManagers } = JSON.parse(read('renovate.json')) as {
    customManagers: { matchStrings: [string] }[];
  };
  const pattern = customManagers[0]?.matchStrings[0] ?? '';
  const found = read('examples/server/Containerfile').matchAll(new RegExp(pattern, 'g'));
  const updated = [...found].map(({ groups }) => [groups?.depName, groups?.currentValue]);
  expect(Object.fromEntries(updated)).toEqual(readServerPackages());
});

interface Job {
  readonly if: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

test('the release has provenance and an SBOM, and is published once a person starts it', () => {
  const text = read('examples/release/release.yml');
  const workflow = parse(text) as { permissions: object; jobs: { release: Job; publish: Job } };
  const { release, publish } = workflow.jobs;
  const { permissions, steps } = release;
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' });
  const uses = steps.flatMap(({ uses: action }) => action ?? []);
  expect(uses.some((action) => action.startsWith('actions/attest-build-provenance@'))).toBe(true);
  expect(uses.some((action) => action.startsWith('actions/attest-sbom@'))).toBe(true);
  expect(steps.filter(({ run = '' }) => run.includes('npm publish'))).toEqual([]);
  expect(release.if).toBe("github.event_name == 'push'");
  expect(publish.if).toBe("github.event_name == 'workflow_dispatch' && github.ref_type == 'tag'");
  expect(publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(publish.steps.at(-1)?.run).toBe('npm publish --provenance');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...steps, ...publish.steps].flatMap(({ run = '' }) => [
    ...run.matchAll(/npm run (\S+)/g),
  ]);
  expect(named.length).toBeGreaterThan(0);
  for (const [, script = ''] of named) expect(scripts).toHaveProperty([script]);
});

test('the linter has nothing to say about the container of the server either', () => {
  const container = read('examples/server/Containerfile');
  expect(validate(container)).toEqual([]);
  expect(container.lastIndexOf('\nUSER node')).toBeGreaterThan(container.lastIndexOf('\nRUN '));
  for (const [name, version] of Object.entries(readServerPackages())) {
    expect(container).toContain(` ${name}@${version}`);
  }
});

const units = readdirSync(join(root, 'examples/server/systemd'));
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.runIf(hasSystemd).each(units)('systemd has nothing to say about %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'hostwright-units-'));
  const verify = (text: string) => {
    const path = join(folder, name.replace('@', '@1'));
    // Neither the program nor its page is installed where this is tested.
    const here = text
      .replace('/usr/local/bin/hostwright', process.execPath)
      .replace(/^Documentation=.*$/m, '');
    writeFileSync(path, here);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    return `${status}${stderr}`;
  };
  try {
    const text = read(`examples/server/systemd/${name}`);
    expect(verify(text)).toBe('0');
    expect(verify(text.replace('Restart=always', 'Restart=perhaps'))).not.toBe('0');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

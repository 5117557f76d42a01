// Where the state is, by YAML and by HOSTWRIGHT_STATE.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadStateSettings, parseStateSettings } from '../../../src/config/load-state-settings.ts';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import { listFaults, loadText } from './load.ts';
import { openFolder } from '../../support/open-folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await openFolder('state-settings');
});

const load = () =>
  loadStateSettings({
    directory,
    workingDirectory: directory,
    allowsOutsideFiles: false,
    secrets: [],
  });
const parse = (text: string) => parseStateSettings(text, 'HOSTWRIGHT_STATE', directory);
const codesOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: unknown) => (error as DiagnosticError).diagnostics.map(({ code }) => code),
  );

// prettier-ignore
const places: readonly (readonly [string, object])[] = [
  ['{ postgres: {} }', { kind: 'postgres', schema: 'hostwright', name: 'default' }],
  ['{ postgres: }', { kind: 'postgres', schema: 'hostwright', name: 'default' }],
  ['{ postgres: { schema: a b, name: ü } }', { kind: 'postgres', schema: 'a b', name: 'ü' }],
  ['{ git: }', { kind: 'git', branch: 'hostwright-state' }],
  ['{ git: { branch: b, path: shop } }', { kind: 'git', branch: 'b', path: 'shop' }],
  ['{ s3: { bucket: infra, key: shop } }', { kind: 's3', bucket: 'infra', key: 'shop', isPathStyle: false }],
  ['{ s3: { bucket: a.b, key: a/ü, region: eu-1, endpoint: "http://127.0.0.1:9", pathStyle: true } }', { ...{ kind: 's3', bucket: 'a.b', key: 'a/ü', region: 'eu-1' }, ...{ endpoint: 'http://127.0.0.1:9', isPathStyle: true } }],
  ['{ http: { address: "https://a.example/s", lockMethod: PUT } }', { kind: 'http', address: 'https://a.example/s', lockMethod: 'PUT' }],
  ['{ local: { path: .state } }', { kind: 'local', path: '.state' }],
];

describe('the block of the state', () => {
  test.each(places)('%s', async (text, place) => {
    expect((await parse(text)).place).toEqual(place);
    await writeFile(join(directory, 'b.yaml'), `version: 1\nstate: ${text}\n`);
    await writeFile(join(directory, 'a.yaml'), 'version: 1\n');
    expect((await load()).place).toEqual(place);
    const { configuration } = await loadText(`version: 1\nstate: ${text}\n`);
    expect(configuration?.state.place).toEqual(place);
  });

  test('says more than the place', async () => {
    const text = '{ encryption: { key: command }, lease: 2m, history: { versions: 7, age: 24h } }';
    expect(await parse(text)).toMatchObject({
      place: undefined,
      encryption: 'command',
      leaseMs: 120_000,
      history: { versions: 7, ageMs: 86_400_000 },
    });
  });

  test.each([
    ['{ postgres: { name: a }, local: {} }', 'exclusive-keys'],
    ['{ postgres: { nam: a } }', 'unknown-key'],
    ['{ postgres: { password: secret } }', 'unknown-key'],
    ['{ encryption: { key: secret } }', 'invalid-value'],
    ['{ postgres: { name: "${var.a}" } }', 'wrong-type'],
    ['{ lease: 1s }', 'out-of-range'],
    ['{ s3: { bucket: infra } }', 'missing-key'],
    ['{ s3: { bucket: "evil.example/x", key: a } }', 'wrong-type'],
    ['{ s3: { bucket: infra, key: a/../b } }', 'wrong-type'],
    ['{ s3: { bucket: infra, key: a, region: "x.evil.example/" } }', 'wrong-type'],
    ['{ s3: { bucket: infra, key: a, endpoint: "ftp://a" } }', 'invalid-state-address'],
    ['{ s3: { bucket: infra, key: a, accessKey: b } }', 'unknown-key'],
    ['{ http: {} }', 'missing-key'],
    ['{ http: { address: nowhere } }', 'invalid-state-address'],
    ['{ http: { address: "https://u:p@a.example" } }', 'credentials-in-url'],
    ['{ http: { address: "https://a.example", lockMethod: GET } }', 'invalid-value'],
  ])('is refused: %s', async (text, code) => {
    expect(await codesOf(parse(text))).toEqual([code]);
    expect(listFaults(await loadText(`version: 1\nstate: ${text}\n`)).join()).toContain(code);
  });
});

test('a directory without YAML, or one that says nothing of it, has its state beside it', async () => {
  expect((await load()).place).toBeUndefined();
  await writeFile(join(directory, 'a.yaml'), 'version: 1\n# the state is here\n');
  expect((await load()).place).toBeUndefined();
});

test('what is wrong with the rest of a configuration does not matter', async () => {
  const text = 'version: 1\nprojekts: {}\nstate: { postgres: { name: shop } }\n';
  await writeFile(join(directory, 'a.yaml'), text);
  expect((await load()).place).toMatchObject({ name: 'shop' });
});

describe('HOSTWRIGHT_STATE', () => {
  test('may name a file, with or without the key `state`', async () => {
    await writeFile(join(directory, 'one.yaml'), 'postgres: { name: one }\n');
    await writeFile(join(directory, 'two.yaml'), 'state:\n  postgres: { name: two }\n');
    expect((await parse('one.yaml')).place).toMatchObject({ name: 'one' });
    expect((await parse('two.yaml')).place).toMatchObject({ name: 'two' });
  });

  test.each(['missing.yaml', '[1]', '7', '{ unclosed'])('is refused: %s', async (text) => {
    expect((await codesOf(parse(text))).length).toBeGreaterThan(0);
  });

  test('a file that names a file leads nowhere', async () => {
    await writeFile(join(directory, 'loop.yaml'), 'loop.yaml\n');
    expect(await codesOf(parse('loop.yaml'))).toEqual(['invalid-state-settings']);
  });
});

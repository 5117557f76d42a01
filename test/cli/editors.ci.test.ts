// The published schema in an editor: what yaml-language-server makes of it, with the line that the README gives.
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LanguageServer, type Position } from '../support/language-server.ts';

const root = resolve(import.meta.dirname, '../..');
const examples = join(root, 'examples');
const modeline = '# yaml-language-server: $schema=../../schemas/config.schema.json\n';

let server: LanguageServer;
let documents = 0;
beforeAll(async () => {
  server = await LanguageServer.open();
});
afterAll(async () => {
  await server.close();
  expect(server.asked).toEqual([]);
});

/** Opens a text as a file beside the examples; `|` is where the cursor stands. */
async function edit(text: string) {
  documents += 1;
  const uri = pathToFileURL(join(examples, `editor/${documents}.yaml`)).href;
  const whole = modeline + text;
  const before = whole.slice(0, whole.indexOf('|')).split('\n');
  const cursor: Position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const marks = await server.show(uri, whole.replace('|', ''));
  return { uri, cursor, marks };
}

interface Described {
  readonly description: string;
  readonly properties: Readonly<Record<string, Described>>;
}
async function readDefinitions(): Promise<Record<string, Described>> {
  const text = await readFile(join(root, 'schemas/config.schema.json'), 'utf8');
  return (JSON.parse(text) as { $defs: Record<string, Described> }).$defs;
}

test.each([
  ['an entry of vms', 'vm', 'version: 1\nprojects:\n  shop:\n    vms:\n      web:\n        |\n'],
  ['the first entry of defaults.vms', 'vm', 'version: 1\ndefaults:\n  vms:\n    |\n'],
  ['a project', 'project', 'version: 1\nprojects:\n  shop:\n    |\n'],
  ['a token', 'accessToken', 'version: 1\ntokens:\n  ci:\n    |\n'],
  ['guards', 'guards', 'version: 1\nguards:\n  |\n'],
])('completion inside %s lists its keys', async (_, definition, text) => {
  const { uri, cursor } = await edit(text);
  const { [definition]: described } = await readDefinitions();
  const offered = await server.complete(uri, cursor);
  expect(offered).toEqual(expect.arrayContaining(Object.keys(described?.properties ?? {})));
});

test('completion offers the values of a key, and the keys at the top', async () => {
  const power = await edit(
    'version: 1\nprojects:\n  shop:\n    vms:\n      web:\n        power: |\n',
  );
  expect(await server.complete(power.uri, power.cursor)).toEqual(
    expect.arrayContaining(['running', 'stopped']),
  );
  const top = await edit('version: 1\n|\n');
  expect(await server.complete(top.uri, top.cursor)).toEqual(
    expect.arrayContaining(['service', 'projects', 'policies', 'outputs', 'moved']),
  );
});

test('hovering over a key shows what it is', async () => {
  const { uri, cursor } = await edit(
    'version: 1\nprojects:\n  shop:\n    vms:\n      web:\n        ima|ge: debian-12\n',
  );
  const { vm } = await readDefinitions();
  // What Markdown would take for something else is escaped.
  const said = (await server.hover(uri, cursor)).replaceAll(/\\(?=[^\w\s])/g, '');
  expect(said).toContain(vm?.properties.image?.description);
  expect(said).toContain('ubuntu-24.04');
});

test('a key that does not exist is marked at its place', async () => {
  const { marks } = await edit(
    'version: 1\nprojects:\n  shop:\n    vms:\n      web:\n        imagge: debian-12\n',
  );
  expect(marks).toMatchObject([
    {
      message: expect.stringContaining('imagge') as string,
      range: { start: { line: 6, character: 8 }, end: { line: 6, character: 14 } },
    },
  ]);
});

test('a value that cannot be is marked at its place', async () => {
  const { marks } = await edit('version: 1\nprojects:\n  shop:\n    exclusive: perhaps\n');
  expect(marks.map(({ range }) => range.start)).toContainEqual({ line: 4, character: 15 });
});

test('nothing is marked in the shipped examples', async () => {
  for (const example of ['quickstart', 'shop']) {
    const files = await readdir(join(examples, example));
    for (const file of files.filter((name) => name.endsWith('.yaml'))) {
      const path = join(examples, example, file);
      const marks = await server.show(pathToFileURL(path).href, await readFile(path, 'utf8'));
      expect(marks, path).toEqual([]);
    }
  }
});

// The functions within a configuration: what they read of files, and what they do to values that are not to be shown.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  loadConfiguration,
  type ConfigurationLoadResult,
} from '../../../src/config/load-configuration.ts';
import { compileExpression } from '../../../src/expressions/evaluate/compile-expression.ts';
import { NameTree, Unknown } from '../../../src/expressions/values/scope.ts';
import { functionsByName } from '../../../src/expressions/functions/catalogue.ts';
import {
  parseExpression,
  type ExpressionNode,
} from '../../../src/expressions/parse/parse-expression.ts';
import { inShop, listFaults, loadGraph, loadText } from './load.ts';

let room: string;
let directory: string;
beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'hostwright-functions-'));
  directory = join(room, 'in');
  await mkdir(join(directory, 'files/deep/er'), { recursive: true });
  const files = {
    'hello.txt': 'Hello\n',
    '.hidden.txt': '',
    'b.md': '',
    'deep/x.txt': '',
    'deep/er/y.txt': '',
    'motd.tpl': 'Welcome to ${name}\n',
    'all.tpl': 'Welcome to ${name}, ${join("+", list)}\n',
    'again.tpl': 'a\n${templateFile("files/motd.tpl", {})}',
    'reads.tpl': '${file("files/hello.txt")}${sha256(name)}',
    'var.tpl': 'x\ny ${var.secret}',
    'list.tpl': '${list}',
    'broken.tpl': '${',
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(directory, 'files', name), text);
  }
  await writeFile(join(room, 'secret.txt'), 'secret');
  await mkdir(join(room, 'elsewhere'));
  await writeFile(join(room, 'elsewhere/z.txt'), '');
  await symlink('hello.txt', join(directory, 'files/link.txt'));
  await mkdir(join(directory, 'links'));
  await symlink('../../secret.txt', join(directory, 'links/out.txt'));
  await symlink('../../nowhere', join(directory, 'links/dangling.cfg'));
  await symlink('../../elsewhere', join(directory, 'links/away'));
  await symlink('.', join(directory, 'links/loop'));
});
afterAll(() => rm(room, { recursive: true }));

const variables = '{ REGION: { default: eu }, flag: { default: true, sensitive: true } }';

/** Loads the value of an output. */
async function loadOutput(
  expression: string,
  isSensitive: boolean,
): Promise<ConfigurationLoadResult> {
  const value = JSON.stringify(`\${${expression}}`);
  await writeFile(
    join(directory, 'a.yaml'),
    `version: 1\nvariables: ${variables}\noutputs: { o: { sensitive: ${isSensitive}, value: ${value} } }\n`,
  );
  const inputs = { env: { REGION: 'eu' }, readableEnv: 'all' } as const;
  return loadConfiguration({ directory, workingDirectory: room, variables: inputs });
}

/** What an expression gives, or `CODE: SUMMARY` of the first fault. */
async function load(expression: string): Promise<unknown> {
  const { configuration, diagnostics } = await loadOutput(expression, true);
  const [first] = diagnostics;
  if (first) return `${first.code}: ${first.summary}`;
  const value = configuration?.graph.outputs?.[0]?.value;
  return value?.kind === 'value' ? value.value : value?.kind;
}

const outside = (name: string, path: string) =>
  `file-outside: ${name}() cannot read \`${path}\`: it is outside of the directory of the configuration`;

it.each<[string, unknown]>(
  // prettier-ignore
  [
    ['fileExists("files/hello.txt")', true],
    ['fileExists("files/none.txt")', false],
    ['fileExists("files/hello.txt/x")', false],
    ['fileExists("files")', 'expression-failed: fileExists() was given `files`, which is not a file'],
    ['fileExists("../secret.txt")', outside('fileExists', '../secret.txt')],
    ['fileExists("links/out.txt")', outside('fileExists', 'links/out.txt')],
    ['fileSet("files", "*.txt")', ['.hidden.txt', 'hello.txt', 'link.txt']],
    ['fileSet("files", "**/*.txt")', ['.hidden.txt', 'deep/er/y.txt', 'deep/x.txt', 'hello.txt', 'link.txt']],
    ['fileSet("files", "deep/**")', ['deep/er/y.txt', 'deep/x.txt']],
    ['fileSet("files", "d**")', []],
    ['fileSet("files", "./{b,hello}.{md,txt}")', ['b.md', 'hello.txt']],
    ['fileSet("files", "[!h]*.t?t")', ['.hidden.txt', 'link.txt']],
    ['fileSet("files", "hell\\\\o.txt")', ['hello.txt']],
    ['fileSet("files", "a(b|c)+$")', []],
    ['fileSet("links", "*.md")', []],
    ['fileSet("links", "**/z.txt")', []],
    ['fileSet("links", "*.txt")', outside('fileSet', 'links/out.txt')],
    ['fileSet("links", "*.cfg")', outside('fileSet', 'links/dangling.cfg')],
    ['fileSet("files", "../*")', 'file-outside: fileSet() was given a pattern with `..`'],
    ['fileSet("..", "*")', outside('fileSet', '..')],
    ['fileSet("none", "*")', 'file-unreadable: fileSet() cannot read `none`: there is no such file'],
    ['templateFile("files/all.tpl", {"name": "web", "list": [1, 2]})', 'Welcome to web, 1+2\n'],
    ['templateFile("files/reads.tpl", {"name": ""})', 'Hello\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['templateFile("files/all.tpl", {"name": "web"})', 'unknown-name: templateFile() cannot evaluate `files/all.tpl`, line 1: There is no name `list`'],
    ['templateFile("files/var.tpl", {})', 'unknown-name: templateFile() cannot evaluate `files/var.tpl`, line 2: There is no name `var`'],
    ['templateFile("files/again.tpl", {})', 'expression-failed: templateFile() cannot evaluate `files/again.tpl`, line 2: A template cannot call templateFile()'],
    ['templateFile("files/list.tpl", {"list": [1]})', 'expression-type: templateFile() gives a text, and `files/list.tpl` is a list, a map or null'],
    ['templateFile("files/list.tpl", {"list": 5})', '5'],
    ['templateFile("files/broken.tpl", {})', 'broken-expression: templateFile() cannot evaluate `files/broken.tpl`, line 1: An expression begins with `${` and is not closed'],
    ['range(2000).map(i, fileSet("files", "**"))', 'expression-too-costly: The expression takes too long to evaluate'],
  ],
)('functions of files: %s', async (expression, result) =>
  expect(await load(expression)).toEqual(result),
);

/** The call of an example with other texts in place of its arguments. */
function rewrite(call: string, replace: (argument: string, index: number) => string): string {
  const find = (node: ExpressionNode): (ExpressionNode & { op: 'call' }) | undefined => {
    if (node.op === 'call' && functionsByName.has(node.args[0])) return node;
    return node.op === '.' || node.op === '[]' ? find(node.args[0]) : undefined;
  };
  const node = find(parseExpression(call).ast);
  return [...(node?.args[1] ?? [])].reverse().reduce((text, { start, end }, index, all) => {
    const place = all.length - 1 - index;
    return text.slice(0, start) + replace(text.slice(start, end), place) + text.slice(end);
  }, call);
}

const named = [...functionsByName.values()];

describe('every function', () => {
  it.each(named)(
    'gives something sensitive for something sensitive: $name',
    async ({ example }) => {
      const call = rewrite(example[0], (argument) => `(var.flag ? ${argument} : ${argument})`);
      expect(listFaults(await loadOutput(call, false))).toEqual([
        expect.stringMatching(/ sensitive-output$/),
      ]);
    },
  );

  it.each(named.filter(({ name }) => !['try', 'coalesce', 'can'].includes(name)))(
    'gives nothing before each of its arguments is known: $name',
    ({ example: [call], parameters }) => {
      const scope = NameTree.of('', { u: new Unknown('u') });
      expect(parameters.length).toBeGreaterThan(0);
      let count = 0;
      rewrite(call, (argument) => {
        count += 1;
        return argument;
      });
      for (let place = 0; place < count; place += 1) {
        const text = rewrite(call, (argument, at) => (at === place ? 'u' : argument));
        const outcome = compileExpression(text).evaluate(scope, {
          functions: Object.fromEntries(named.map(({ name }) => [name, () => null])),
        });
        expect({ text, kind: outcome.kind }).toEqual({ text, kind: 'unknown' });
      }
    },
  );
});

describe('of what is known only after apply', () => {
  const network = 'projects.shop.networks.n.id';

  it.each(named.filter(({ name }) => !/^(?:file|templateFile|env)/.test(name)))(
    'is kept as an expression: $name',
    async ({ example }) => {
      const call = rewrite(
        example[0],
        (argument) => `(${network} == "" ? ${argument} : ${argument})`,
      );
      const text = `${inShop('networks: { n: }')}outputs: { o: { value: ${JSON.stringify(`\${${call}}`)} } }\n`;
      const graph = await loadGraph(text);
      expect(graph.outputs?.[0]?.value).toMatchObject({ kind: 'expression' });
    },
  );

  it('no file is read', async () => {
    const text = `${inShop('networks: { n: }')}outputs: { o: { value: "\${file(${network})}" } }\n`;
    expect(listFaults(await loadText(text))).toEqual(['a.yaml:5:27 function-too-late']);
  });
});

import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFileAndEnvironmentFunctions } from '../../../../src/config/functions/host-functions.ts';
import { ConfigurationFiles } from '../../../../src/config/source/configuration-files.ts';
import { compileExpression } from '../../../../src/expressions/evaluate/compile-expression.ts';
import { NameTree } from '../../../../src/expressions/values/scope.ts';
import { functionsByName } from '../../../../src/expressions/functions/catalogue.ts';
import { terraformFunctions } from '../../../../src/expressions/functions/terraform-names.ts';
import { TypeChecker } from '../../../../src/expressions/evaluate/check-types.ts';
import type { Value } from '../../../../src/model/value.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-functions-'));
  await mkdir(join(directory, 'files'));
  await writeFile(join(directory, 'files/hello.txt'), 'Hello\n');
  await writeFile(join(directory, 'files/motd.tpl'), 'Welcome to ${name}\n');
});
afterAll(() => rm(directory, { recursive: true }));

function evaluate(call: string, names: Readonly<Record<string, Value>> = {}): unknown {
  const functions = makeFileAndEnvironmentFunctions({
    directory,
    files: new ConfigurationFiles(directory, false),
    environment: { REGION: 'eu' },
    readable: ['REGION'],
    variables: ['REGION'],
    isEnvironmentOptional: false,
  });
  const outcome = compileExpression(call).evaluate(NameTree.of('', names), { functions });
  return outcome.kind === 'value' ? outcome.value : outcome;
}

const all = [...functionsByName.values()];

describe('every function', () => {
  it.each(all.map(({ name, example }) => ({ name, example })))(
    'does what its example says: $name',
    ({ example: [call, gives] }) => {
      expect(evaluate(call)).toEqual(gives);
      expect(new TypeChecker({}).check(call)).toBeUndefined();
    },
  );

  it.each(all)('tells of no argument at all, before and while it is worked out: $name', (one) => {
    const least = one.parameters.filter(({ isOptional }) => !isOptional).length;
    if (least === 0) return;
    const call = `${one.name}()`;
    expect(new TypeChecker({}).check(call)?.hint).toContain(one.signature);
    expect(evaluate(call)).toMatchObject({ kind: 'fault', fault: { code: 'expression-type' } });
  });
});

describe("Terraform's functions", () => {
  const list = readFileSync(join(import.meta.dirname, 'terraform-functions.txt'), 'utf8');
  const names = list.trim().split(/\s+/);

  it('are all in the table, with a few of OpenTofu and of older versions', () => {
    const listed = [...terraformFunctions.keys()];
    expect(names.filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed.filter((name) => !names.includes(name))).toEqual([
      ...['cidrcontains', 'convert', 'defaults', 'list', 'map', 'type', 'urldecode'],
    ]);
    expect(listed).toEqual(listed.toSorted());
  });

  it('are there under the names that the table gives', () => {
    const named = [...terraformFunctions.values()].filter((one) => one.kind === 'function');
    expect(named.filter(({ name }) => !functionsByName.has(name))).toEqual([]);
    const ours = [...functionsByName.keys()].filter(
      (name) => !terraformFunctions.has(name.toLowerCase()),
    );
    expect(ours.sort()).toEqual(['chunk', 'env']);
  });

  it.each([
    ['alltrue', { list: [true, false] }, false],
    ['anytrue', { list: [true, false] }, true],
    ['basename', { path: 'a/b.txt' }, 'b.txt'],
    ['chomp', { text: 'a\n\r\n' }, 'a'],
    ['cidrsubnets', { count: 2, range: '10.0.0.0/16' }, ['10.0.0.0/24', '10.0.1.0/24']],
    ['coalescelist', { a: [], b: [1] }, [1]],
    ['dirname', { path: 'a/b/c.txt' }, 'a/b'],
    ['element', { list: ['a', 'b'], i: 3 }, 'b'],
    ['index', { list: ['a', 'b'], value: 'b' }, 1],
    ['length', { x: 'abc' }, 3],
    ['list', { a: 1, b: 2 }, [1, 2]],
    ['map', { value: 1 }, { key: 1 }],
    ['matchkeys', { a: [1, 2, 3], b: ['x', 'y', 'x'], list: ['x'] }, [1, 3]],
    ['pow', { x: 3 }, 9],
    ['setsubtract', { a: [1, 2], b: [2] }, [1]],
    ['signum', { x: -5 }, -1],
    ['slice', { list: [1, 2, 3, 4], from: 1, to: 3 }, [2, 3]],
    ['strcontains', { text: 'hello', part: 'ell' }, true],
    ['strrev', { text: 'abc' }, 'cba'],
    ['textdecodebase64', { text: 'YQ==' }, 'a'],
    ['textencodebase64', { text: 'a' }, 'YQ=='],
    ['timecmp', { a: '2026-01-01T00:00:00Z', b: '2026-01-02T00:00:00Z' }, true],
    ['tobool', { text: 'true' }, true],
    ['tonumber', { text: '1.5' }, 1.5],
    ['toset', { list: ['b', 'a', 'b'] }, ['a', 'b']],
    ['tostring', { value: 5 }, '5'],
    ['transpose', { map: { a: ['1', '2'], b: ['2'] } }, { '1': ['a'], '2': ['a', 'b'] }],
    ['uuid', { name: 'web' }, expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ])('%s has an expression in its place that does the same', (name, names, gives) => {
    const counterpart = terraformFunctions.get(name);
    const text = counterpart?.kind === 'expression' ? counterpart.write : '';
    expect(evaluate(text, names as Readonly<Record<string, Value>>)).toEqual(gives);
  });

  it.each(
    // prettier-ignore
    [
      ['jsonencode({})', 'Did you mean `jsonEncode()`?'],
      ['length([])', "Write `size(x)` in place of Terraform's `length`."],
      ['lenght([])', "Write `size(x)` in place of Terraform's `length`."],
      ['chunklist([1], 2)', "Use `chunk()`, which takes the place of Terraform's `chunklist`."],
      ['timestmp()', 'Did you mean `timestamp()`?'],
      ['cidrSubnets("10.0.0.0/8", 8, 8)', "Write `range(count).map(i, cidrSubnet(range, 8, i))` in place of Terraform's `cidrSubnets`."],
      ['bcrypt("x")', "Leave it out, there is no counterpart of Terraform's `bcrypt`: Secrets come from outside, and a configuration derives none."],
      ['[1].distinct()', 'Write it as `distinct(list)`, for example `distinct(["b", "a", "b"])`.'],
      ['"a".length()', "Write `size(x)` in place of Terraform's `length`."],
      ['mim(1, 2)', 'Did you mean `min()`?'],
      ['frobnicate(1)', "Use one of `format`, `formatList`, `join`, `split`, `upper`, `lower`, `title`, `trim` and 58 more, or of CEL's own, as `size(x)`."],
    ],
  )('%s: %s', (call, hint) => {
    expect(evaluate(call)).toMatchObject({ fault: { code: 'unknown-function', hint } });
  });
});

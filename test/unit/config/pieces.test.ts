import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../src/config/duration.ts';
import { drawSourceFrame } from '../../../src/config/source/frame.ts';
import {
  maskSecretsInSource,
  SourceFile,
  toSourceRange,
} from '../../../src/config/source/source-file.ts';
import { SecretMasker } from '../../../src/config/source/secrets.ts';
import { parseTemplate } from '../../../src/expressions/evaluate/template.ts';

const frameOf = (text: string, start: number, end: number): string =>
  toSourceRange({ file: new SourceFile('a.yaml', text), start, end }).frame!;

describe('frames', () => {
  const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

  it('show three lines before and behind', () => {
    expect(frameOf(text, text.indexOf('five'), text.indexOf('five') + 4)).toBe(
      [
        '  2 | two',
        '  3 | three',
        '  4 | four',
        '> 5 | five',
        '    | ^^^^',
        '  6 | six',
        '  7 | seven',
        '  8 | eight',
      ].join('\n'),
    );
  });

  it('end with the file', () => {
    expect(frameOf('a\nb\n', 4, 5)).toBe('  1 | a\n  2 | b\n> 3 |\n    | ^');
    expect(frameOf('', 0, 0)).toBe('> 1 |\n    | ^');
  });

  it('underline the first line of a longer range, without its break', () =>
    expect(frameOf('ab: |  \r\n  x\r\n', 4, 14)).toBe('> 1 | ab: |\n    |     ^\n  2 |   x'));

  it('stand below tabs, wide and composed characters', () =>
    expect(frameOf('\t日本é: x', 6, 7)).toBe('> 1 |   日本é: x\n    |          ^'));

  it('cut long lines around the caret', () => {
    const long = `${'a'.repeat(500)}XYZ${'b'.repeat(500)}`;
    const [line, carets] = frameOf(`short\n${long}\n`, 506, 509).split('\n').slice(1);
    expect(line).toMatch(/^> 2 \| …a+XYZb+…$/);
    expect(line!.length).toBeLessThan(110);
    expect(line!.indexOf('XYZ')).toBe(carets!.indexOf('^^^'));
    expect(frameOf(long, 0, 3)).toMatch(/^> 1 \| aaaa+…\n {4}\| \^\^\^$/);
    expect(frameOf(long, 1000, 1003)).toMatch(/^> 1 \| …a*X?Y?Z?b+\n {4}\| +\^\^\^$/);
  });

  it('pass no control character on', () => {
    const frame = frameOf('a: \u001b[31m\u202e\u009b\n', 0, 1);
    expect(frame).toBe('> 1 | a: ·[31m··\n    | ^');
  });

  it('take lines from anywhere', () => {
    const place = { line: 9, column: 1, endLine: 9, endColumn: 2 };
    expect(drawSourceFrame(place, () => 'x')).toContain('>  9 | x\n     | ^');
    expect(
      drawSourceFrame(place, () => 'x')
        .split('\n')
        .at(-1),
    ).toBe('  12 | x');
  });
});

describe('secrets', () => {
  it('are the texts and the numbers of a value, at any depth', () => {
    const secrets = new SecretMasker();
    secrets.add({ pins: [4711], word: 'hush' });
    const { summary } = secrets.mask({ summary: 'Got 4711 and hush.' });
    expect(summary).not.toMatch(/4711|hush/);
  });

  it.each([
    ['token: abc def', 'token: *** ***'],
    ['  apiToken: "abc"', '  apiToken: *****'],
    ['{ token: abc, a: b }', '{ token: **** ** * *'],
    ['"password": x', '"password": *'],
    ['token: |\n  abc\n  d: e\nb: c', 'token: *\n  ***\n  ** *\nb: c'],
    ['token:\n  abc\n\n  d\nb: c', 'token:\n  ***\n\n  *\nb: c'],
    ['a: https://u:p@h/v1', 'a: https://***@h/v1'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc', '********** *** ******* ********\n***'],
    ['tokens: 5\ntokenizer: x', 'tokens: 5\ntokenizer: x'],
    ['name: x', 'name: x'],
  ])('of %j are masked', (text, masked) => {
    expect(maskSecretsInSource(text)).toBe(masked);
    expect(maskSecretsInSource(text)).toHaveLength(text.length);
  });
});

it.each(
  // prettier-ignore
  [
    ['', [{ kind: 'text', text: '' }]],
    ['a $b }', [{ kind: 'text', text: 'a $b }' }]],
    ['$$$${a}', [{ kind: 'text', text: '$$${a}' }]],
    ['$${${ a }', [{ kind: 'text', text: '${' }, { kind: 'expression', code: 'a', offset: 3, isClosed: true }]],
    ['${"}"}', [{ kind: 'expression', code: '"}"', offset: 0, isClosed: true }]],
    ["${'\\'}'}", [{ kind: 'expression', code: "'\\'}'", offset: 0, isClosed: true }]],
    ['${{a: 1}}', [{ kind: 'expression', code: '{a: 1}', offset: 0, isClosed: true }]],
    ['${a', [{ kind: 'expression', code: 'a', offset: 0, isClosed: false }]],
    ['${"a}', [{ kind: 'expression', code: '"a}', offset: 0, isClosed: false }]],
  ],
)('templates: %s', (text, segments) => expect(parseTemplate(text)).toMatchObject(segments));

it.each([
  ['90s', 90_000],
  ['20m', 1_200_000],
  ['1h30m', 5_400_000],
  ['1h1s', 3_601_000],
  ['0s', 0],
  ['', undefined],
  ['20', undefined],
  ['1m1h', undefined],
  ['1.5h', undefined],
])('parses the duration %s', (text, durationMs) => expect(parseDuration(text)).toBe(durationMs));

describe('the published schema', () => {
  const path = new URL('../../../schemas/config.schema.json', import.meta.url);

  interface Node {
    readonly [key: string]: unknown;
    readonly properties?: Readonly<Record<string, Node>>;
  }

  const readSchema = async (): Promise<Node> => JSON.parse(await readFile(path, 'utf8')) as Node;

  function* walk(node: unknown, way: string): Generator<[string, Node]> {
    if (typeof node !== 'object' || node === null) return;
    yield [way, node as Node];
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'examples' && key !== 'default') yield* walk(value, `${way}/${key}`);
    }
  }

  it('is a valid schema of 2020-12', async () => {
    const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false, strictRequired: false });
    expect(ajv.validateSchema(await readSchema())).toBe(true);
  });

  it('has a title and a description for every key, and closes every map', async () => {
    const schema = await readSchema();
    const definitions = schema.$defs as Record<string, Node>;
    for (const [way, { properties, additionalProperties }] of walk(schema, '#')) {
      if (way.endsWith('/properties')) continue;
      if (properties) expect(additionalProperties, way).toBe(false);
      for (const [key, property] of Object.entries(properties ?? {})) {
        const target = definitions[String(property.$ref).replace('#/$defs/', '')] ?? {};
        const whole = { ...target, ...property };
        expect(whole.title, `${way}/${key}`).toBeTruthy();
        expect(whole.description, `${way}/${key}`).toBeTruthy();
        expect(whole.examples, `${way}/${key}`).toBeTruthy();
      }
    }
  });

  it('accepts its own examples and defaults', async () => {
    const schema = await readSchema();
    const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false, strictRequired: false });
    ajv.addSchema(schema, 'config');
    for (const [way, { examples, title, ...rest }] of walk(schema, '#')) {
      if (!Array.isArray(examples) || title === undefined) continue;
      const given = 'default' in rest ? [...(examples as unknown[]), rest.default] : examples;
      const validate = ajv.compile({ $ref: `config${way}` });
      for (const example of given as unknown[]) {
        expect(validate(example), `${way} ${JSON.stringify(example)}`).toBe(true);
      }
    }
  });
});

// Functions that turn values into texts and back.
import { isExactNumber, parseJsonExactly } from '../../model/text/whole-numbers.ts';
import type { Value } from '../../model/value.ts';
import { encodeJson } from '../notation/encode-json.ts';
import { decodeYaml, encodeYaml } from '../notation/yaml.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { defineFunction, defineCostlyFunction } from './define.ts';
import { makeMap } from './values.ts';

function decodeJson(text: string): Value {
  try {
    return parseJsonExactly(text, isExactNumber) as Value;
  } catch {
    // The parser's own words quote the text, which may be a secret.
    throw new FunctionError('jsonDecode() was given a text that is not JSON', 'Check the text.');
  }
}

function decodeBase64(given: string): string {
  const text = given.replace(/[\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw new FunctionError(
      'base64Decode() was given a text that is not base64',
      'Give letters, digits, `+` and `/`, with `=` at the end up to a multiple of four.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(text, 'base64'),
    );
  } catch {
    throw new FunctionError(
      'base64Decode() was given bytes that are not UTF-8 text',
      'Keep the value in base64: expressions hold texts.',
    );
  }
}

function decodeCsv(text: string): Value {
  const [header, ...rows] = readCsv(text);
  if (!header) {
    throw new FunctionError(
      'csvDecode() was given a text without a header',
      'Name the columns in the first line.',
    );
  }
  if (new Set(header).size < header.length) {
    throw new FunctionError(
      'csvDecode() was given two columns of one name',
      'Give each column in the first line its own name.',
    );
  }
  return rows.map((row, index): Value => {
    if (row.length === header.length) {
      return makeMap(header.map((name, column) => [name, row[column] ?? '']));
    }
    throw new FunctionError(
      `Row ${index + 1} given to csvDecode() does not have as many fields as the header`,
      `Give each row as many fields as the first line has: ${header.length}.`,
    );
  });
}

export const encodingFunctions = [
  defineFunction(
    {
      is: 'jsonEncode(value: any): text',
      does: 'The value as JSON on one line, with the keys of maps sorted. Like Terraform, it writes `<`, `>` and `&` as escapes.',
      example: ['jsonEncode({"b": [1, true], "a": null})', '{"a":null,"b":[1,true]}'],
    },
    encodeJson,
  ),
  defineFunction(
    {
      is: 'jsonDecode(text: text): any',
      does: 'The value that a text holds as JSON.',
      example: ['jsonDecode("{\\"a\\": [1, 2]}").a[1]', 2],
    },
    decodeJson,
  ),
  defineCostlyFunction(
    {
      is: 'yamlEncode(value: any): text',
      does: 'The value as YAML, with the keys of maps sorted and all texts in quotes.',
      example: ['yamlEncode({"b": [1, 2], "a": "x"})', '"a": "x"\n"b":\n- 1\n- 2\n'],
    },
    encodeYaml,
  ),
  defineCostlyFunction(
    {
      is: 'yamlDecode(text: text): any',
      does: 'The value that a text holds as YAML 1.2: one document, in which `yes` and `no` are texts.',
      example: ['yamlDecode("a: [1, 2]").a[1]', 2],
    },
    decodeYaml,
  ),
  defineFunction(
    {
      is: 'base64Encode(text: text): text',
      does: 'The bytes of the text, in UTF-8, as base64.',
      example: ['base64Encode("Hello World")', 'SGVsbG8gV29ybGQ='],
    },
    (text: string) => Buffer.from(text, 'utf8').toString('base64'),
  ),
  defineFunction(
    {
      is: 'base64Decode(text: text): text',
      does: 'The text, in UTF-8, that base64 stands for.',
      example: ['base64Decode("SGVsbG8gV29ybGQ=")', 'Hello World'],
    },
    decodeBase64,
  ),
  defineFunction(
    {
      is: 'csvDecode(text: text): list',
      does: 'The rows of comma-separated values (RFC 4180) as maps. The first line names the columns.',
      example: ['csvDecode("name,ram\\nweb,4\\n")', [{ name: 'web', ram: '4' }]],
    },
    decodeCsv,
  ),
];

const field = /("[^"]*(?:""[^"]*)*"|[^",\n]*)(,|\n|$)/y;

/**
 * Comma-separated values as RFC 4180 has them, a list for each line; empty lines are none.
 * @throws FunctionError where a quote is not closed
 */
function readCsv(given: string): string[][] {
  const text = given.replaceAll('\r\n', '\n');
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (row.length === 0 && text[at] === '\n') {
      at += 1;
      continue;
    }
    field.lastIndex = at;
    const match = field.exec(text);
    if (!match) {
      const line = text.slice(0, at).split('\n').length;
      throw new FunctionError(
        `csvDecode() was given a text with a stray quote in its line ${line}`,
        'Put the whole field into quotes, and double the quotes within it.',
      );
    }
    const [all, written = '', end] = match;
    row.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    at += all.length;
    if (end === ',' && at < text.length) continue;
    if (end === ',') row.push('');
    rows.push(row);
    row = [];
  }
  return rows;
}

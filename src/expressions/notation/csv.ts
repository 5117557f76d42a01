import { FunctionError } from '../parse/expression-fault.ts';

const field = /("[^"]*(?:""[^"]*)*"|[^",\n]*)(,|\n|$)/y;

/**
 * Comma-separated values as RFC 4180 has them, a list for each line; empty lines are none.
 * @throws FunctionError where a quote is not closed
 */
export function readCsv(given: string): string[][] {
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

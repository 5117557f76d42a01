// Documents in the manner of eleven kinds of hosting services, written without a look at the vocabulary; beside each, the
// binding that is true of it. What is not known is asked about, and nothing is said that is wrong.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { deriveBinding } from '../../../src/binding/derive-binding.ts';
import { readBinding } from '../../../src/config/contract/read-binding.ts';
import type { Binding, ListEnvelopeLine } from '../../../src/model/account/binding.ts';
import { findWrongLines } from '../../support/dialects/find-wrong-lines.ts';

const read = (name: string) => readFile(join(import.meta.dirname, 'documents', name), 'utf8');

/** The binding that is true of a service, as its file tells it: by path, by place and by envelope. */
interface Truth extends Omit<Binding, 'operations' | 'answers' | 'lists'> {
  /** The operations that the service lacks. */
  readonly without: readonly string[];
  /** The method of each operation, by path. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The operations whose answers hold their record at a place. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  readonly lists?: readonly (ListEnvelopeLine & { readonly of: readonly string[] })[];
}

async function readTruth(name: string): Promise<Binding> {
  const truth = parse(await read(`${name}.truth.yaml`)) as Truth;
  const { without, paths, answers, lists, ...rest } = truth;
  const bound = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([operation, method]) => [operation, `${method} ${path}`] as const),
  );
  const lacking = without.map((operation) => [operation, 'none'] as const);
  const placed = Object.entries(answers ?? {}).flatMap(([at, of]) =>
    of.map((one) => [one, at] as const),
  );
  return {
    ...rest,
    operations: Object.fromEntries([...bound, ...lacking]),
    answers: Object.fromEntries(placed),
    lists: Object.fromEntries(
      (lists ?? []).flatMap(({ of, ...line }) => of.map((one) => [one, line])),
    ),
  };
}

test.each([
  ['nordwerk', 14],
  ['tidepool', 32],
  ['meridian', 33],
  ['kelpie', 25],
  ['stratus', 34],
  ['cloudportal', 41],
  ['brickhost', 36],
  ['vpsboard', 33],
  ['lumen', 6],
  ['hollerith', 8],
  ['aspen', 3],
])('%s: no wrong line, and at most %i questions', async (name, most) => {
  const truth = await readTruth(name);
  const { binding, questions } = deriveBinding(JSON.parse(await read(`${name}.json`)));
  expect(findWrongLines(binding, truth)).toEqual([]);
  expect(questions.length).toBeLessThanOrEqual(most);
  expect(readBinding(stringify(binding), 'hosting.contract.yaml').diagnostics).toEqual([]);
});

test.each(['meridian', 'stratus', 'cloudportal', 'vpsboard'])(
  '%s: with what people answered, nothing is asked and nothing is wrong',
  async (name) => {
    const truth = await readTruth(name);
    const document: unknown = JSON.parse(await read(`${name}.json`));
    const { binding } = deriveBinding(document, truth);
    expect(findWrongLines(binding, truth)).toEqual([]);
  },
);

// A contract file as a reviewer is shown it: all that it says.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { listBindingLines } from '../../../src/api/binding/list-lines.ts';
import type { Binding } from '../../../src/model/account/binding.ts';
import { renderContract } from '../../../src/render/account/contract-text.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';

const layout = { columns: 100, style: createAnsiStyle(false) };
const flat = join(import.meta.dirname, '../../scenario/dialects/flat.contract.yaml');

it('has constants and places of parameters, answers, units and ids', () => {
  const binding: Binding = {
    version: 1,
    ids: { vm: 'number' },
    answers: { getVm: '/vm', getNetwork: '' },
    parameters: {
      getVm: { vmId: 'query server' },
      listOperations: { resourceId: 'query resourceId' },
      attachVm: { vmId: 'path vmId' },
    },
    constants: {
      startVm: { body: { '/type': 'power-on', '/a/b': [1] }, query: { force: true } },
    },
    units: { vm: { ram: 'MB' } },
  };
  const lines = listBindingLines(binding).filter(
    ({ line }) => !/^(?:operations|fields)/.test(line),
  );
  expect(lines.map(({ line, ours, theirs, state }) => [line, ours, theirs, state])).toEqual([
    ['parameters.listOperations.resourceId', 'query resourceId', 'query resourceId', 'same'],
    ['parameters.attachVm.vmId', 'body /vmId', 'path vmId', 'otherwise'],
    ['parameters.getVm.vmId', 'path vmId', 'query server', 'otherwise'],
    [
      'constants.startVm',
      '',
      'body /type "power-on", body /a/b [1], query force true',
      'otherwise',
    ],
    ['answers.getVm', '', '/vm', 'otherwise'],
    ['answers.getNetwork', '', 'the whole answer', 'otherwise'],
    ['units.vm.ram', '', 'MB', 'otherwise'],
    ['ids.vm', '', 'number', 'otherwise'],
  ]);
});

it('names each line of a file, in the text as in the data', async () => {
  const binding = parse(await readFile(flat, 'utf8')) as Binding;
  const lines = listBindingLines(binding);
  const text = renderContract({ file: 'a', document: undefined, lines }, layout);
  const named = new Set(lines.map(({ line }) => line));
  const tables = Object.entries(binding).filter(([table]) => table !== 'version');
  const said = tables.flatMap(([table, entries]) =>
    Object.entries(entries as object).flatMap(([name, value]: [string, unknown]) =>
      ['fields', 'parameters', 'units', 'enums'].includes(table)
        ? Object.keys(value as object).map((member) => `${table}.${name}.${member}`)
        : [`${table}.${name}`],
    ),
  );
  expect(said.filter((line) => !named.has(line))).toEqual([]);
  expect(said.filter((line) => !text.includes(line) && !isSame(line))).toEqual([]);
  expect(text).toContain('body /type "power-on"');

  function isSame(one: string) {
    return lines.some(({ line, state }) => line === one && state === 'same');
  }
});

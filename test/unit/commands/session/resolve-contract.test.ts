import { expect, test } from 'vitest';
import { resolveContractFile } from '../../../../src/commands/session/resolve-contract.ts';
import type { Binding } from '../../../../src/model/account/binding.ts';
import type { BoundContractFile } from '../../../../src/model/account/service.ts';
import type { PendingCreate } from '../../../../src/model/state/state.ts';
import { DiagnosticError } from '../../../../src/model/errors.ts';

const former: Binding = { version: 1, fields: { vm: { ram: '/memory' } } };
const now: Binding = { version: 1, fields: { vm: { ram: '/mb' } }, ids: { vm: 'number' } };
const file = (binding: Binding): BoundContractFile => ({
  file: 'a.contract.yaml',
  binding,
  sha256: '',
});

/** The words about a file, where the state was last applied with another; `open`: a create of then is unsettled. */
async function resolve(binding: Binding | undefined, open: boolean, allowsOtherContract = false) {
  const pending = new Map(open ? [['projects.shop', {} as PendingCreate]] : []);
  const state = { service: 'https://x/v1', contract: former, pending };
  const contract = binding && file(binding);
  return resolveContractFile({ env: {}, cwd: '/', allowsOtherContract }, { contract }, state).then(
    ({ warnings }) => warnings,
    (error: unknown) => (error instanceof DiagnosticError ? error.diagnostics : []),
  );
}

test.each([
  ['the same', former, false, false, []],
  ['the same while a create is open', former, true, false, []],
  [
    'the same from another document',
    { ...former, document: { file: 'b', sha256: '0' } },
    false,
    false,
    [],
  ],
  ['another', now, false, false, ['error fields.vm.ram, ids.vm']],
  ['another that is allowed', now, false, true, ['warning fields.vm.ram, ids.vm']],
  ['another while a create is open', now, true, false, ['error fields.vm.ram, ids.vm']],
  [
    'another while a create is open, whatever is allowed',
    now,
    true,
    true,
    ['error fields.vm.ram, ids.vm'],
  ],
  ['none any more', undefined, false, false, ['error fields.vm.ram']],
] as const)('a contract file that is %s', async (_, binding, open, isAllowed, expected) => {
  const said = (await resolve(binding, open, isAllowed)).map(
    ({ severity, detail = '' }) =>
      `${severity} ${/^Other now: ([^ ]+(?:, [^ ]+)*)\. /.exec(detail)?.[1] ?? detail}`,
  );
  expect(said).toEqual(expected);
});

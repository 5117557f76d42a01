import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import {
  isContractCheckPassed,
  renderBoundContract,
  renderCheckedContract,
  renderContract,
  renderProbedContract,
} from '../../../../src/render/account/contract-text.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';

const layout = { columns: 60, style: createAnsiStyle(false) };
const line = (name: string, state: 'same' | 'otherwise' | 'none' | 'open', theirs: string) =>
  ({ line: name, ours: '/a', theirs, state, evidence: 'assumed' }) as const;
const document = { file: 'service.json', sha256: '0' };
const diagnostic = (severity: Diagnostic['severity'], hint?: string): Diagnostic => ({
  severity,
  code: 'contract-mismatch',
  summary: 'createVm is not as the document has it',
  ...(hint !== undefined && { hint }),
});

test('a contract file, its operations and what is not the same', () => {
  const lines = [
    line('operations.getVm', 'same', '/a'),
    line('operations.listVms', 'otherwise', 'GET /servers'),
    line('operations.getLimits', 'none', 'none'),
    line('fields.vm.id', 'same', '/id'),
    line('fields.vm.imageId', 'open', 'open'),
    { ...line('lists.default', 'otherwise', ''), evidence: 'confirmed' } as const,
  ];
  expect(renderContract({ file: 'a.contract.yaml', document, lines }, layout)).toBe(
    `a.contract.yaml, from service.json:

same       assumed    operations.getVm
otherwise  assumed    operations.listVms
                      GET /servers
none       assumed    operations.getLimits
                      /a
open       assumed    fields.vm.imageId
                      /a
otherwise  confirmed  lists.default

Lines: 2 same, 2 otherwise, 1 none, 1 open. Evidence: 5
assumed, 1 confirmed.
`,
  );
  const none = renderContract({ file: undefined, document: undefined, lines: [] }, layout);
  expect(none).toContain('No contract file is named');
  expect(renderContract({ file: 'a', document: undefined, lines }, layout)).toMatch(/^a:\n/);
});

test('what was derived, and what a person has to answer', () => {
  const nothing = { rows: [], questions: [], faults: [], required: [], diagnostics: [] };
  const source = { file: 'a', line: 7, column: 1, endLine: 7, endColumn: 2 };
  const bound = {
    out: 'a.yaml',
    rows: [
      { line: 'operations.getVm', is: 'same', why: 'the same path' },
      { line: 'operations.listVms', is: 'otherwise', theirs: 'GET /servers', why: 'its id' },
      { line: 'lists.listVms', is: 'otherwise', theirs: { items: '' }, why: 'its envelope' },
      { line: 'operations.getLimits', is: 'none', why: 'nothing could be it' },
      { line: 'operations.getVmMetrics', is: 'none', why: 'nothing could be it' },
    ],
    questions: [
      { line: 'operations.stopVm', candidates: ['POST /a', 'POST /b'] },
      { line: 'fields.vm.name', candidates: [] },
    ],
    faults: [{ pointer: '/paths', what: 'A path is an object' }],
    required: [
      { operation: 'createVm', at: '/region', in: 'body', words: ['eu', 'us'] },
      { operation: 'listVms', at: 'zone', in: 'query', words: [] },
    ],
    diagnostics: [diagnostic('error'), { ...diagnostic('error'), source }],
  } as const;
  expect(renderBoundContract(bound, layout)).toBe(
    `otherwise  operations.listVms
           GET /servers (its id)
otherwise  lists.listVms
           { items: '' } (its envelope)
none       operations.getLimits, operations.getVmMetrics
           nothing could be it

a.yaml: 1 same, 2 otherwise, 2 none, 0 open.

The document is wrong here:
  /paths: A path is an object

Open. In a.yaml, write in place of each "open" what is
right, or "none" where the service lacks it. Then bind
again:
  operations.stopVm: POST /a, or POST /b?
  fields.vm.name: what is it?

The service requires what the contract does not know. In
a.yaml, write:
  constants: { createVm: { body: { /region: eu | us } } }
  constants: { listVms: { query: { zone: VALUE } } }

a.yaml:1: createVm is not as the document has it
a.yaml:7: createVm is not as the document has it
`,
  );
  expect(renderBoundContract({ out: 'a', ...nothing }, layout)).toBe(
    `a: 0 same, 0 otherwise, 0 none, 0 open.

Nothing is open. Name a in "service.contract" of the
configuration, and run "hostwright contract check".
`,
  );
});

test('a probe, and a check', () => {
  const found = [
    { operation: 'listVms', path: '/servers' },
    { operation: 'getLimits', path: null },
  ];
  const probed = { out: 'a.yaml', requests: 1, found };
  expect(renderProbedContract({ ...probed, open: ['operations.getVm'] }, layout)).toBe(
    `listVms    GET /servers
getLimits  not found

a.yaml is written, after 1 request.

Open, since these reads did not show it: operations.getVm.
In a.yaml, write in place of each "open" what is right, or
"none" where the service lacks it. A list that was empty
shows more once it has something: probe again then, with
another --out.
`,
  );
  expect(renderProbedContract({ ...probed, open: [] }, layout)).not.toContain('Open');
  const nothing = { untold: [], mistyped: [], lines: [] };
  const account = [
    {
      operation: 'listVms',
      records: 2,
      ...nothing,
      untold: ['ram'],
      mistyped: ['disk is a string'],
    },
    { operation: 'getVm', records: null, why: 'not bound', ...nothing },
    { operation: 'getLimits', records: null, ...nothing },
  ];
  const checked = {
    account,
    diagnostics: [diagnostic('warning', 'Bind again.'), diagnostic('error')],
  };
  expect(renderCheckedContract(checked, layout)).toBe(
    `createVm is not as the document has it [contract-mismatch]
  Bind again.

createVm is not as the document has it [contract-mismatch]

listVms    2 records
           untold: ram
           of another type: disk is a string
getVm      not bound
getLimits  ${''}

1 of 3 reads answered. Correct what is wrong above in the
contract file, and check again.
No answer has what is untold: write its place in the
contract file, or "none" where the service lacks it.
`,
  );
  expect(isContractCheckPassed(checked)).toBe(false);
  const typed = account.slice(1);
  expect(isContractCheckPassed({ account: typed, diagnostics: [diagnostic('warning')] })).toBe(
    true,
  );
  expect(isContractCheckPassed({ account: typed, diagnostics: [diagnostic('error')] })).toBe(false);
});

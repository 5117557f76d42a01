// A contract file is a stranger's: it spells what is asked otherwise, and asks for nothing else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBinding } from '../../../src/config/contract/read-binding.ts';
import { readRows } from '../../support/read-rows.ts';

const faultsOf = (lines: string) =>
  readBinding(`version: 1\n${lines}`, 'a.contract.yaml').diagnostics.map(
    ({ summary, source }) => `${source?.line}:${source?.column} ${summary}`,
  );
const operation = (line: string) => faultsOf(`operations:\n  ${line}`);
const vms = '/projects/{projectId}/vms';

describe('a contract file', () => {
  it.each([
    ['a path with ..', 'listVms: GET /projects/../vms', 'leads out of the base address'],
    ['an encoded ..', 'listVms: GET /projects/%2e%2e/vms', 'is encoded'],
    ['a host', 'listVms: GET //evil.example/{projectId}', 'names a host'],
    ['an absolute address', 'listVms: GET https://evil.example/', 'has a form that is not allowed'],
    ['a query', 'listVms: "GET /vms/{projectId}?all=1"', 'a character that no path has'],
    ['a way back', 'listVms: "GET /a\\\\..\\\\{projectId}"', 'a character that no path has'],
    ['a read that changes', `getVm: POST ${vms}/{vmId}`, 'a read is a GET'],
    ['a change by GET', `renameVm: GET ${vms}/{vmId}/name`, 'a GET only reads'],
    ['a rename that deletes', `renameVm: DELETE ${vms}/{vmId}/name`, 'a DELETE does'],
    ['a rename that rebuilds', `renameVm: POST ${vms}/{vmId}/rebuild`, 'that is rebuildVm'],
    ['a start that wipes', `startVm: POST ${vms}/{vmId}/wipe-disk`, 'this path says that it does'],
    ['a stop that deletes', `stopVm: POST ${vms}/{vmId}/loeschen`, 'this path says that it does'],
    ['a read that deletes', `getVm: GET ${vms}/{vmId}/delete`, 'this path says that it does'],
    ['a reboot that erases', `rebootVm: POST ${vms}/{vmId}/Supprimer`, 'this path says'],
    [
      'a key for its project',
      'deleteSshKey: DELETE /projects/{projectId}',
      'that is deleteProject',
    ],
    ['a detachment that deletes', `detachVm: DELETE ${vms}/{vmId}`, 'that is deleteVm'],
    ['one without its id', `deleteVm: DELETE ${vms}`, 'sent without its vmId'],
    ['a list of everything', 'listVms: GET /vms', 'sent without its projectId'],
    ['a list of the backups of all VMs', 'listBackups: GET /backups', 'sent without its vmId'],
    ['a part that nobody gives', `getVm: GET ${vms}/{vmId}/{zone}`, 'Nothing gives {zone}'],
    ['two slashes at the end', `listVms: GET ${vms}//`, 'an empty part'],
    ['nothing but slashes', 'listVms: GET /', 'an empty part'],
    [
      'a key for its project, with a slash',
      'deleteSshKey: DELETE /projects/{projectId}/',
      'that is deleteProject',
    ],
    ['no operation', 'listServers: GET /servers', 'no operation `listServers`'],
  ])('is refused with %s', (_, line, said) => expect(operation(line).join('\n')).toContain(said));

  it('names what holds a list, or what is made, at once: the rest follows from that', () => {
    const two = 'listBackups: GET /vms/{vmId}/backups\n  createBackup: POST /vms/{vmId}/backups';
    expect(operation(two)).toEqual([]);
  });

  it('keeps a slash at the end of a path, which is one place with the path without it', () => {
    expect(operation(`listVms: GET ${vms}/`)).toEqual([]);
    expect(operation(`renameVm: PATCH ${vms}/{vmId}\n  startVm: PATCH ${vms}/{vmId}/`)).toEqual([
      `4:12 renameVm and startVm are bound to one place, PATCH /projects/{}/vms/{}`,
    ]);
  });

  it('is refused with two operations on one place, unless a constant tells them apart', () => {
    const two = `startVm: POST ${vms}/{vmId}/power\n  stopVm: POST ${vms}/{vmId}/power`;
    expect(operation(two)).toEqual([
      `4:11 startVm and stopVm are bound to one place, POST /projects/{}/vms/{}/power`,
    ]);
    const constants = (stop: string) =>
      `operations:\n  ${two}\nconstants: { startVm: { body: { /to: on } }, stopVm: { body: { /to: ${stop} } } }`;
    expect(faultsOf(constants('off'))).toEqual([]);
    expect(faultsOf(constants('on'))).toHaveLength(1);
    // A line may lead to where another operation stands that has none.
    expect(operation(`stopVm: POST ${vms}/{vmId}/start`)).toHaveLength(1);
  });

  it.each(
    readRows(`
    no id | fields: { vm: { id: none } } | nothing is recognised without it
    no status | fields: { vm: { status: none } } | nothing is recognised without it
    a pointer into headers | parameters: { getVm: { vmId: header X-Id } } | has a form that is not allowed
    no pointer | fields: { vm: { name: title } } | vm.name
    an unknown member | fields: { vm: { flavour: /a } } | no member of vm \`flavour\`
    failed as active | enums: { resourceStatus: { failed: active } } | it is \`active\` already
    one word for two | enums: { resourceStatus: { failed: bad, deleting: BAD } } | \`failed\` already
    a unit of text | units: { vm: { name: MB } } | vm.name is not a number
    pages without a name | lists: { listVms: { page: { by: cursor, cursor: a } } } | needs \`next\`
    a constant image | constants: { rebuildVm: { body: { /imageId: x } } } | cannot be constant
    lost backups | constants: { rebuildVm: { body: { /deleteBackups: true } } } | cannot be constant
    a constant page | constants: { listVms: { query: { page: 1 } } } | cannot be constant
    another key | headers: { Authorization: x } | The file has no key \`headers\`
    no version | version: 2 | version
  `),
  )('is refused with %s', (_, lines, said) => expect(faultsOf(lines).join('\n')).toContain(said));

  it('tells every fault at once, and is used for none', () => {
    const lines = 'fields: { vm: { id: none } }\nids: { vn: number }\nunits: { vm: { ram: MB } }';
    const { binding, diagnostics } = readBinding(`version: 1\n${lines}`, 'a.contract.yaml');
    expect(binding).toBeUndefined();
    expect(diagnostics.map(({ hint }) => hint)).toEqual([undefined, 'Did you mean `vm`?']);
  });

  it('is as its page shows it', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/contract.md'), 'utf8');
    const [, block = ''] = /```yaml other\n(version: 1\n[^`]*)```/.exec(page) ?? [];
    const { diagnostics } = readBinding(block.replace('9f2c…', '9f2c'.repeat(16)), 'a');
    expect(diagnostics).toEqual([]);
  });

  it.each(['delete', 'Eliminar', 'forceDestroy'])('a stop by the word %s', (word) => {
    const [said] = faultsOf(`operations: { stopVm: "POST ${vms}/{vmId}/actions" }
constants: { stopVm: { body: { /action: ${word} } } }`);
    expect(said).toContain(`stopVm cannot have the constant "${word}"`);
  });

  it('a rebuild by the word of a rebuild', () =>
    expect(
      faultsOf(`operations: { rebuildVm: "POST ${vms}/{vmId}/actions" }
constants: { rebuildVm: { body: { /action: reinstall } } }`),
    ).toEqual([]));
});

// A contract file is a stranger's: it spells what is asked otherwise, and asks for nothing else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOperationLossWeight } from '../../../src/api/contract/check-loss.ts';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import { operationShapes } from '../../../src/api/contract/shapes.ts';
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
    ['one without its id', `deleteVm: DELETE ${vms}`, 'a path of DELETE ends with {vmId}'],
    ['a POST without its id', 'deleteVm: POST /servers/destroy', 'sent without its vmId'],
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
    [
      'a detachment by the VM alone',
      'detachVm: DELETE /servers/{vmId}',
      'a path of DELETE ends with {networkId} and {vmId}',
    ],
    [
      'a backup by its VM',
      'deleteBackup: DELETE /servers/{vmId}\nparameters: { deleteBackup: { backupId: query backup } }',
      'a path of DELETE ends with {backupId}',
    ],
    [
      'a forward by its address',
      'deletePortForward: DELETE /ips/{publicIpId}\nparameters: { deletePortForward: { portForwardId: query forward } }',
      'a path of DELETE ends with {portForwardId}',
    ],
    [
      'a VM by its project, by another name',
      'deleteVm: DELETE /tenants/{vmId}\nparameters: { deleteVm: { projectId: path vmId, vmId: query vm } }',
      'a path of DELETE ends with {vmId}',
    ],
    [
      'a key by a part that a server leaves out',
      'deleteSshKey: DELETE /projects/{projectId};{sshKeyId}',
      'a character that no path has',
    ],
    [
      'a key in one part with its project',
      'deleteSshKey: DELETE /projects/{projectId},{sshKeyId}',
      'a path of DELETE ends with {sshKeyId}',
    ],
    ['a backup for its VM', `deleteBackup: DELETE ${vms}/{backupId}`, 'that is deleteVm'],
    [
      'a key in other letters',
      'deleteSshKey: DELETE /Projects/{sshKeyId}',
      'that is deleteProject',
    ],
    ['a rebuild that deletes', 'rebuildVm: DELETE /servers/{vmId}', 'it deletes nothing'],
    [
      'a backup for what is read as a VM',
      'getVm: GET /servers/{vmId}\n  deleteBackup: DELETE /Servers/{backupId}',
      'getVm has there what holds more',
    ],
    [
      'a backup for one of the VMs that are only listed',
      'getVm: none\n  listVms: GET /projects/{projectId}/boxes\n  deleteBackup: DELETE /projects/{projectId}/Boxes/{backupId}',
      'listVms has there what holds more',
    ],
    [
      'a backup for what is made as a VM',
      'getVm: none\n  listVms: none\n  createVm: POST /projects/{projectId}/boxes\n  deleteBackup: DELETE /projects/{projectId}/boxes/{backupId}',
      'createVm has there what holds more',
    ],
    [
      'a backup for what is started as a VM',
      'getVm: none\n  listVms: none\n  startVm: POST /boxes/{vmId}/start\n  deleteBackup: DELETE /boxes/{backupId}',
      'startVm has there what holds more',
    ],
    [
      'a backup for a VM, by a POST',
      'getVm: GET /boxes/{vmId}\n  deleteBackup: POST /boxes/{backupId}/delete',
      'getVm has there what holds more',
    ],
    [
      'a key for a backup',
      'listBackups: GET /vms/{vmId}/copies\n  deleteSshKey: DELETE /vms/{projectId}/copies/{sshKeyId}',
      'listBackups has there what holds more',
    ],
    [
      'a network for its address',
      'deleteNetwork: DELETE /projects/{projectId}/public-ips/{networkId}',
      'that is deletePublicIp',
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
    detachVm | POST /projects/{projectId}/networks/{networkId}/vms/{vmId}/destroy
    detachVm | POST /servers/{vmId}/remove
    detachVm | POST /networks/{networkId}/remove
    detachVm | POST /servers/{vmId}/remove-server
    detachVm | POST /networks/{networkId}/vms/{vmId}/reinstall
    startVm | POST /projects/{projectId}/vms/{vmId}/remove
    renameVm | POST /projects/{projectId}/vms/{vmId}/recreate
    rebootVm | POST /projects/{projectId}/vms/{vmId}/reset-to-factory
    rebootVm | POST /projects/{projectId}/vms/{vmId}/factory-reset
    rebootVm | POST /servers/{vmId}/resetDisk
    stopVm | POST /servers/{vmId}/reset
    stopVm | POST /servers/{vmId}/wipedisk
    stopVm | POST /servers/{vmId}/diskwipe
    stopVm | POST /servers/{vmId}/redeploy
    stopVm | POST /servers/{vmId}/drop
    stopVm | POST /servers/{vmId}/discard
    stopVm | POST /servers/{vmId}/release
    stopVm | POST /servers/{vmId}/decommission
    stopVm | POST /servers/{vmId}/vmterminate
    stopVm | POST /servers/{vmId}/deLete
    stopVm | POST /servers/{vmId}/termination
    stopVm | POST /instances/{vmId}/cancel
    stopVm | POST /server/{vmId}/cancellation
    stopVm | POST /servers/{vmId}/expunge
    stopVm | POST /servers/{vmId}/deprovision
    stopVm | POST /servers/{vmId}/kuendigen
    cancelSaleRenewal | POST /sales/{saleId}/delete
    startVm | POST /vms/{vmId}/deletion
    startVm | POST /vms/{vmId}/reBuild
    rebootVm | POST /vms/{vmId}/rollback
    rebootVm | POST /vms/{vmId}/restore
    rebuildVm | POST /servers/{vmId}/destroy
    restoreBackup | POST /vms/{vmId}/backups/{backupId}/delete
    deletePortForward | POST /ips/{publicIpId}/forwards/{portForwardId}/rebuild
  `),
  )('%s is not bound to %s', (name, line) =>
    expect(operation(`${name}: ${line}`).join('\n')).toMatch(/this path says/),
  );

  it.each([
    ['deleteBackup: POST /servers/{vmId}/destroy', 'backupId'],
    ['deleteBackup: POST /servers/{vmId}:wipe', 'backupId'],
    ['deletePortForward: POST /ips/{publicIpId}/release', 'portForwardId'],
    ['deleteVm: POST /projects/{projectId}/destroy', 'vmId'],
    ['deleteBackup: POST /servers/{vmId}/actions/delete', 'backupId'],
    ['deleteBackup: POST /servers/{vmId}/actions/delete-server', 'backupId'],
    ['deleteBackup: POST /servers/{vmId}/deleteServerBackupAndServer', 'backupId'],
    ['deleteBackup: POST /servers/{vmId}/destroy-with-backups', 'backupId'],
    ['deleteBackup: POST /servers/{vmId}/backups/delete-instance', 'backupId'],
    ['deleteBackup: POST /servers/{vmId}/actions/deLete', 'backupId'],
    ['deletePortForward: POST /ips/{publicIpId}/rules/releaseAddress', 'portForwardId'],
    ['deleteNetwork: POST /projects/{projectId}/do/remove-project', 'networkId'],
    ['deleteVm: PUT /projects/{projectId}/actions/delete', 'vmId'],
  ])('%s is not bound to the end of what holds it', (line, id) => {
    const [name = ''] = line.split(':');
    const lines = `operations: { ${name}: "${line.slice(name.length + 2)}" }`;
    const places = `parameters: { ${name}: { ${id}: body /id } }`;
    expect(faultsOf(`${lines}\n${places}`).join()).toMatch(
      /its path ends \{(?:vm|publicIp|project)Id\}/,
    );
  });

  it.each([
    ['deleteBackup', 'POST /servers/delete', '/id'],
    ['deleteSshKey', 'POST /api/terminate_instances', '/id'],
    ['deleteBackup', 'POST /servers/{backupId}/terminate', undefined],
    ['deleteVm', 'POST /tenants/remove', '/id'],
  ])('%s is not bound to %s, the end of heavier things by their name', (name, line, at) => {
    const { params } = operationShapes[name as OperationId];
    const places =
      at === undefined ? '' : `\nparameters: { ${name}: { ${params.at(-1)}: body ${at} } }`;
    expect(faultsOf(`operations: { ${name}: "${line}" }${places}`).join()).toMatch(
      /its path ends (?:servers|instances|tenants)/,
    );
  });

  it.each([
    ['deleteBackup', 'POST /servers/{vmId}/actions', '{ body: { /type: delete } }'],
    ['deleteBackup', 'POST /servers/{vmId}/action', '{ body: { /action/type: terminate-server } }'],
    ['deleteBackup', 'POST /servers/{vmId}/action', '{ query: { do: desTroy } }'],
    ['deleteBackup', 'POST /servers/{vmId}/action', '{ body: { /wipe: true } }'],
    ['deleteBackup', 'POST /servers/{vmId}/backups', '{ body: { /do: { it: delete-vm } } }'],
    ['deleteBackup', 'POST /servers/{vmId}/action', '{ body: { /do: [delete, backup] } }'],
    ['deleteBackup', 'POST /rpc', '{ body: { /method: servers.delete } }'],
    ['deleteBackup', 'POST /delete', '{ body: { /type: server } }'],
    ['deletePortForward', 'POST /ips/{publicIpId}', '{ body: { /type: release } }'],
    ['deleteVm', 'POST /projects/{projectId}/act', '{ body: { /type: delete } }'],
  ])('%s at %s does not end what is heavier by the constant %s', (name, line, constant) => {
    const { params } = operationShapes[name as OperationId];
    const lines = `operations: { ${name}: "${line}" }
parameters: { ${name}: { ${params.at(-1)}: body /id } }
constants: { ${name}: ${constant} }`;
    expect(faultsOf(lines).join()).toMatch(
      /cannot have these constants: it ends (?:\{(?:vm|publicIp|project)Id\}|servers?)/,
    );
  });

  it.each([
    ['deleteBackup', 'POST /servers/{vmId}/actions', '{ body: { /type: delete_backup } }'],
    ['deleteBackup', 'POST /servers/{vmId}/backups', '{ body: { /type: delete } }'],
    ['deleteBackup', 'POST /servers/{vmId}/backups/delete', '{ body: { /force: true } }'],
    ['deleteBackup', 'POST /rpc', '{ body: { /method: backup.delete } }'],
    ['deletePortForward', 'POST /ips/{publicIpId}/act', '{ body: { /type: removeNatRule } }'],
    ['deleteVm', 'POST /projects/{projectId}/act', '{ body: { /type: delete-server } }'],
    ['deleteVm', 'POST /servers/{vmId}/action', '{ body: { /type: delete } }'],
    ['deletePortForward', 'POST /ips/{publicIpId}/drop-rule', '{ body: { /force: true } }'],
  ])('%s at %s may have the constant %s', (name, line, constant) => {
    const id = operationShapes[name as OperationId].params.at(-1) ?? '';
    const places = line.includes(`{${id}}`) ? '' : `\nparameters: { ${name}: { ${id}: body /id } }`;
    expect(
      faultsOf(`operations: { ${name}: "${line}" }${places}\nconstants: { ${name}: ${constant} }`),
    ).toEqual([]);
  });

  const deletion = (row: readonly string[]) => {
    const [name, line, places, constants] = row.map((cell) => cell.replace(/^-$/, ''));
    return faultsOf(
      [
        `operations: { getVm: "GET /boxes/{vmId}", ${name}: "${line}" }`,
        `parameters: { ${name}: { ${places} } }`,
        `constants: { ${name}: { ${constants} } }`,
      ].join('\n'),
    );
  };

  // In the manner of services that delete by POST or PUT, be it by paths or by calls.
  it.each(
    readRows(`
    deleteVm | POST /servers/{vmId}/action | - | body: { /forceDelete: null }
    deleteVm | POST /v2/droplets/{vmId}/actions | - | body: { /type: destroy }
    deleteVm | POST /linode/instances/{vmId}/delete | - | body: { /account: main }
    deleteVm | POST /servers/{vmId}/delete | - | body: { /project: main, /tenant: a, /workspace: b }
    deleteVm | POST /projects/{projectId}/virtualmachines/delete | vmId: body /id | -
    deleteVm | POST /v1/server/destroy | vmId: body /SUBID | -
    deleteVm | POST /rpc | vmId: body /params/id | body: { /method: server.delete }
    deleteVm | POST /api | vmId: query id | query: { action: TerminateInstances, org: main }
    deleteVm | POST /cloud/servers/terminate | projectId: query project, vmId: body /id | -
    deleteVm | POST /servers/{vmId}/delete-with-volumes | - | -
    deleteBackup | POST /v1/snapshot/destroy | backupId: body /SNAPSHOTID | -
    deleteBackup | POST /servers/{vmId}/actions/delete_image | backupId: body /image | -
    deleteBackup | POST /backups/bulk-delete | vmId: body /server, backupId: body /ids/0 | -
    deleteBackup | POST /rpc | vmId: body /vm, backupId: body /id | body: { /method: backup.delete }
    deleteBackup | POST /api | backupId: body /id | body: { /resource: backup, /action: delete }
    deleteVm | POST /rpc | vmId: body /id | body: { /method: box.delete }
    deleteVm | POST /rpc | vmId: body /id | body: { /action: delete, /confirm: delete }
    deleteBackup | POST /rpc | backupId: body /id | body: { /method: vm.backup.delete, /project: main }
    deleteBackup | POST /delete-backup/{vmId} | backupId: body /id | -
    deleteBackup | POST /servers/{vmId}/backups/expire | backupId: body /id | -
    deleteVm | POST /compute/instances/{vmId}/cancel | - | -
    deleteVm | POST /server/{vmId}/cancellation | - | body: { /reason: cost }
    deletePublicIp | POST /projects/{projectId}/floatingips/release | publicIpId: body /id | -
    deletePublicIp | POST /projects/{projectId}/publicips/delete | publicIpId: query ip | -
    deletePublicIp | POST /api | publicIpId: query AllocationId | query: { Action: ReleaseAddress }
    deletePublicIp | POST /projects/{projectId}/reserved-ips/{publicIpId}/release | - | -
    deleteNetwork | POST /projects/{projectId}/networks/bulk-delete | networkId: body /id | -
    deleteNetwork | POST /projects/{projectId}/networks/actions/delete | networkId: body /id | -
    deleteNetwork | POST /projects/{projectId}/privatenetworks/delete | networkId: body /id | -
    deleteNetwork | PUT /vpc/remove | projectId: body /project, networkId: body /id | -
    deleteSshKey | POST /projects/{projectId}/sshkeys/delete | sshKeyId: body /id | -
    deleteSshKey | POST /os-keypairs/delete | sshKeyId: query name | query: { user: main }
    deletePortForward | POST /ips/{publicIpId}/portforwards/remove | portForwardId: body /id | -
    deletePortForward | POST /ips/{publicIpId}/nat-entries/delete | portForwardId: body /id | -
    deletePortForward | POST /fwrules/delete | publicIpId: body /ip, portForwardId: body /id | -
    deleteToken | POST /apitokens/revoke/delete | tokenId: body /id | -
  `),
  )('%s may be bound to %s with %s and the constants %s', (...row) =>
    expect(deletion(row)).toEqual([]),
  );

  // Boxes are the VMs of this service.
  it.each(
    readRows(`
    deleteBackup | POST /boxes/delete | vmId: body /id, backupId: body /note | -
    deleteBackup | POST /boxes/delete | backupId: body /id | -
    deleteBackup | POST /projects/{projectId}/box/actions/delete | backupId: body /id | -
    deleteBackup | POST /deleteBox | backupId: query id | -
    deleteBackup | POST /api/things/delete | vmId: query id, backupId: body /note | -
    deleteBackup | POST /x/{backupId}/delete | vmId: body /id | -
    deleteBackup | POST /actions | backupId: body /id | body: { /resource: server, /action: delete }
    deleteBackup | POST /api | backupId: body /id | body: { /do: delete, /of: server, /x: backup }
    deleteBackup | POST /api | backupId: body /id | query: { do: delete }, body: { /of: Máquina }
    deleteBackup | POST /servers/{vmId}/act | backupId: body /n | body: { /do: delete, /x: backup }
    deleteBackup | POST /api | vmId: body /id, backupId: body /n | body: { /do: delete, /x: backup }
    deleteBackup | POST /servers/actions/delete | backupId: body /id | -
    deleteBackup | POST /servers/delete-by-id | backupId: body /id | -
    deleteBackup | POST /servers/bulk-delete | backupId: body /id | -
    deleteBackup | POST /servers/delete/permanently | backupId: body /id | -
    deleteBackup | POST /cloudservers/delete | backupId: body /id | -
    deleteBackup | POST /servers/deleteServerAndBackup | backupId: body /id | -
    deleteNetwork | POST /remove | projectId: body /id, networkId: body /note | -
    deleteNetwork | POST /networks/delete-all | networkId: body /id | -
    deleteNetwork | POST /projects/{projectId}/delete-all-networks | networkId: body /id | -
    deleteNetwork | POST /public-ips/release | networkId: body /id | -
    deletePublicIp | POST /virtualmachines/release | publicIpId: body /id | -
    deletePortForward | POST /drop | publicIpId: query id, portForwardId: query x | -
    deleteSshKey | POST /subaccounts/delete | sshKeyId: body /id | -
    deleteBackup | POST /servers/delete/{vmId} | backupId: body /n | -
    deleteBackup | POST /delete-server-and-backups/{vmId} | backupId: body /n | -
    deleteBackup | POST /delete-server-and-backup/{backupId} | - | -
    deleteBackup | POST /servers/{vmId}/zap | backupId: body /n | -
    deleteBackup | POST /servers/{vmId}/act | backupId: body /n | body: { /do: zap }
    deleteBackup | POST /servers/{vmId}/backups | backupId: body /n | body: { /do: cancel-server }
    deleteBackup | POST /server/{backupId} | - | -
    deleteBackup | POST /servers/{vmId}/backups/host/delete | backupId: body /n | -
    deletePortForward | POST /rules/addresses/release | portForwardId: body /id | -
    deleteBackup | POST /rpc | backupId: body /id | body: { /method: box.delete }
    deleteBackup | POST /rpc | backupId: body /id | body: { /method: thing.delete }
    deleteVm | POST /rpc | vmId: body /id | body: { /method: thing.delete }
    deleteBackup | POST /api | vmId: body /id, backupId: body /n | body: { /resource: backup, /do: delete }
    deleteBackup | POST /api | vmId: body /vm, backupId: body /note | body: { /x: backup, /do: delete }
    deleteBackup | POST /api | projectId: body /project, vmId: body /id, backupId: body /n | body: { /of: backup, /do: delete }
    deleteBackup | POST /api | vmId: body /vm, backupId: body /n | body: { /of: server, /x: backup, /do: delete }
    deleteBackup | POST /servers/{vmId}/act | backupId: body /n | body: { /resource: backup, /do: delete }
    deleteVm | POST /destroy | projectId: body /id, vmId: body /note | -
    deleteVm | POST /servers/{vmId}/delete | - | body: { /then: delete-account }
    deleteVm | POST /api | vmId: body /id | body: { /action: delete, /type: organization }
  `),
  )('%s is not bound to %s with %s and the constants %s', (...row) =>
    expect(deletion(row).join()).toMatch(/: it(?:s path)? ends |has there what holds more/),
  );

  it('keeps its backups where a list of them is that of a VM', () => {
    const two = 'listBackups: GET /backups/{vmId}\n  deleteBackup: POST /backups/delete';
    expect(
      faultsOf(`operations:\n  ${two}\nparameters: { deleteBackup: { backupId: body /id } }`),
    ).toEqual([]);
  });

  it.each(
    readRows(`
    detachVm | POST /networks/{networkId}/remove-server | vmId
    detachVm | POST /servers/{vmId}/remove_from_network | networkId
    detachVm | POST /servers/{vmId}/removeInterface | networkId
    detachVm | POST /networks/{networkId}/vms/{vmId}/remove | vmId
    rebootVm | POST /servers/{vmId}/reset | vmId
    rebootVm | POST /servers/{vmId}/actions/hard_reset | vmId
    rebootVm | POST /droplets/{vmId}:reset | vmId
    deletePublicIp | POST /addresses/{publicIpId}/release | publicIpId
    deleteBackup | POST /servers/{vmId}/delete-backup | backupId
    deleteVm | POST /servers/{vmId}/terminate | vmId
    rebuildVm | POST /servers/{vmId}/wipe-and-reinstall | vmId
    getImage | GET /releases/{imageId} | imageId
    getImage | GET /cancelled/{imageId} | imageId
    cancelSaleRenewal | POST /orders/{saleId}/cancel_renewal | saleId
    listBackups | GET /servers/{vmId}/restore-points | vmId
    getImage | GET /softwareImages/{imageId} | imageId
    getConfiguration | GET /featuresets/{configurationId} | configurationId
    startVm | POST /coreSettings/dropdown/{vmId}/start | vmId
    deleteVm | DELETE /virtual_machines/{vmId}.json | vmId
    deleteVm | DELETE /servers({vmId}) | vmId
    startVm | POST /teraservers/{vmId}/prebuilt/start | vmId
  `),
  )('%s may be bound to %s', (name, line, id) => {
    const isPlaced = line.includes(`{${id}}`);
    const places = isPlaced ? '' : `\nparameters: { ${name}: { ${id}: body /id } }`;
    expect(faultsOf(`operations: { ${name}: "${line}" }${places}`)).toEqual([]);
  });

  const shared = (two: string, constants: string) =>
    faultsOf(`operations:\n  ${two}\nconstants: { ${constants} }`).join('\n');

  it.each([
    ['DELETE', '{ query: { kind: a } }', '{ query: { kind: b } }'],
    ['DELETE', '{ body: { /kind: a } }', '{ body: { /kind: b } }'],
    ['POST', '{ body: { /kind: a } }', '{ body: { /kind: b } }'],
  ])('is refused with two ends of different weight on one %s: %s', (method, one, other) => {
    const two = `deleteBackup: ${method} /things/{backupId}\n  deleteVm: ${method} /things/{vmId}`;
    expect(shared(two, `deleteBackup: ${one}, deleteVm: ${other}`)).toContain(
      `one place, ${method} /things/{}, and one loses more`,
    );
  });

  it('tells a rebuild from other actions by the body that both need, and by no query', () => {
    const two = `startVm: POST ${vms}/{vmId}/act\n  rebuildVm: POST ${vms}/{vmId}/act`;
    const by = (place: string, key: string) =>
      shared(two, `startVm: { ${place}: { ${key}: a } }, rebuildVm: { ${place}: { ${key}: b } }`);
    expect(by('body', '/do')).toBe('');
    expect(by('query', 'do')).toContain('one loses more than the other');
  });

  it.each([
    ['{ body: { /type: start } }', '{ body: { /type: detach } }'],
    ['{ body: { /os-start: null } }', '{ body: { /removeNetwork/now: true } }'],
    ['{ body: { /os-start: null } }', '{ body: { /remove_interface/now: true } }'],
  ])('tells a start from a detachment of the same VM by their bodies: %s, %s', (start, detach) => {
    const at = 'POST /servers/{vmId}/action';
    const lines =
      `operations: { startVm: ${at}, rebuildVm: ${at}, detachVm: ${at}, deleteVm: ${at} }
parameters: { detachVm: { networkId: body /removeNetwork/id } }
constants:
  startVm: ${start}
  rebuildVm: { body: { /type: rebuild, /rebuild/why: asked } }
  deleteVm: { body: { /type: delete, /delete/why: asked } }
  detachVm: ${detach}`.replaceAll(`: ${at}`, `: "${at}"`);
    expect(faultsOf(lines)).toEqual([]);
    expect(faultsOf(lines.replace(detach, '{ body: { /type: delete } }')).join()).toContain(
      'detachVm cannot have the constant "delete"',
    );
    expect(faultsOf(lines.replace(detach, '{ body: { /removeServer: true } }')).join()).toContain(
      'detachVm cannot have the constant /removeServer',
    );
    const untold = '{ query: { type: detach } }';
    expect(faultsOf(lines.replace(detach, untold)).join()).toContain(
      'detachVm and startVm are bound to one place',
    );
  });

  it('takes a member that one of two bodies has in addition for no difference', () => {
    const two = `startVm: POST ${vms}/{vmId}/act\n  detachVm: POST ${vms}/{vmId}/act`;
    const more = 'startVm: { body: { /do: it } }, detachVm: { body: { /do: it, /now: true } }';
    expect(shared(two, more)).toContain('and one loses more than the other');
  });

  it('compares each of three operations on one place with both others', () => {
    const at = `POST ${vms}/{vmId}/power`;
    const three = `startVm: ${at}\n  stopVm: ${at}\n  rebootVm: ${at}`;
    const to = (word: string) => `{ body: { /to: ${word} } }`;
    expect(
      shared(three, `startVm: ${to('a')}, stopVm: ${to('b')}, rebootVm: ${to('b')}`),
    ).toContain('stopVm and rebootVm are bound to one place');
  });

  it('leaves ids of a service of POST alone in its bodies, and an attachment in either order', () => {
    const lines = `deleteBackup: POST /backups/delete
  deleteVm: POST /servers/{vmId}/destroy
  deletePublicIp: POST /addresses/release
  detachVm: DELETE /servers/{vmId}/networks/{networkId}
parameters:
  deleteBackup: { backupId: body /backup }
  deletePublicIp: { publicIpId: query address }`;
    expect(operation(lines)).toEqual([]);
  });

  it('ends a loss as the contract has it, each with its weight', () => {
    const ends = Object.entries(routes).filter(([, { method }]) => method === 'DELETE');
    for (const [name] of ends)
      expect(findOperationLossWeight(name as OperationId)).toBeGreaterThan(0);
    const ordered = [
      ...(['detachVm', 'deleteNetwork', 'deletePublicIp', 'deleteBackup'] as const),
      ...(['rebuildVm', 'deleteVm', 'deleteProject'] as const),
    ];
    const weights = ordered.map((one) => findOperationLossWeight(one));
    expect(weights).toEqual(weights.toSorted((one, other) => one - other));
    expect(new Set(weights).size).toBe(ordered.length);
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

  it.each(['delete', 'desTroy', 'restore', 'Eliminar', 'forceDestroy'])(
    'a stop by the word %s',
    (word) => {
      const [said] = faultsOf(`operations: { stopVm: "POST ${vms}/{vmId}/actions" }
constants: { stopVm: { body: { /action: ${word} } } }`);
      expect(said).toContain(`stopVm cannot have the constant "${word}"`);
    },
  );

  it.each([
    ['fields: { createVm: { tariffId: open } }', 'createVm', 'body: { /tariffId: gold }'],
    ['fields: { createVm: { tariffId: none } }', 'createVm', 'body: { /tariffId/id: gold }'],
    ['fields: { rebuildVm: { deleteBackups: none } }', 'rebuildVm', 'body: { /deleteBackups: 1 }'],
    ['fields: { rebuildVm: { deleteBackups: /x } }', 'rebuildVm', 'body: { /deleteBackups: 1 }'],
    ['fields: { createVm: { tariffId: none } }', 'createVm', 'query: { tariffId: gold }'],
  ])('%s keeps its name from a constant of %s: %s', (fields, name, constant) =>
    expect(faultsOf(`${fields}\nconstants: { ${name}: { ${constant} } }`).join('\n')).toContain(
      'cannot be constant',
    ),
  );

  it.each([
    ['stopVm', 'body: { /wipeDisk: true }'],
    ['stopVm', 'query: { purge: 1 }'],
    ['rebuildVm', 'body: { /purge_backups: true }'],
    ['rebuildVm', 'query: { dropBackups: true }'],
    ['rebuildVm', 'body: { /keepBackups: false }'],
    ['rebuildVm', 'body: { /eraseSnapshots: true }'],
    ['createVm', 'query: { deleteBackups: 1 }'],
    ['deleteNetwork', 'query: { deleteVms: true }'],
    ['deletePublicIp', 'body: { /options/destroyServer: true }'],
  ])('%s has no constant whose name tells of a loss: %s', (name, constant) =>
    expect(faultsOf(`constants: { ${name}: { ${constant} } }`).join('\n')).toContain(
      `${name} cannot have the constant`,
    ),
  );

  it.each([
    ['listVms', 'query: { deleted: false }'],
    ['listVms', 'query: { deletedOnly: false }'],
    ['listVms', 'query: { filter: status!=deleted }'],
    ['deleteVm', 'query: { delete_volumes: true }'],
    ['rebootVm', 'body: { /type: reset }'],
    ['deleteBackup', 'query: { action: deleteBackup }'],
  ])('%s may have the constant %s', (name, constant) =>
    expect(faultsOf(`constants: { ${name}: { ${constant} } }`)).toEqual([]),
  );

  it('a rebuild by the word of a rebuild', () =>
    expect(
      faultsOf(`operations: { rebuildVm: "POST ${vms}/{vmId}/actions" }
constants: { rebuildVm: { body: { /action: reinstall } } }`),
    ).toEqual([]));
});

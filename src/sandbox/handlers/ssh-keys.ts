import { createHash } from 'node:crypto';

import type { SandboxHandlers } from './handler.ts';
import { createSandboxId } from '../store/ids.ts';
import { findProjectRow, findSshKeyRow } from '../rules/lookups.ts';
import { checkTextLength, requireFreeName, requireValidName } from '../rules/names.ts';
import { InvalidRequestFieldList, createQuotaExceededRefusal } from '../contract/problems.ts';
import { representSshKey } from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';

/** Matches a public key on one line: `TYPE BASE64 [COMMENT]`. */
const publicKeyForm = /^(?:ssh-|ecdsa-|sk-)[\w.@-]+ +([A-Za-z0-9+/]+={0,2})(?: [^\r\n]*)?\s*$/;

/** Computes the fingerprint of a public key as `ssh-keygen -l` prints it. */
function fingerprint(publicKey: string): string {
  const blob = Buffer.from(publicKeyForm.exec(publicKey)?.[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`;
}

/** SSH keys: synchronous; capped inside a project. A VM keeps the keys that it was created with. */
export const sshKeyHandlers = {
  listSshKeys: (call) => {
    const { id } = findProjectRow(call, call.params.projectId);
    return call.store
      .select(sandboxTables.sshKeys, 'WHERE projectId = ? ORDER BY seq', id)
      .map(representSshKey);
  },

  createSshKey: (call) => {
    const { store, rules, now, body } = call;
    const project = findProjectRow(call, call.params.projectId);
    const faults = new InvalidRequestFieldList();
    checkTextLength(call, faults, 'name', body.name, 'sshKey');
    checkTextLength(call, faults, 'publicKey', body.publicKey, 'sshPublicKey');
    if (!publicKeyForm.test(body.publicKey)) {
      faults.add('publicKey', 'It must be one line in OpenSSH format: TYPE BASE64 [COMMENT].');
    }
    faults.refuse();
    requireFreeName(call, sandboxTables.sshKeys, 'SSH key', body.name, { projectId: project.id });
    const cap = rules.quotas.maxSshKeysPerProject;
    if (store.tally(project.id, 'sshKeys') >= cap) {
      throw createQuotaExceededRefusal(
        `The project ${project.id} holds ${cap} SSH keys, as many as it may.`,
      );
    }
    const key = {
      id: createSandboxId(store, rules.seed, 'sshKey'),
      projectId: project.id,
      name: body.name,
      publicKey: body.publicKey,
      fingerprint: fingerprint(body.publicKey),
      createdAt: now,
    };
    store.insert(sandboxTables.sshKeys, key);
    return representSshKey(key);
  },

  getSshKey: (call) =>
    representSshKey(findSshKeyRow(call, call.params.projectId, call.params.sshKeyId)),

  renameSshKey: (call) => {
    const { projectId, sshKeyId } = call.params;
    const key = findSshKeyRow(call, projectId, sshKeyId);
    const { name } = call.body;
    requireValidName(call, name, 'sshKey');
    requireFreeName(call, sandboxTables.sshKeys, 'SSH key', name, { projectId }, key.id);
    call.store.update(sandboxTables.sshKeys, { id: key.id }, { name });
    return representSshKey({ ...key, name });
  },

  deleteSshKey: (call) => {
    const { id } = findSshKeyRow(call, call.params.projectId, call.params.sshKeyId);
    call.store.delete(sandboxTables.sshKeys, { id });
    return undefined;
  },
} satisfies Partial<SandboxHandlers>;

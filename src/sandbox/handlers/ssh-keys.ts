import { createHash } from 'node:crypto';

import type { Handlers } from './handler.ts';
import { nextId } from '../store/ids.ts';
import { findProject, findSshKey } from '../rules/lookups.ts';
import { checkCappedText, requireFreeName, requireName } from '../rules/names.ts';
import { RequestFaultList, quotaExceeded } from '../contract/problems.ts';
import { showSshKey } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';

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
    const { id } = findProject(call, call.params.projectId);
    return call.store
      .select(tables.sshKeys, 'WHERE projectId = ? ORDER BY seq', id)
      .map(showSshKey);
  },

  createSshKey: (call) => {
    const { store, rules, now, body } = call;
    const project = findProject(call, call.params.projectId);
    const faults = new RequestFaultList();
    checkCappedText(call, faults, 'name', body.name, 'sshKey');
    checkCappedText(call, faults, 'publicKey', body.publicKey, 'sshPublicKey');
    if (!publicKeyForm.test(body.publicKey)) {
      faults.add('publicKey', 'It must be one line in OpenSSH format: TYPE BASE64 [COMMENT].');
    }
    faults.refuse();
    requireFreeName(call, tables.sshKeys, 'SSH key', body.name, { projectId: project.id });
    const cap = rules.quotas.maxSshKeysPerProject;
    if (store.tally(project.id, 'sshKeys') >= cap) {
      throw quotaExceeded(`The project ${project.id} holds ${cap} SSH keys, as many as it may.`);
    }
    const key = {
      id: nextId(store, rules.seed, 'sshKey'),
      projectId: project.id,
      name: body.name,
      publicKey: body.publicKey,
      fingerprint: fingerprint(body.publicKey),
      createdAt: now,
    };
    store.insert(tables.sshKeys, key);
    return showSshKey(key);
  },

  getSshKey: (call) => showSshKey(findSshKey(call, call.params.projectId, call.params.sshKeyId)),

  renameSshKey: (call) => {
    const { projectId, sshKeyId } = call.params;
    const key = findSshKey(call, projectId, sshKeyId);
    const { name } = call.body;
    requireName(call, name, 'sshKey');
    requireFreeName(call, tables.sshKeys, 'SSH key', name, { projectId }, key.id);
    call.store.update(tables.sshKeys, { id: key.id }, { name });
    return showSshKey({ ...key, name });
  },

  deleteSshKey: (call) => {
    const { id } = findSshKey(call, call.params.projectId, call.params.sshKeyId);
    call.store.delete(tables.sshKeys, { id });
    return undefined;
  },
} satisfies Partial<Handlers>;

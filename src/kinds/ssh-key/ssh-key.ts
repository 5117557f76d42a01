import type { ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { locateFinding } from '../../model/place-of.ts';
import { readAttributeText } from '../../model/value.ts';
import type { KindCheck } from '../kind-check.ts';
import type { ResourceKind } from '../kind.ts';
import { compareToldValue, type ToldValueMatch } from '../told.ts';
import configuration from './configuration.json' with { type: 'json' };
import { sshKeyExport } from './export.ts';
import type { LiveSshKey } from './model.ts';
import { computeKeyFingerprint } from './public-key.ts';
import { sshKeyWireFormat } from './wire.ts';

/** Finds projects with more SSH keys than the service allows, those that are not ours counted too. */
const checkSshKeyCount: KindCheck = ({ plan, desired, live, state }) => {
  const limit = live.limits.maxSshKeysPerProject;
  if (limit === null) return [];
  const after = new Map<ResourceAddress, number>();
  const grows = new Set<ResourceAddress>();
  for (const { kind, project, action } of plan.changes) {
    if (kind !== 'sshKey') continue;
    if (action !== 'delete') after.set(project, (after.get(project) ?? 0) + 1);
    if (action === 'create') grows.add(project);
  }
  const managedIds = new Set([...state.resources.values()].map((resource) => resource.id));
  const findings: Finding[] = [];
  for (const address of grows) {
    const projectId = state.resources.get(address)?.id;
    const outside = live.resources.filter(
      (one) => one.kind === 'sshKey' && one.projectId === projectId && !managedIds.has(one.id),
    ).length;
    const count = (after.get(address) ?? 0) + outside;
    if (count <= limit) continue;
    findings.push({
      severity: 'error',
      code: 'too-many-ssh-keys',
      summary: `This project would hold ${count} SSH keys, the service takes ${limit} in one project`,
      ...(outside > 0 && { detail: `${outside} of them are not in this configuration.` }),
      hint: 'Remove keys that nobody uses, or spread the VMs over more projects.',
      ...locateFinding(desired.get(address)),
    });
  }
  return findings;
};

/** The type and the data of a public key, without its comment, which the service may drop or rewrite. */
function withoutComment(publicKey: string): string {
  return publicKey.trim().split(/\s+/).slice(0, 2).join(' ');
}

/** Compares keys; one whose text is unreported is known by its fingerprint. */
function compareKeys(
  { publicKey, fingerprint }: LiveSshKey,
  asked: { readonly publicKey: string },
): ToldValueMatch {
  if (publicKey === undefined) {
    // A fingerprint of another hash cannot be compared, so it proves no difference.
    return fingerprint === computeKeyFingerprint(asked.publicKey) ? 'same' : 'untold';
  }
  return compareToldValue(withoutComment(publicKey), withoutComment(asked.publicKey));
}

/** A public SSH key that VMs of the project can be built with. */
export const sshKeyKind: ResourceKind<'sshKey'> = {
  name: 'sshKey',
  label: 'SSH key',
  article: 'an',
  configuration,
  wire: sshKeyWireFormat,
  scopes: () => ['compute'],
  commands: {
    createSshKey: {
      compareUnchanging: compareKeys,
    },
    renameSshKey: { sets: ['name'] },
    deleteSshKey: {},
  },
  fields: {
    name: {
      effect: 'update',
      deferrable: 'name',
      cap: { name: 'sshKey', at: 'maxSshKeyNameLength', label: 'SSH key name' },
    },
    publicKey: {
      effect: 'replace',
      deferrable: 'publicKey',
      cap: { name: 'sshPublicKey', at: 'maxSshKeyPublicKeyLength', label: 'SSH public key' },
    },
  },
  computed: ['id', 'fingerprint'],
  references: () => [],
  claims: ({ project, attributes }) => [
    `${project} sshKey name ${readAttributeText(attributes, 'name')}`,
  ],
  quota: () => ({}),
  derive: () => ({}),
  read: (live, _names, desired) => {
    const written = desired?.publicKey;
    const isSame =
      typeof written === 'string' && compareKeys(live, { publicKey: written }) === 'same';
    return {
      id: live.id,
      name: live.name,
      publicKey: isSame ? written : live.publicKey,
      fingerprint: live.fingerprint,
    };
  },
  fromRecord: (recorded) => ({
    name: recorded.text('name'),
    publicKey: recorded.text('publicKey'),
    fingerprint: recorded.text('fingerprint'),
  }),
  create: (after, { project }) => [
    {
      kind: 'createSshKey',
      project,
      name: readAttributeText(after, 'name'),
      publicKey: readAttributeText(after, 'publicKey'),
    },
  ],
  update: ({ after }, { project, self }) => [
    { kind: 'renameSshKey', project, sshKey: self, name: readAttributeText(after, 'name') },
  ],
  destroy: ({ project, self }) => [{ kind: 'deleteSshKey', project, sshKey: self }],
  traits: {
    calledBy: 'name',
    signs: ({ name, publicKey }) => ({ name, publicKey }),
    identifiedBy: ['name', 'publicKey'],
    checks: { room: checkSshKeyCount },
    export: sshKeyExport,
  },
};

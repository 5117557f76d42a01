import type { LiveSshKey } from './model.ts';
import { makeNamedKindExport } from '../export/export-named.ts';
import type { KindExport } from '../export/kind-export.ts';
import { findPublicKeyFault } from './public-key.ts';

const named = makeNamedKindExport('key');

/** Exports SSH keys to a configuration. */
export const sshKeyExport: KindExport<'sshKey'> = {
  ...named,
  whyNot: (live: LiveSshKey) =>
    findPublicKeyFault(live.publicKey ?? '')
      ? 'Its public key is not one that a configuration can hold.'
      : named.whyNot(live),
  describe(live, key) {
    const { fields } = named.describe(live, key);
    return { fields: { ...fields, publicKey: live.publicKey?.trim() ?? '' } };
  },
};

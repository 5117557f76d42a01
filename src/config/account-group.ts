import { accountAddress } from '../model/address.ts';
import { entriesOf } from './located-node.ts';
import { ResourceGroup } from './resource-group.ts';
import type { Space } from './space.ts';

/** The settings of the account; undefined where nothing of them is given. They stand in the configuration itself. */
export function makeAccount(space: Space): ResourceGroup | undefined {
  const entry = space.source.tree.entries.get('account');
  if (!entry || space.prefix !== '' || entriesOf(entry.value).size === 0) return undefined;
  return new ResourceGroup(space, {
    kind: 'account',
    project: accountAddress,
    address: accountAddress,
    key: 'account',
    entry,
    path: ['account'],
  });
}

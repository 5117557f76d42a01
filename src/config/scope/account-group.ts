import { accountAddress, topAddress } from '../../model/address.ts';
import { listDefaults, mergeUnder } from '../graph/apply-defaults.ts';
import { entriesOf } from '../source/located-node.ts';
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

/** The access tokens of a space by key; those of a module are the account's, too. */
export function makeTokens(space: Space): ReadonlyMap<string, ResourceGroup> {
  const { tree } = space.source;
  const defaults = listDefaults(tree, undefined, 'tokens');
  return new Map(
    [...entriesOf(tree.entries.get('tokens')?.value)].map(([key, entry]) => {
      const options = {
        kind: 'accessToken',
        project: accountAddress,
        address: topAddress('accessToken', key, space.prefix),
        key,
        entry: mergeUnder(entry, defaults),
        path: ['tokens', key],
      } as const;
      return [key, new ResourceGroup(space, options)];
    }),
  );
}

import type { DesiredResource } from '../../model/resource.ts';
import { readSecretDestination } from '../../model/write-to.ts';
import type { ExclusiveClaim } from '../traits.ts';

/** The file that a configured token's value is written to: only one token can claim it. */
export function claimTokenFile({ attributes }: DesiredResource): readonly ExclusiveClaim[] {
  const { file } = readSecretDestination(attributes);
  if (file === undefined) return [];
  return [
    {
      id: file,
      isPath: true,
      attribute: 'writeTo',
      code: 'duplicate-file',
      summary: `Two access tokens are written to \`${file}\``,
      hint: 'Give each a file of its own, for example `secrets/${each.key}.token`.',
    },
  ];
}

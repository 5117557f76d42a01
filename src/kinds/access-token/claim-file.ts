import type { DesiredResource } from '../../model/resource.ts';
import { readWriteTo } from '../../model/write-to.ts';
import type { OnceClaim } from '../traits.ts';

/** The file that a configured token's value is written to: only one token can claim it. */
export function claimFile({ attributes }: DesiredResource): readonly OnceClaim[] {
  const { file } = readWriteTo(attributes);
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

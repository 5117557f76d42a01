import { listInstanceKeys } from '../scope/each.ts';
import { Unknown } from '../../expressions/evaluate/scope.ts';
import { parseLifetime } from '../../kinds/access-token/lifetime.ts';
import { formatPlace } from '../../model/source.ts';
import { locate } from '../source/source-file.ts';
import { readText } from './read-fields.ts';
import type { ResourceGroup } from '../scope/resource-group.ts';

/** Reports ends that no token can have, once for each of its fields. */
export function checkToken(group: ResourceGroup): void {
  const { faults } = group.space.session;
  const [instance] = listInstanceKeys(group.instances);
  const textOf = (name: string) => {
    const node = group.readField(name, instance);
    return node instanceof Unknown ? undefined : readText(node);
  };
  const placeOf = (name: string) => group.fields.get(name)?.value ?? group.entry.key;
  const report = (name: string, summary: string, detail: string, hint: string) =>
    faults.add({
      code: 'invalid-expiry',
      summary,
      detail,
      hint,
      address: group.address,
      place: placeOf(name),
    });
  if (group.fields.has('expiresIn') && group.fields.has('expiresAt')) {
    report(
      'expiresAt',
      'A token has either `expiresIn` or `expiresAt`',
      `Its \`expiresIn\` stands at ${formatPlace(locate(placeOf('expiresIn')))}.`,
      'Remove one of the two.',
    );
  }
  const [expiresIn, rotateBefore] = ['expiresIn', 'rotateBefore'].map(textOf);
  const livesMs = expiresIn === undefined ? undefined : parseLifetime(expiresIn);
  const rotatesMs = rotateBefore === undefined ? undefined : parseLifetime(rotateBefore);
  if (livesMs === 0)
    report(
      'expiresIn',
      'A token cannot live for no time',
      'Given is nothing.',
      'Write for example 90d.',
    );
  if (rotatesMs === undefined) return;
  if (!group.fields.has('expiresIn')) {
    report(
      'rotateBefore',
      '`rotateBefore` needs `expiresIn`',
      'A new token would end at the same time as the old one, or neither of them would.',
      'Say by `expiresIn` how long each token lives.',
    );
  } else if (livesMs !== undefined && rotatesMs >= livesMs) {
    report(
      'rotateBefore',
      '`rotateBefore` is not shorter than `expiresIn`',
      'Every plan would replace the token.',
      'Shorten it, for example to a tenth of the lifetime.',
    );
  }
}

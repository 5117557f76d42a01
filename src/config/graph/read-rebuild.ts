import type { DesiredResource } from '../../model/resource.ts';
import type { ResourceGroup } from '../scope/resource-group.ts';
import { mapChildOf, type LocatedNode } from '../source/located-node.ts';
import { isTrueNode, readNodeTexts } from '../source/read-fields.ts';

type Rebuild = Pick<
  DesiredResource,
  'rebuildOn' | 'deleteBackupsOnRebuild' | 'backupBeforeRebuild' | 'restoresFailedRebuild'
>;

/** Reads `rebuild`: the fields that may ask for one, and what becomes of the backups. */
export function readRebuild(group: ResourceGroup, node: LocatedNode | undefined): Rebuild {
  const deletes = isTrueNode(mapChildOf(node, 'deleteBackups'));
  const backsUp = isTrueNode(mapChildOf(node, 'backupFirst'));
  const restores = isTrueNode(mapChildOf(node, 'restoreOnFailure'));
  refuseContradictions(group, node, { deletes, backsUp, restores });
  const on = mapChildOf(node, 'on');
  return {
    ...(on && { rebuildOn: readNodeTexts(on) }),
    ...(deletes && { deleteBackupsOnRebuild: true }),
    ...(backsUp && { backupBeforeRebuild: true }),
    ...(restores && { restoresFailedRebuild: true }),
  };
}

function refuseContradictions(
  { space, entry, address }: ResourceGroup,
  node: LocatedNode | undefined,
  { deletes, backsUp, restores }: Readonly<Record<'deletes' | 'backsUp' | 'restores', boolean>>,
): void {
  const { faults } = space.session;
  const placeOf = (name: string) => mapChildOf(node, name) ?? entry.key;
  if (deletes && backsUp) {
    faults.add({
      code: 'conflicting-fields',
      summary: '`deleteBackups` and `backupFirst` contradict each other',
      detail: 'The rebuild would delete the very backup that was made for it.',
      hint: 'Keep one of them.',
      address,
      place: placeOf('backupFirst'),
    });
  }
  if (deletes && restores) {
    faults.add({
      code: 'conflicting-fields',
      summary: '`deleteBackups` and `restoreOnFailure` contradict each other',
      detail: 'The rebuild would delete the very backup that is to be restored.',
      hint: 'Keep one of them.',
      address,
      place: placeOf('restoreOnFailure'),
    });
  } else if (restores && !backsUp) {
    faults.add({
      code: 'conflicting-fields',
      summary: '`restoreOnFailure` needs `backupFirst: true`',
      detail: 'Without it no backup is made before a rebuild, so there would be none to restore.',
      hint: 'Add `backupFirst: true` to `rebuild`, or remove `restoreOnFailure`.',
      address,
      place: placeOf('restoreOnFailure'),
    });
  }
}

import { expect, test } from 'vitest';
import { rephraseForAllInstances } from '../../../../src/render/view/fold-changes.ts';
import { readRows } from '../../../support/read-rows.ts';

test.each(
  readRows(`
  Everything on its disk (40 GB) is lost. | Everything on their disks (40 GB each) is lost.
  Its backups are deleted with it. | Their backups are deleted with them.
  Its 1 backup is deleted with it. | Their backups (1 each) are deleted with them.
  Its 3 backups are deleted (deleteBackups: true). | Their backups (3 each) are deleted (deleteBackups: true).
  (because index [2..7] is out of range for count) | (because indexes [2..7] are out of range for count)
  (because key ["a", "b"] is not in forEach map) | (because keys ["a", "b"] are not in forEach map)
  (its creation failed) | (their creation failed)
  (it is already being deleted) | (they are already being deleted)
  (as requested by --replace) | (as requested by --replace)
`),
)('%s', (one, many) => expect(rephraseForAllInstances(one)).toBe(many));

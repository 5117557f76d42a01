import { listBackups } from '../../src/api/backups.ts';
import type { Backup } from '../../src/model/account/vm-work.ts';
import { configure, type World } from './world.ts';

/** A VM whose rebuild takes a backup first. */
export const web = (image: string) =>
  configure(
    `projects: { demo: { vms: { web: { image: ${image}, configuration: c1-r1-d20, tariff: monthly, rebuild: { backupFirst: true } } } } }`,
  );

/** The VM of the account; there is one. */
export async function findVm(world: World) {
  const vm = (await world.readAccount()).find(({ kind }) => kind === 'vm');
  if (vm?.kind !== 'vm') throw new Error('there is no VM');
  return vm;
}

/** The backups of that VM. */
export async function readBackups(world: World): Promise<readonly Backup[]> {
  const { id: vmId, projectId } = await findVm(world);
  return world.time.run(listBackups(world.connect(), { projectId, vmId }));
}

import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import { foldName } from './fold-name.ts';

/** True when nothing that never changes tells it from what the create asked for. */
export function isEqualInAll(command: ResolvedCommand, live: LiveResource): boolean {
  if (
    'name' in command &&
    (!('name' in live) || foldName(command.name) !== foldName(live.name ?? ''))
  ) {
    return false;
  }
  switch (command.kind) {
    case 'createProject':
      return live.kind === 'project';
    case 'createNetwork':
      return live.kind === 'network' && live.projectId === command.project;
    case 'createPublicIp':
      return live.kind === 'publicIp' && live.projectId === command.project;
    case 'createSshKey':
      return (
        live.kind === 'sshKey' &&
        live.projectId === command.project &&
        live.publicKey?.trim() === command.publicKey.trim()
      );
    case 'createVm':
      return (
        live.kind === 'vm' &&
        live.projectId === command.project &&
        live.imageId === command.imageId &&
        live.configurationId === command.configurationId &&
        live.tariffId === command.tariffId &&
        live.plugins?.toSorted().join() === command.plugins.toSorted().join()
      );
    default:
      return false;
  }
}

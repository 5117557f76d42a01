// The requests that a person makes in the console.
import { whole } from '../../support/whole.ts';
import type { WireRequest } from '../../../src/api/contract/types.ts';
import { getLiveName, type LiveResource } from '../../../src/model/account/live.ts';
import type { LiveVm } from '../../../src/kinds/vm/model.ts';
import type { Dice } from './dice.ts';
import type { FaultKind } from './fault-kinds.ts';

/** True for what this can be done to. */
export function isSubject(kind: FaultKind, one: LiveResource): boolean {
  switch (kind) {
    case 'console deletes':
      return one.kind !== 'project';
    case 'console renames':
      return getLiveName(one) !== undefined;
    case 'console detaches':
      return one.kind === 'vm' && whole(one).networks.length > 0;
    default:
      return one.kind === 'vm';
  }
}

/** The request that does it. */
export function requestOf(kind: FaultKind, one: LiveResource, dice: Dice): WireRequest | undefined {
  const { projectId } = one;
  if (kind === 'console deletes') return deletionOf(one);
  if (kind === 'console renames') return renamingOf(one, `by-hand-${dice.below(100)}`);
  const vm = one as LiveVm;
  const params = { projectId, vmId: vm.id };
  switch (kind) {
    case 'console starts':
      return { operation: 'startVm', params };
    case 'console stops':
      return { operation: 'stopVm', params };
    case 'console backs up':
    case 'console fails to back up':
      return { operation: 'createBackup', params };
    case 'console detaches': {
      const { networkId } = dice.pick(whole(vm).networks);
      return { operation: 'detachVm', params: { ...params, networkId } };
    }
    default:
      return undefined;
  }
}

/** The request that gives it a name. */
export function renamingOf(one: LiveResource, name: string): WireRequest | undefined {
  const { projectId, id } = one;
  const body = { name };
  switch (one.kind) {
    case 'vm':
      return { operation: 'renameVm', params: { projectId, vmId: id }, body };
    case 'network':
      return { operation: 'renameNetwork', params: { projectId, networkId: id }, body };
    case 'sshKey':
      return { operation: 'renameSshKey', params: { projectId, sshKeyId: id }, body };
    default:
      return undefined;
  }
}

/** The request that deletes it; undefined for what lies in no project. */
export function deletionOf(one: LiveResource): WireRequest | undefined {
  const { projectId, id } = one;
  switch (one.kind) {
    case 'project':
      return { operation: 'deleteProject', params: { projectId } };
    case 'vm':
      return { operation: 'deleteVm', params: { projectId, vmId: id } };
    case 'network':
      return { operation: 'deleteNetwork', params: { projectId, networkId: id } };
    case 'sshKey':
      return { operation: 'deleteSshKey', params: { projectId, sshKeyId: id } };
    case 'publicIp':
      return { operation: 'deletePublicIp', params: { projectId, publicIpId: id } };
    case 'portForward': {
      const { publicIpId } = one;
      return {
        operation: 'deletePortForward',
        params: { projectId, publicIpId, portForwardId: id },
      };
    }
    default:
      return undefined;
  }
}

import type { KindName } from '../model/kind-places.ts';
import { accessTokenKind } from './access-token/access-token.ts';
import { accountKind } from './account/account.ts';
import type { ResourceKind } from './kind.ts';
import { networkKind } from './network/network.ts';
import { portForwardKind } from './port-forward/port-forward.ts';
import { projectKindDefinition } from './project/project.ts';
import { publicIpKind } from './public-ip/public-ip.ts';
import { sshKeyKind } from './ssh-key/ssh-key.ts';
import { vmKind } from './vm/vm.ts';

/** Every kind by name, each with the exact type of its live record. */
const exact: { readonly [K in KindName]: ResourceKind<K> } = {
  project: projectKindDefinition,
  sshKey: sshKeyKind,
  network: networkKind,
  publicIp: publicIpKind,
  vm: vmKind,
  portForward: portForwardKind,
  account: accountKind,
  accessToken: accessTokenKind,
};

/** Every kind by name, for code that treats all kinds alike. */
export const kindRegistry = exact as Readonly<Record<KindName, ResourceKind>>;

import type { KindName } from '../model/kind-places.ts';
import { accessToken } from './access-token/access-token.ts';
import { account } from './account/account.ts';
import type { Kind } from './kind.ts';
import { network } from './network/network.ts';
import { portForward } from './port-forward/port-forward.ts';
import { project } from './project/project.ts';
import { publicIp } from './public-ip/public-ip.ts';
import { sshKey } from './ssh-key/ssh-key.ts';
import { vm } from './vm/vm.ts';

/** Every kind by name, each with the exact type of its live record. */
const exact: { readonly [K in KindName]: Kind<K> } = {
  project,
  sshKey,
  network,
  publicIp,
  vm,
  portForward,
  account,
  accessToken,
};

/** Every kind by name, for code that treats all kinds alike. */
export const kinds = exact as Readonly<Record<KindName, Kind>>;

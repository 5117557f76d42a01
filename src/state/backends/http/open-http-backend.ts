// The state on a server of Terraform's http protocol, as GitLab and Gitea have one. The protocol is poor: one document,
// one lock. So each write sends the whole state, and the ID of the lock is what keeps an earlier holder from writing.
//
// A server must refuse a write with another ID than that of the lock that is held. One that takes any while nobody holds a
// lock cannot be told from others by a run; "hostwright doctor" tries that.
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { InternalError } from '../../../model/errors.ts';
import type { Exchange } from '../../../model/http.ts';
import type { Clock } from '../../../model/runtime.ts';
import type { Fence } from '../../lock/fence.ts';
import type { StateBackend } from '../backend.ts';
import { openHeldFiles, openReadFiles } from './document-files.ts';
import { resolveEndpoint, type HttpAddresses } from './endpoint.ts';
import { HttpFence } from './http-fence.ts';
import { HttpLock } from './http-lock.ts';
import { StateServer, type Credentials } from './state-server.ts';
import { takesLateWrite } from './try-late-write.ts';

/** How a state on a state server is opened. */
export interface HttpBackendOptions extends HttpAddresses {
  /** Sent with each request, to whatever address is given: the caller knows that it may go there. */
  readonly credentials?: Credentials | undefined;
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Told once a run when the state has grown large, and when its lock could not be released. */
  readonly warn: (diagnostic: Diagnostic) => void;
}

/** The state on a server. Sends nothing before it is used. @throws DiagnosticError `invalid-state-address` */
export function openHttpBackend(options: HttpBackendOptions): StateBackend {
  const { exchange, clock, warn, credentials, ...addresses } = options;
  const endpoint = resolveEndpoint(addresses);
  const server = new StateServer(endpoint, exchange, credentials);
  return {
    kind: 'http',
    place: endpoint.place,
    address: endpoint.identity,
    hosts: endpoint.hosts,
    // Two writes are told apart by the lock's ID and the serial.
    capabilities: { epoch: false, expiry: false, history: false, compareAndSwap: true },
    lock: new HttpLock({ server, clock, warn }),
    openFiles: (fence) =>
      fence ? openHeldFiles(server, requireOwn(fence)) : openReadFiles(server, clock),
    takesLateWrite: (fence) => takesLateWrite(server, requireOwn(fence).info.ID),
    close: () => Promise.resolve(),
  };
}

function requireOwn(fence: Fence): HttpFence {
  if (fence instanceof HttpFence) return fence;
  throw new InternalError('The fence was given by the lock of another backend.');
}

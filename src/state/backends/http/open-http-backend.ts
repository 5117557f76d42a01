// The state on a server of Terraform's http protocol, as GitLab and Gitea have one. The protocol is poor: one document, one
// lock. So each write sends the whole state, and only the ID of the lock keeps an earlier holder from writing.
//
// A server must refuse a write with another ID than that of the held lock. A server that accepts any write while nobody holds
// a lock looks like all others to a run; "hostwright doctor" tries that.
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { HttpExchange } from '../../../model/http.ts';
import type { Clock } from '../../../model/runtime.ts';
import type { StateBackend } from '../backend.ts';
import { findLockedStateFileWriter, openServerStateFiles } from '../server-files.ts';
import { StateServerAnswerError } from './answer-faults.ts';
import { resolveStateServerEndpoint, type HttpBackendAddresses } from './endpoint.ts';
import { LockedStateDocument } from './held-document.ts';
import { HttpLock } from './http-lock.ts';
import { readStateDocumentWithRetries } from './read-document.ts';
import { StateDocumentReader } from './state-document.ts';
import { StateServer, type BasicCredentials } from './state-server.ts';

/** Addresses, credentials and means for a state on a state server. */
export interface HttpBackendOptions extends HttpBackendAddresses {
  /** Sent with each request, to any of the addresses: the caller has checked that they may go there. */
  readonly credentials?: BasicCredentials | undefined;
  readonly exchange: HttpExchange;
  readonly clock: Clock;
  /** Called once a run when the state has grown large, and when its lock could not be released. */
  readonly warn: (diagnostic: Diagnostic) => void;
}

/**
 * Opens the state on an HTTP state server. No request is sent before the state is used. @throws DiagnosticError
 * `invalid-state-address`
 */
export function openHttpBackend(options: HttpBackendOptions): StateBackend {
  const { exchange, clock, warn, credentials, ...addresses } = options;
  const endpoint = resolveStateServerEndpoint(addresses);
  const server = new StateServer(endpoint, exchange, credentials);
  const pathOf = (name: string) => `${endpoint.place} (${name})`;
  const look = async () =>
    new StateDocumentReader((await readStateDocumentWithRetries(server, clock))?.files);
  return {
    kind: 'http',
    place: endpoint.place,
    address: endpoint.identity,
    hosts: endpoint.hosts,
    // The HTTP backend tells two writes apart by the lock's ID and the serial number.
    capabilities: { epoch: false, expiry: false, history: false, compareAndSwap: true },
    lock: new HttpLock({ server, clock, warn }),
    openFiles: (fence) =>
      openServerStateFiles(
        { pathOf, look },
        fence && findLockedStateFileWriter(fence, LockedStateDocument),
      ),
    takesLateWrite: (fence) =>
      takesLateWrite(server, findLockedStateFileWriter(fence, LockedStateDocument).info.ID),
    close: () => Promise.resolve(),
  };
}

/**
 * Tells whether the server accepts a write with the ID of a released lock while nobody holds one. It writes the stored
 * document once more, so nothing changes. @throws BackendError where nobody answers
 */
async function takesLateWrite(server: StateServer, lockId: string): Promise<boolean> {
  const text = await server.get();
  if (text === undefined) return false;
  try {
    return (await server.post(text, lockId)).kind === 'done';
  } catch (error) {
    // Some servers answer otherwise than with 409 where there is no such lock.
    if (error instanceof StateServerAnswerError) return false;
    throw error;
  }
}

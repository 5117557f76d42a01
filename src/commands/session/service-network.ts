import type { ClientIdentity } from '../../model/account/service.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { NetworkConnections } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';
import { readClientCertificate, warnOfCertificateValidity } from './client-identity.ts';
import type { RemoteServiceAddress } from './locate-service.ts';

/** Connections that may be open, and requests in flight, unless configured. */
export const defaultMaxConnections = 128;

/** Network connections to the service. */
export interface ServiceNetwork extends NetworkConnections {
  readonly maxConnections: number;
  /** TLS client certificate of the connections; absent without one. */
  readonly identity?: ClientIdentity;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Opens the network to a place that `locateService` has let pass, secured as the environment and `service.tls` say.
 * @throws DiagnosticError when the client certificate that the environment names is of no use
 */
export async function openServiceNetwork(
  runtime: Pick<Runtime, 'env' | 'clock' | 'openNetwork'>,
  { baseUrl, tls }: RemoteServiceAddress,
  maxConnections = defaultMaxConnections,
): Promise<ServiceNetwork> {
  const isSecured = new URL(baseUrl).protocol === 'https:';
  const ca = tls?.authorities?.pem;
  const identity = isSecured
    ? ((await readClientCertificate(runtime)) ?? tls?.identity)
    : undefined;
  const network = runtime.openNetwork({
    maxConnections,
    ...((ca !== undefined || identity) && {
      tls: { ca, cert: identity?.cert, key: identity?.key },
    }),
  });
  const warning = identity && warnOfCertificateValidity(identity, runtime.clock.now());
  return {
    exchange: network.exchange,
    close: () => network.close(),
    maxConnections,
    ...(identity && { identity }),
    warnings: warning ? [warning] : [],
  };
}

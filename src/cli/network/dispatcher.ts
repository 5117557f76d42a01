import { rootCertificates } from 'node:tls';
import type { buildConnector } from 'undici';
import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { HttpFailure, type NetworkSettings, type TlsSettings } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';

/** How long a connection may take to be made. */
const connectTimeoutMs = 10_000;
/** As Go has it, and so what people know from Terraform: this machine is never asked for through a proxy. */
const neverProxied = ['localhost', '127.0.0.1', '[::1]'];

/** One pool of connections for each origin, through the proxies that the environment names. */
export function openDispatcher(
  env: Runtime['env'],
  { maxConnections, tls }: NetworkSettings,
): Dispatcher {
  const trust = { timeout: connectTimeoutMs, ...trustBesides(tls) };
  const options = { connections: maxConnections, connect: trust };
  const { httpProxy, httpsProxy, noProxy } = readProxies(env);
  if (httpProxy === '' && httpsProxy === '') return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    ...{ httpProxy, httpsProxy },
    noProxy: noProxy.trim() === '*' ? '*' : [noProxy, ...neverProxied].join(','),
    requestTls: trust,
    proxyTls: { timeout: connectTimeoutMs, ...(trust.ca && { ca: trust.ca }) },
    clientFactory: (proxy, { connect }: { connect?: buildConnector.connector }) =>
      new Pool(proxy, { ...(connect && { connect: tellProxy(proxy, connect) }) }),
  });
}

interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Empty texts where nothing is set. The lower-case names come first, as everywhere. */
function readProxies(env: Runtime['env']): Proxies {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name] ?? '';
  return {
    httpProxy: read('HTTP_PROXY'),
    httpsProxy: read('HTTPS_PROXY'),
    noProxy: read('NO_PROXY'),
  };
}

/** Whatever is given is trusted beside what Node trusts by itself, not in its place. */
function trustBesides({ ca, cert, key }: TlsSettings = {}): TlsSettings & { ca?: string[] } {
  return {
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  } as TlsSettings & { ca?: string[] };
}

/** Connects to a proxy; a failure says that it was the proxy that could not be reached. */
function tellProxy(proxy: URL, connect: buildConnector.connector): buildConnector.connector {
  return (options, done) => {
    connect(options, (error, socket) => {
      if (error)
        done(new HttpFailure({ kind: 'proxy', proxy: proxy.origin }, error.message, error), null);
      else done(null, socket);
    });
  };
}

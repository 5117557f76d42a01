import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { Agent, buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { DiagnosticError } from '../../model/errors.ts';
import { HttpFailure, type NetworkSettings, type TlsSettings } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Milliseconds that opening a connection to the service may take. */
const connectTimeoutMs = 10_000;
/** Hosts that are never reached through a proxy: this machine, as in Go, and so as people know it from Terraform. */
const neverProxied = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Opens undici's dispatcher of HTTP requests: one pool of connections for each origin, through the proxies that the environment
 * names.
 */
export function openDispatcher(
  env: Runtime['env'],
  { maxConnections, tls: settings }: NetworkSettings,
): Dispatcher {
  const connect = {
    timeout: connectTimeoutMs,
    ...(settings && { secureContext: secure(env, settings) }),
  };
  const options = { connections: maxConnections, connect, factory: openPool };
  const { httpProxy, httpsProxy, noProxy } = readProxies(env);
  if (httpProxy === '' && httpsProxy === '') return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy,
    httpsProxy,
    noProxy: noProxy.trim() === '*' ? '*' : [noProxy, ...neverProxied].join(','),
    requestTls: connect,
    // The environment names the proxy, so the environment alone says what vouches for it.
    proxyTls: { timeout: connectTimeoutMs },
    clientFactory: (proxy, { connect: reach }: { connect?: buildConnector.connector }) =>
      new Pool(proxy, { ...(reach && { connect: tellProxy(proxy, reach) }) }),
  });
}

interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Empty texts where nothing is set. The lower-case names come first, as everywhere. */
function readProxies(env: Runtime['env']): Proxies {
  return {
    httpProxy: readProxy(env, 'HTTP_PROXY'),
    httpsProxy: readProxy(env, 'HTTPS_PROXY'),
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  };
}

/**
 * The address of a proxy. `proxy.corp:3128` is one, too: curl, git and Go take it as http.
 * @throws DiagnosticError for what is none
 */
function readProxy(env: Runtime['env'], name: string): string {
  const [variable = name] = [name.toLowerCase(), name].filter((one) => env[one] !== undefined);
  const given = env[variable]?.trim() ?? '';
  const address = given === '' || given.includes('://') ? given : `http://${given}`;
  if (address === '' || (/^https?:\/\//i.test(address) && URL.canParse(address))) return address;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'invalid-proxy',
      summary: `${variable} is not the address of a proxy`,
      detail: 'A proxy is reached by http or https.',
      hint: 'Set it to the address, for example http://proxy.example:3128, or unset it.',
    },
  ]);
}

/** One context for all connections: it takes a while to read some 150 authorities. */
function secure(env: Runtime['env'], { ca, cert, key }: TlsSettings): tls.SecureContext {
  return tls.createSecureContext({
    ...(ca !== undefined && { ca: [...listKnown(), ...readExtra(env), ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  });
}

/** Certificate authorities in Node's `tls`: Node 20 has the list of its own, Node 22 also the function. */
interface KnownAuthorities {
  readonly rootCertificates: readonly string[];
  /** Node's authorities with those of the system, where a flag of Node asks for them. */
  getCACertificates?(type: 'default'): readonly string[];
}

/** Authorities that Node trusts by itself. They are listed beside a private `ca`, which would otherwise replace them. */
function listKnown(): readonly string[] {
  const known: KnownAuthorities = tls;
  return known.getCACertificates?.('default') ?? known.rootCertificates;
}

/** `NODE_EXTRA_CA_CERTS`. Node has warned of a file that cannot be read, and goes on without it. */
function readExtra({ NODE_EXTRA_CA_CERTS: path = '' }: Runtime['env']): readonly string[] {
  if (path === '') return [];
  try {
    return [readFileSync(path, 'utf8')];
  } catch {
    return [];
  }
}

/** Opens the pool of connections to one origin. */
function openPool(origin: string | URL, { connect, ...options }: Pool.Options): Pool {
  const reach = typeof connect === 'function' ? connect : buildConnector({ ...connect });
  return new Pool(origin, { ...options, connect: endAtFirstError(reach) });
}

/**
 * A connection fails for what strikes first. In TLS 1.3 a service that turns our certificate down says so once the
 * connection stands, and closes it: of the two, undici would tell of the close.
 */
function endAtFirstError(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) => {
    connect(options, (error, socket) => {
      if (error) {
        done(error, null);
        return;
      }
      socket.once('error', (first: Error) => socket.destroy(first));
      done(null, socket);
    });
  };
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

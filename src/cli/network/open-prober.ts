// Asks the probes of a rollout, each once and for a short time. It sends no credential, follows no redirect, uses no proxy, and
// reads only so much of an answer. A name is resolved once: the address that was checked is the one that is used.
import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { BlockList, connect, isIP } from 'node:net';
import { readErrorCode } from '../../model/errors.ts';
import type {
  RunProbeOnce,
  EvaluatedProbe,
  ProbeAttemptResult,
} from '../../model/plan/readiness.ts';
import type { Runtime } from '../../model/runtime.ts';
import { runProgram } from '../execute-command.ts';

/** Milliseconds after which one attempt of a probe is given up. */
const attemptMs = 10_000;
/** The most bytes of an answer that a probe reads. */
const mostBytes = 64 * 1024;
/** The most characters of a probe's failure that are shown. */
const mostSeen = 200;

/** Ranges that are no public address: of this machine, of private networks, of the metadata of clouds, and reserved ones. */
const closedRanges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  // Translations of IPv4 addresses lead to those; the rest are of this machine, private, link-local and multicast.
  ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

/** Dependencies of a prober beside the network. */
export interface ProberDependencies {
  /** Resolves a host name to all of its addresses; rejects where it has none. */
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
}

const ownMeans: ProberDependencies = {
  resolve: async (host) => (await import('node:dns/promises')).lookup(host, { all: true }),
};

/**
 * Makes `Runtime.openProber`, which checks whether VMs are ready by HTTP, TCP or a command. Commands get the environment without
 * the variables of Hostwright, which may hold secrets.
 */
export function openProber(
  env: Runtime['env'],
  { ranges, directory, isOnServer }: Parameters<Runtime['openProber']>[0],
  means: ProberDependencies = ownMeans,
): RunProbeOnce {
  const [closed, open] = [listRanges(closedRanges), listRanges(ranges)];
  return async (probe, { publicIps = [] }, interrupted) => {
    const timeout = AbortSignal.timeout(attemptMs);
    const signal = AbortSignal.any([timeout, interrupted]);
    try {
      if (probe.kind === 'command') return await askCommand(probe, { env, directory, signal });
      const host = probe.kind === 'tcp' ? probe.host : readHost(probe.url);
      const found = isIP(host) > 0 ? [host] : await resolveName(means, host, signal);
      const own = isOnServer
        ? listRanges(publicIps.map((one) => `${one}/${isIP(one) === 6 ? 128 : 32}`))
        : undefined;
      const isOwn = (one: string) => !own || isIn(own, one);
      const address = found.find((one) => isIn(open, one) || (!isIn(closed, one) && isOwn(one)));
      if (address === undefined) {
        const reached = isOnServer
          ? 'no public IP of the account'
          : 'an address that no probe may reach';
        const named = isIP(host) > 0 ? '' : `${found.join(', ')}, `;
        const why = `${host} is ${named}${reached}.`;
        return found.length === 0 ? fail('the name has no address') : { kind: 'refused', why };
      }
      return probe.kind === 'tcp'
        ? await askTcp(address, probe.port, signal)
        : await askHttp(probe, address, signal);
    } catch (error) {
      return fail(timeout.aborted ? `no answer within ${attemptMs / 1_000}s` : explain(error));
    }
  };
}

function listRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    list.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Tells whether a list of addresses contains one; an IPv4 address mapped into IPv6 counts as IPv4. */
function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function readHost(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

async function resolveName(
  { resolve }: ProberDependencies,
  host: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await Promise.race([resolve(host), rejectAtEnd(signal)]);
  return found.map(({ address }) => address);
}

function rejectAtEnd(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => {
      reject(new Error('it was given up'));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function fail(seen: string): ProbeAttemptResult {
  return { kind: 'failing', seen: seen.length > mostSeen ? `${seen.slice(0, mostSeen)}…` : seen };
}

function explain(error: unknown): string {
  return readErrorCode(error) ?? (error instanceof Error ? error.message : 'it failed');
}

async function askTcp(
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<ProbeAttemptResult> {
  const socket = connect({ host, port, signal });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return { kind: 'holds' };
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

async function askHttp(
  { url, statuses, contains }: Extract<EvaluatedProbe, { kind: 'http' }>,
  address: string,
  signal: AbortSignal,
): Promise<ProbeAttemptResult> {
  const isSecure = url.startsWith('https:');
  const { get } = await (isSecure ? import('node:https') : import('node:http'));
  const family = isIP(address);
  const request = get(url, {
    agent: false,
    signal,
    headers: { 'user-agent': 'hostwright', accept: '*/*' },
    // Connects to the address that was checked before: a second lookup of the name could give another.
    lookup: (_host, { all }, done) => {
      if (all === true) done(null, [{ address, family }]);
      else done(null, address, family);
    },
  });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    const { statusCode = 0 } = response;
    if (!statuses.includes(statusCode)) return fail(`status ${statusCode}`);
    if (contains === undefined) return { kind: 'holds' };
    const text = await readStart(response);
    return text.includes(contains)
      ? { kind: 'holds' }
      : fail(`status ${statusCode}, without the text in its first ${mostBytes / 1024} KB`);
  } finally {
    request.on('error', () => undefined).destroy();
  }
}

async function readStart(response: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8');
}

interface CommandSetting {
  readonly env: Runtime['env'];
  readonly directory: string;
  readonly signal: AbortSignal;
}

async function askCommand(
  { words }: Extract<EvaluatedProbe, { kind: 'command' }>,
  { env, directory, signal }: CommandSetting,
): Promise<ProbeAttemptResult> {
  const own = Object.entries(env).filter(([name]) => !/^HOSTWRIGHT_/i.test(name));
  const code = await runProgram(words, { cwd: directory, env: Object.fromEntries(own), signal });
  return code === 0 ? { kind: 'holds' } : fail(`exit code ${String(code)}`);
}

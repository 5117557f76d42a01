// Networks to what keeps a state that fall silent when they are told to.
import type { HttpExchange, NetworkConnections } from '../../../src/model/http.ts';
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import type { RunGit } from '../../../src/state/backends/git/git-program.ts';

/** What becomes of a round trip. */
type Plan = () => 'none' | 'lost' | 'unanswered';

/** A backend over HTTP with connections of its own, which it closes. */
export function openOverSilentNetwork(
  plan: Plan,
  open: (exchange: HttpExchange) => StateBackend,
): StateBackend {
  const network: NetworkConnections = openLazyNetwork({}, { maxConnections: 8 });
  const backend = open(async (request) => {
    const silence = plan();
    if (silence === 'lost') throw new Error('connect ECONNREFUSED');
    const answer = await network.exchange(request);
    if (silence === 'unanswered') throw new Error('read ECONNRESET');
    return answer;
  });
  const close = async () => {
    await backend.close();
    network.close();
  };
  return { ...backend, close };
}

const remoteCommands: ReadonlySet<string> = new Set(['ls-remote', 'fetch', 'push']);

/** Git whose remote falls silent. */
export function silenceGit(git: RunGit, plan: Plan): RunGit {
  return async (args, call) => {
    if (!remoteCommands.has(args[0] ?? '')) return git(args, call);
    const silence = plan();
    if (silence === 'none') return git(args, call);
    if (silence === 'unanswered') await git(args, call);
    const stderr = 'fatal: unable to access remote: Connection reset by peer';
    return { status: 128, stdout: Buffer.alloc(0), stderr };
  };
}

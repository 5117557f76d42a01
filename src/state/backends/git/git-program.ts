// The git program, as this backend runs it: never through a shell, never with a question to the user, never with the
// hooks of the repository. A failure of git is an answer; git-faults.ts explains it.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { errorCode } from '../../faults.ts';
import { BackendError } from '../backend-error.ts';

/** How one run of git ended. */
export interface GitAnswer {
  /** The exit status; undefined when git was killed, or did not end in time. */
  readonly status: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** What one run of git is given. */
export interface GitCall {
  /** Its standard input; empty unless given. */
  readonly input?: readonly (string | Buffer)[];
  /** Git is killed after that; milliseconds. Without it, git may take as long as it needs. */
  readonly timeoutMs?: number;
  /** Git is killed when it is aborted. */
  readonly signal?: AbortSignal;
  /** Git is killed when it has printed more; bytes. Without it, it may print any number. */
  readonly maxBytes?: number;
}

/** Runs git. Rejects with a BackendError only when git cannot be started at all. */
export type RunGit = (args: readonly string[], call?: GitCall) => Promise<GitAnswer>;

/** Where git runs, and with what variables. */
export interface GitPlace {
  /** The work tree, absolute. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How a remote may be reached, also where it sends git elsewhere: `https`. As git's own settings have it unless given. */
  readonly protocols?: readonly string[];
}

/** The repository on this machine. */
export interface Repository {
  readonly git: RunGit;
  /** The name that no object has: zeros, as many as its names are long. */
  readonly noObject: string;
  /** It has only a part of its history. */
  readonly isShallow: boolean;
}

/** Settings that outweigh the user's, so that git does what it is asked and nothing beside it. */
const settings = [
  'core.hooksPath=/dev/null',
  'gc.auto=0',
  'maintenance.auto=false',
  'push.gpgSign=false',
  // Objects are made by the thousand, and packed again by the remote: speed counts more than size.
  'core.compression=1',
].flatMap((setting) => ['-c', setting]);

/** Of the variables that begin with `GIT_`, those that say how a remote is reached; the rest may name another repository. */
const keptGitVariables =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|EXEC_PATH|ALLOW_PROTOCOL|PROXY_\w+|SSL_\w+|HTTP_\w+|CONFIG_\w+)$/;

/** What git is run with: the variables of `env` without those of Hostwright, which may hold secrets. */
export function buildGitEnv(
  env: GitPlace['env'],
  protocols?: GitPlace['protocols'],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name.startsWith('HOSTWRIGHT_')) continue;
    if (name.startsWith('GIT_') && !keptGitVariables.test(name)) continue;
    kept[name] = value;
  }
  const own = kept.GIT_ALLOW_PROTOCOL?.split(':');
  const allowed = protocols?.filter((one) => own?.includes(one) ?? true);
  return {
    ...kept,
    ...(allowed && { GIT_ALLOW_PROTOCOL: allowed.join(':') }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    // The messages are read by git-faults.ts.
    LC_ALL: 'C',
  };
}

/** Makes what runs git in a place. */
export function openGit({ directory, env, protocols }: GitPlace): RunGit {
  const variables = buildGitEnv(env, protocols);
  return (args, call = {}) =>
    new Promise((resolve, reject) => {
      // A session of its own: an interrupt at the terminal must not end a push that the run still waits for, and
      // nothing that git starts can ask at the terminal.
      const child = spawn('git', [...settings, ...args], {
        cwd: directory,
        env: variables,
        detached: true,
        windowsHide: true,
      });
      const watch = watchChild(child, call);
      child.on('error', (cause) => {
        watch.stop();
        reject(explainNoStart(directory, cause));
      });
      child.on('close', (status) => {
        watch.stop();
        resolve(watch.answer(status));
      });
      // Git may end without reading it all; its answer says why.
      child.stdin.on('error', () => undefined);
      for (const part of call.input ?? []) child.stdin.write(part);
      child.stdin.end();
    });
}

/** Gathers what git prints, and ends it where it takes too long, prints too much, or is wanted no more. */
function watchChild(
  child: ChildProcessWithoutNullStreams,
  { timeoutMs, signal, maxBytes = Infinity }: GitCall,
) {
  let isEnded = false;
  const end = () => {
    isEnded = true;
    endAll(child);
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let printed = 0;
  const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > maxBytes) end();
    else chunks.push(chunk);
  };
  child.stdout.on('data', keep(stdout));
  child.stderr.on('data', keep(stderr));
  return {
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    },
    answer(status: number | null): GitAnswer {
      return {
        status: isEnded ? undefined : (status ?? undefined),
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8'),
      };
    },
  };
}

/** Ends git and what it has started: what stays behind would keep the streams open. */
function endAll(child: ChildProcessWithoutNullStreams): void {
  // It never began; and 0 would be the group of this very process.
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    child.kill('SIGTERM');
  }
  child.stdout.destroy();
  child.stderr.destroy();
}

function explainNoStart(directory: string, cause: Error): BackendError {
  const reason =
    errorCode(cause) === 'ENOENT'
      ? 'it is not installed, or the directory does not exist'
      : cause.message;
  return new BackendError(
    'broken',
    `The git program cannot be started in ${directory}: ${reason}.`,
    {
      cause,
    },
  );
}

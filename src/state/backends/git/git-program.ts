// The git program: the one place that starts it. Never through a shell, never with a question to the user, never in a
// directory where git would find a repository or settings by itself, never with hooks. A failure of git is an answer;
// git-faults.ts explains it.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readErrorCode } from '../../../model/errors.ts';
import { BackendError } from '../backend-error.ts';

/** Output and exit code of one call of git. */
export interface GitRunResult {
  /** The exit status; undefined when git was killed, or did not end in time. */
  readonly status: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Standard input and limits of one call of git. */
export interface GitCall {
  /** Pieces of standard input for git; empty when absent. */
  readonly input?: readonly (string | Buffer)[];
  /** Git is killed after this time; milliseconds. Without it, git may take as long as it needs. */
  readonly timeoutMs?: number;
  /** Signal that kills git when it is aborted. */
  readonly signal?: AbortSignal;
  /** Git is killed when it has printed more; bytes. Without it, git may print any number. */
  readonly maxBytes?: number;
}

/** Runs git. Rejects with a BackendError only when git cannot be started at all. */
export type RunGit = (args: readonly string[], call?: GitCall) => Promise<GitRunResult>;

/** A setting of git, by its key as git lists it: `remote.origin.url`. */
export type GitSettingEntry = readonly [key: string, value: string];

/** Context in which git runs: directory, environment and settings. */
export interface GitRunContext {
  /** The repository itself, bare or the `.git` of a work tree; absolute. Git runs there, and looks nowhere else. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Settings in addition to those of the user and of the repository. They are passed in the environment, since other
   * processes can read arguments.
   */
  readonly settings?: readonly GitSettingEntry[];
  /** Protocols by which a remote may be reached, also after a redirect: `https`. Git's own settings decide unless given. */
  readonly protocols?: readonly string[];
  /** Git is killed when this signal is aborted, whatever it does. */
  readonly signal?: AbortSignal;
}

/** Local git repository that is opened for calls of git. */
export interface OpenGitRepository {
  readonly git: RunGit;
  /** The object name that means "no object": as many zeros as a name has digits. */
  readonly noObject: string;
  /** Set for a repository with only a part of its history, which is enough for its user. */
  readonly isShallow: boolean;
}

/** Settings that outweigh the user's, so that git does what it is asked and nothing more. */
const ownSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  'protocol.ext.allow=never',
  'protocol.fd.allow=never',
  // The credentials of one address must not go along to another.
  'http.followRedirects=false',
  'fetch.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'push.gpgSign=false',
  // Objects are made by the thousand, and packed again by the remote: speed counts more than size.
  'core.compression=1',
].flatMap((setting) => ['-c', setting]);

/** Names of `GIT_` variables that git gets, as they say how to reach a remote; any other may name another repository. */
const keptGitVariables =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|EXEC_PATH|ALLOW_PROTOCOL|PROXY_\w+|SSL_\w+|HTTP_\w+|CONFIG_\w+)$/;

/** Builds the environment of git from `env`, without Hostwright's own variables, which may hold secrets. */
export function buildGitEnv({
  directory,
  env,
  settings = [],
  protocols,
}: GitRunContext): Record<string, string> {
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
    ...addSettings(kept, settings),
    GIT_DIR: directory,
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    // Git writes its messages in English, as git-faults.ts recognises errors by them.
    LC_ALL: 'C',
  };
}

/** The variables that give settings to git, added to those that the user gives in this way. */
function addSettings(
  { GIT_CONFIG_COUNT: given }: Readonly<Record<string, string>>,
  settings: readonly GitSettingEntry[],
): Record<string, string> {
  if (settings.length === 0) return {};
  const start = Number(given ?? 0);
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(start + settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${start + index}`] = key;
    variables[`GIT_CONFIG_VALUE_${start + index}`] = value;
  }
  return variables;
}

/** Makes the function that runs git in one directory. */
export function openGitRunner(place: GitRunContext): RunGit {
  const { directory } = place;
  const variables = buildGitEnv(place);
  return async (args, given = {}) => {
    const signals = [place.signal, given.signal].filter((one) => one !== undefined);
    const call = { ...given, signal: AbortSignal.any(signals) };
    const answer = await runOnce(directory, variables, args, call);
    if (answer.status === 0 || !/returned error: 30\d/.test(answer.stderr)) return answer;
    // Git does not report a refused redirect, except when traced; it hides credentials there, too.
    const traced = { ...variables, GIT_CURL_VERBOSE: '1' };
    const again = await runOnce(directory, traced, args, call);
    const [, location] = /^.*<= Recv header: location: (\S+)\s*$/im.exec(again.stderr) ?? [];
    if (location === undefined) return answer;
    return { ...answer, stderr: `${answer.stderr}fatal: the address leads on to ${location}\n` };
  };
}

/** Hash algorithm by which a git repository names its objects. */
export type GitObjectFormat = 'sha1' | 'sha256';

/** Makes a bare repository in the directory where git runs, without a template that would bring hooks or settings along. */
export function initBareRepository(git: RunGit, format: GitObjectFormat): Promise<GitRunResult> {
  return git(['init', '--bare', '--quiet', '--template=', `--object-format=${format}`]);
}

function runOnce(
  directory: string,
  variables: Record<string, string>,
  args: readonly string[],
  call: GitCall,
): Promise<GitRunResult> {
  return new Promise((resolve, reject) => {
    // Git gets a session of its own: an interrupt at the terminal must not end a push that the run still waits for, and no
    // program that git starts can ask at the terminal.
    const child = spawn('git', [...ownSettings, ...args], {
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
    // Git may end without reading all of its input; its answer says why.
    child.stdin.on('error', () => undefined);
    for (const part of call.input ?? []) child.stdin.write(part);
    child.stdin.end();
  });
}

/** Gathers the output of git, and ends git when it takes too long, prints too much, or is aborted. */
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
    answer(status: number | null): GitRunResult {
      return {
        status: isEnded ? undefined : (status ?? undefined),
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8'),
      };
    },
  };
}

/** Ends git and the programs that it has started: any that stayed would keep the streams open. */
function endAll(child: ChildProcessWithoutNullStreams): void {
  // Git never began; and pid 0 would be the group of this very process.
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
    readErrorCode(cause) === 'ENOENT'
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

// A change that somebody else decides on: a branch with other YAML, and a copy of it to plan. The work tree, its index and all
// other branches stay as they are, nothing is pushed, and nothing is applied.
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Runtime } from '../../model/runtime.ts';
import { checkOutCommit } from '../../modules/check-out.ts';
import {
  findEnclosingRepository,
  requireRepositoryOwner,
} from '../../state/backends/git/find-repository.ts';
import { explainGitFailure } from '../../state/backends/git/git-faults.ts';
import { openGitRunner, type RunGit } from '../../state/backends/git/git-program.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** A file of the configuration as an agent proposes it. */
export interface ProposedFile {
  /** Relative to the directory of the configuration, with `/`. */
  readonly path: string;
  /** The whole proposed content of the file; null to remove the file. */
  readonly content: string | null;
}

/** A change of the configuration that is put on a branch. */
export interface ChangeProposal {
  /** Name of the proposal's git branch, without the prefix `hostwright/`. */
  readonly branch: string;
  /** Message of the commit. */
  readonly message: string;
  readonly files: readonly ProposedFile[];
}

/** A proposed change that was committed to a new branch, with a checkout of that branch for a plan. */
export interface CheckedOutProposal {
  readonly branch: string;
  readonly commit: string;
  /** Directory with the proposed configuration, and with a copy of the local state: for a plan. */
  readonly directory: string;
  /** Removes the checkout of the proposal; its branch stays. */
  close(): Promise<void>;
}

/** Most files of a proposal. */
const mostProposedFiles = 100;
/** Most characters of a proposed file. */
const longestProposedFile = 1_000_000;
const gitTimeoutMs = 60_000;

/** The directory of a configuration, and the environment of git. */
type ProposalMeans = Pick<Runtime, 'env' | 'beforeAbruptEnd' | 'clock'> & {
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
};

/**
 * Commits a proposed change to a new branch that begins at the checked-out commit.
 * @throws DiagnosticError; BackendError where git refuses
 */
export async function proposeChange(
  means: ProposalMeans,
  proposal: ChangeProposal,
): Promise<CheckedOutProposal> {
  refuseBadProposal(proposal);
  const found = await findEnclosingRepository(means.directory);
  await requireRepositoryOwner(found, means.env);
  const git = openGitRunner({ directory: found.common, env: means.env });
  const place = relative(found.top, means.directory).split(sep).join('/');
  const branch = `hostwright/${proposal.branch}`;
  const head = await readHead(openGitRunner({ directory: found.gitDirectory, env: means.env }));
  const commit = await writeBranch(git, { branch, head, place, proposal, at: means.clock.now() });
  const root = await mkdtemp(join(tmpdir(), 'hostwright-proposal-'));
  const forget = means.beforeAbruptEnd(() => rmSync(root, { recursive: true, force: true }));
  const close = async () => {
    await rm(root, { recursive: true, force: true });
    forget();
  };
  try {
    const { top } = await checkOutCommit(means, {
      url: pathToFileURL(found.common).href,
      commit,
      root,
    });
    const directory = join(top, place);
    await copyState(means.directory, directory);
    return { branch, commit, directory, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A path as a stranger may give it: YAML below the directory, in no hidden folder. */
const safePath = /^(?:\w[\w.-]*\/)*\w[\w.-]*\.ya?ml$/;

/** @throws DiagnosticError with every fault */
function refuseBadProposal({ branch, message, files }: ChangeProposal): void {
  const bad = files.filter(({ path }) => !safePath.test(path) || posix.normalize(path) !== path);
  const large = files.filter(({ content }) => (content?.length ?? 0) > longestProposedFile);
  const twice = files.filter(
    ({ path }, index) => files.findIndex((one) => one.path === path) < index,
  );
  const faults = [
    ...(/^[a-z\d][a-z\d-]{0,99}$/.test(branch)
      ? []
      : [
          `The branch is named by letters a to z, digits and "-", and not ${JSON.stringify(branch)}.`,
        ]),
    ...(message.trim() === '' ? ['The commit needs a message.'] : []),
    ...(files.length === 0 ? ['No file is given.'] : []),
    ...(files.length > mostProposedFiles
      ? [`More than ${mostProposedFiles} files are given.`]
      : []),
    ...bad.map(({ path }) => `${JSON.stringify(path)} is no YAML file below the configuration.`),
    ...large.map(({ path }) => `${path} is longer than ${longestProposedFile} characters.`),
    ...twice.map(({ path }) => `${path} is given twice.`),
  ];
  if (faults.length === 0) return;
  throw createCommandRefusal('proposal-refused', 'The change cannot be proposed', {
    detail: faults.join('\n'),
    hint: 'Give whole files of YAML, by paths relative to the directory of the configuration.',
  });
}

async function readHead(git: RunGit): Promise<string> {
  const answer = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    timeoutMs: gitTimeoutMs,
  });
  const head = answer.stdout.toString('latin1').trim();
  if (answer.status === 0 && /^[\da-f]{40,64}$/.test(head)) return head;
  throw createCommandRefusal(
    'proposal-refused',
    'The repository has no commit to begin a branch from',
    {
      hint: 'Add a first commit with the configuration.',
    },
  );
}

/** The draft of a branch with one commit. */
interface BranchDraft {
  readonly branch: string;
  readonly head: string;
  /** Directory of the configuration in the repository; `''` for its top. */
  readonly place: string;
  readonly proposal: ChangeProposal;
  /** Time of the commit, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Makes the commit and the branch in one run of git. @returns the commit */
async function writeBranch(
  git: RunGit,
  { branch, head, place, proposal, at }: BranchDraft,
): Promise<string> {
  const taken = await git(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (taken.status === 0) {
    throw createCommandRefusal('proposal-refused', `The branch ${branch} exists already`, {
      hint: 'Choose another name.',
    });
  }
  const { message, files } = proposal;
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const changes = files.map(({ path, content }) => {
    const whole = JSON.stringify(posix.join(place, path));
    return content === null ? `D ${whole}\n` : `M 100644 inline ${whole}\n${data(content)}`;
  });
  const input = [
    `commit refs/heads/${branch}\nmark :1\n`,
    `committer Hostwright <hostwright@localhost> ${Math.floor(at / 1_000)} +0000\n`,
    ...[data(message), `from ${head}\n`, ...changes, '\nget-mark :1\ndone\n'],
  ];
  const answer = await git(['fast-import', '--quiet', '--done'], {
    input,
    timeoutMs: gitTimeoutMs,
  });
  if (answer.status !== 0) throw explainGitFailure('Git cannot make the branch', answer);
  return answer.stdout.toString('latin1').trim();
}

/** A plan of the copy needs what the state knows, and must not lock or change the state itself. */
async function copyState(from: string, to: string): Promise<void> {
  const [source, target] = [from, to].map((directory) => join(directory, '.hostwright')) as [
    string,
    string,
  ];
  const found = await stat(source).catch(() => undefined);
  if (!found?.isDirectory()) return;
  // A folder of the state's name in the commit is replaced: the state is never part of a commit.
  await rm(target, { recursive: true, force: true });
  await cp(source, target, { recursive: true, dereference: false });
}

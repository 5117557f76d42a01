// Makes commits in the repository of the user without touching its work tree, its index or its branches: one run of
// `git fast-import` writes the objects and keeps no ref. They are pushed by their names.
import { randomUUID } from 'node:crypto';
import { BackendError } from '../backend-error.ts';
import { explainGitFailure } from './git-faults.ts';
import type { OpenGitRepository } from './git-program.ts';

/** Hash that names a git object: 40 or 64 hexadecimal digits. */
export type GitObjectId = string;

/** Draft of a git commit that changes one file of the state. */
export interface CommitDraft {
  readonly message: string;
  /** Time of the commit, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Parent of the commit; undefined for the first commit of a branch. */
  readonly parent?: GitObjectId | undefined;
  /** The path of the changed file, relative to the top of the tree. */
  readonly path: string;
  /** The new text of the file, in pieces; undefined removes the file. */
  readonly text: readonly Buffer[] | undefined;
}

/** A git commit that was made, not yet pushed. */
export interface WrittenCommit {
  readonly commit: GitObjectId;
  /** Hash of the file's content in git; undefined for a removed file. */
  readonly blob: GitObjectId | undefined;
}

/** Makes commits, all in one run of git. Rejects with a BackendError. */
export async function writeCommits(
  { git, noObject }: OpenGitRepository,
  drafts: readonly CommitDraft[],
): Promise<readonly WrittenCommit[]> {
  // Refs of this run of fast-import alone: the unique name keeps other processes away, and they go with it.
  const folder = `refs/hostwright/scratch/${randomUUID()}`;
  const bodies = drafts.flatMap((draft, index) => encodeDraft(draft, index, `${folder}/${index}`));
  const marks = drafts.flatMap(({ text }, index) => [
    `get-mark :${commitMark(index)}\n`,
    ...(text ? [`get-mark :${blobMark(index)}\n`] : []),
  ]);
  const ends = drafts.map((_, index) => `reset ${folder}/${index}\nfrom ${noObject}\n\n`);
  const input = [...bodies, ...marks, ...ends, 'done\n'];
  const answer = await git(['fast-import', '--quiet', '--done'], { input });
  if (answer.status !== 0) throw explainGitFailure('Git cannot make a commit here', answer);
  const names = answer.stdout.toString('latin1').split('\n');
  return drafts.map(({ text }) => ({
    commit: takeName(names),
    blob: text ? takeName(names) : undefined,
  }));
}

const commitMark = (index: number) => 2 * index + 1;
const blobMark = (index: number) => 2 * index + 2;

function encodeDraft(draft: CommitDraft, index: number, ref: string): (string | Buffer)[] {
  const { message, at, parent, path, text } = draft;
  const bytes = Buffer.byteLength(message);
  return [
    ...(text ? [`blob\nmark :${blobMark(index)}\ndata ${countBytes(text)}\n`, ...text, '\n'] : []),
    `commit ${ref}\nmark :${commitMark(index)}\n`,
    `committer Hostwright <hostwright@localhost> ${Math.floor(at / 1000)} +0000\n`,
    `data ${bytes}\n${message}\n`,
    ...(parent === undefined ? [] : [`from ${parent}\n`]),
    text ? `M 100644 :${blobMark(index)} ${path}\n\n` : `D ${path}\n\n`,
  ];
}

function countBytes(text: readonly Buffer[]): number {
  return text.reduce((sum, { length }) => sum + length, 0);
}

function takeName(names: string[]): GitObjectId {
  const name = names.shift() ?? '';
  if (/^[\da-f]{40,64}$/.test(name)) return name;
  throw new BackendError('broken', 'Git did not tell the name of a commit that it made.');
}

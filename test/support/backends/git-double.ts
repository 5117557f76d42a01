// What `git` answers to the commands of the backend, as values: a remote and the repositories beside it in memory. The
// contract of backends runs on it and on the program alike.
import type { GitRunResult, RunGit } from '../../../src/state/backends/git/git-program.ts';
import type { LocalRepository } from '../../../src/state/backends/git/open-repository.ts';
import {
  copyCommit,
  findBlob,
  findCommit,
  GitComplaint,
  importStream,
  type Objects,
} from './git-objects.ts';

/** The remote. */
export interface MemoryRemote {
  readonly objects: Objects;
  readonly refs: Map<string, string>;
}

/** Carries a command to the remote and its answer back. What goes wrong there is an answer, too. */
export type Carry = (
  args: readonly string[],
  work: () => GitRunResult,
  timeoutMs: number | undefined,
) => Promise<GitRunResult>;

/** A remote without branches. */
export function openMemoryRemote(): MemoryRemote {
  return { objects: new Map(), refs: new Map() };
}

/** A repository whose git is one in memory, or any other. */
export function openMemoryRepository(git: RunGit): LocalRepository {
  const remotes = new Map([['origin', { fetchUrl: '/remote.git', pushUrls: ['/remote.git'] }]]);
  const names = { noObject: '0'.repeat(40), branchRemote: undefined };
  return { git, top: '/', isShallow: false, remotes, ...names };
}

/** The git of another repository, whose `origin` is the remote. */
export function openMemoryGit(
  remote: MemoryRemote,
  carry: Carry = (_args, work) => Promise.resolve(work()),
): RunGit {
  const objects: Objects = new Map();
  return async (asked, { input = [], timeoutMs } = {}) => {
    const [command = '', ...args] = asked;
    const stdin = Buffer.concat(input.map((part) => Buffer.from(part)));
    switch (command) {
      case 'fast-import':
        return attempt(() => say(importStream(objects, stdin)));
      case 'cat-file':
        return attempt(() => readObjects(objects, args, stdin));
      case 'ls-tree':
        return attempt(() => listTree(objects, args));
      case 'ls-remote':
        return carry(asked, () => listRefs(remote.refs, args), timeoutMs);
      case 'fetch':
        return carry(asked, () => attempt(() => fetch(remote, objects, args)), timeoutMs);
      case 'push':
        return carry(asked, () => attempt(() => push(remote, objects, args)), timeoutMs);
      default:
        return complain(`git: '${command}' is not a git command`, 1);
    }
  };
}

function say(text: string | Buffer): GitRunResult {
  return { status: 0, stdout: Buffer.from(text), stderr: '' };
}

/** An answer that says that something failed; without a status, git was ended before it answered. */
export function complain(stderr: string, status?: number): GitRunResult {
  return { status, stdout: Buffer.alloc(0), stderr };
}

function attempt(work: () => GitRunResult): GitRunResult {
  try {
    return work();
  } catch (error) {
    if (error instanceof GitComplaint) return complain(error.message, 128);
    throw error;
  }
}

function readObjects(objects: Objects, args: readonly string[], stdin: Buffer): GitRunResult {
  const [kind, name = ''] = args;
  if (kind === 'blob') return say(findBlob(objects, name));
  const names = stdin.toString('latin1').split('\n').slice(0, -1);
  return say(names.map((one) => `${one}${objects.has(one) ? '' : ' missing'}\n`).join(''));
}

function listTree(objects: Objects, args: readonly string[]): GitRunResult {
  const end = args.indexOf('--');
  const { files } = findCommit(objects, args[end - 1] ?? '');
  const folders = args.slice(end + 1);
  const isWanted = (path: string) =>
    folders.length === 0 || folders.some((folder) => path.startsWith(folder));
  const lines = [...files].filter(([path]) => isWanted(path));
  return say(lines.map(([path, blob]) => `100644 blob ${blob}\t${path}\0`).join(''));
}

/** What `git ls-remote` prints of these refs. */
export function listRefs(refs: ReadonlyMap<string, string>, args: readonly string[]): GitRunResult {
  const wanted = args.slice(args.indexOf('--') + 2);
  const lines = wanted.flatMap((ref) => {
    const id = refs.get(ref);
    return id === undefined ? [] : [`${id}\t${ref}\n`];
  });
  return say(lines.join(''));
}

function fetch(
  { objects, refs }: MemoryRemote,
  to: Objects,
  args: readonly string[],
): GitRunResult {
  for (const refspec of args.slice(args.indexOf('--') + 2)) {
    const [ref = ''] = refspec.slice(1).split(':');
    const id = refs.get(ref);
    if (id === undefined) return complain(`fatal: couldn't find remote ref ${ref}`, 128);
    copyCommit(objects, to, id);
  }
  return say('');
}

/** All refs or none, and each only from where it is said to be. */
function push(
  { objects, refs }: MemoryRemote,
  from: Objects,
  args: readonly string[],
): GitRunResult {
  const leases = args.flatMap((one) => {
    const [, ref, id] = /^--force-with-lease=(.+?):(.*)$/.exec(one) ?? [];
    return ref === undefined ? [] : [[ref, id ?? ''] as const];
  });
  const moves = args.slice(args.indexOf('--') + 2).map((one) => one.split(':') as [string, string]);
  const stale = leases.filter(([ref, id]) => (refs.get(ref) ?? '') !== id);
  if (stale.length > 0) {
    const lines = moves.map(([id, ref]) => {
      const reason = stale.some(([one]) => one === ref) ? 'stale info' : 'atomic push failed';
      return `!\t${id}:${ref}\t[rejected] (${reason})\n`;
    });
    const stdout = Buffer.from(`To /remote.git\n${lines.join('')}Done\n`);
    return { status: 1, stdout, stderr: 'error: failed to push some refs to /remote.git\n' };
  }
  for (const [id, ref] of moves) {
    copyCommit(from, objects, id);
    refs.set(ref, id);
  }
  return say('Done\n');
}

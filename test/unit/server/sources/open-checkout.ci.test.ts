// What a run says of a repository that lacks what its workspace names: it is that of the workspace, and no module.
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBranchCommit } from '../../../../src/modules/check-out.ts';
import {
  createRunCheckoutOpener,
  removeAbandonedCheckouts,
} from '../../../../src/server/sources/open-checkout.ts';
import { identifyProcess } from '../../../../src/state/lock/lock-holder.ts';
import { makeRepository, type GitRepository } from '../../../support/git-repositories.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';

let folder: string;
let repository: GitRepository;
let url: string;
let commit: string;
const means = { ...silentRuntime, env: { PATH: process.env.PATH } };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-sources-'));
  repository = await makeRepository(join(folder, 'infra'));
  url = pathToFileURL(repository.directory).href;
  commit = await repository.commit({ 'shop/main.yaml': 'version: 1\n' });
  await repository.git('branch', 'staging');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const explain = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing is wrong',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const open = (
  directory: string,
  reads: string[],
  repository: string,
  id: string,
  signal: AbortSignal,
) =>
  createRunCheckoutOpener(
    {
      ...{ find: () => Promise.resolve(undefined), close: () => undefined },
      openGit: () => Promise.resolve(means),
      open: () => Promise.reject(new Error('there is no host')),
    },
    identifyProcess(process.pid, 'here'),
  )({ connection: undefined, repository, directory, reads }, id, signal);

async function explainCheckout(
  directory: string,
  id = commit,
  { repository: address = url, signal = new AbortController().signal, reads = [] as string[] } = {},
): Promise<string> {
  return explain(open(directory, reads, address, id, signal).then((checkout) => checkout.close()));
}

test('a branch that is missing is that of the workspace', async () => {
  expect(await explain(findBranchCommit(means, url, 'stagign'))).toBe(
    'The repository of the workspace has no branch `stagign`. Did you mean `staging`?',
  );
  expect(await explain(findBranchCommit(means, url, 'x'))).toBe(
    'The repository of the workspace has no branch `x`. It has the branches `main`, `staging`.',
  );
  expect(await findBranchCommit(means, url, 'staging')).toBe(commit);
});

test('a repository without a commit has no branch', async () => {
  const empty = await makeRepository(join(folder, 'empty'));
  expect(await explain(findBranchCommit(means, pathToFileURL(empty.directory).href, 'main'))).toBe(
    'The repository of the workspace has no branch `main`. It has no branch yet: push a commit.',
  );
});

test('a directory that is missing is that of the workspace', async () => {
  expect(await explainCheckout('shop')).toBe('nothing is wrong');
  const said = await explainCheckout('shpo');
  expect(said).toContain('The commit has no directory "shpo", which the workspace names.');
  expect(said).not.toContain('module');
});

test('a directory that a link leads to is named itself: what it holds changes elsewhere', async () => {
  const tree = { 'real/shop/main.yaml': 'version: 1\n', linked: { leadsTo: 'real' } };
  const linked = await repository.commit(tree);
  expect(await explainCheckout('./real//shop/', linked)).toBe('nothing is wrong');
  for (const directory of ['linked/shop', 'linked/'])
    expect(await explainCheckout(directory, linked)).toContain(
      `The directory ${JSON.stringify(directory)} of the workspace leads through a link.`,
    );
});

test('further directories are real ones of the checkout, which no link and no .. leads out of', async () => {
  const tree = {
    'shop/main.yaml': 'version: 1\n',
    'modules/a.yaml': '',
    linked: { leadsTo: 'modules' },
  };
  const id = await repository.commit(tree);
  const read = (...reads: string[]) => explainCheckout('shop', id, { reads });
  expect(await read('modules', './modules/')).toBe('nothing is wrong');
  expect(await read('modules', 'linked')).toContain('leads through a link');
  for (const written of ['../shop', 'modules/../..', '/etc', '.git', 'modules/a.yaml', 'gone'])
    expect(await read(written)).toContain(`The commit has no directory ${JSON.stringify(written)}`);
});

test('a commit that is gone, and a link that leads out, are no module either', async () => {
  const gone = await explainCheckout('.', 'a'.repeat(40));
  expect(gone).toContain('The repository of the workspace does not have the commit any more.');
  const linked = await repository.commit({ 'main.yaml': { leadsTo: '/etc/hostname' } });
  const out = await explainCheckout('.', linked);
  expect(out).toContain('The repository of the workspace holds a link that leads out of it.');
  expect(`${gone}${out}`).not.toContain('module');
});

test('a commit brings no files of Hostwright along', async () => {
  const tree = { 'shop/main.yaml': 'version: 1\n', 'shop/.hostwright/rescue/state.json': '{}' };
  const forged = await repository.commit(tree);
  expect(await explainCheckout('shop', forged)).toContain('The commit has .hostwright');
});

test('a host that takes the connection and says nothing is left when the run ends', async () => {
  const ending = new AbortController();
  const host = createServer(() => ending.abort()).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const { port } = host.address() as AddressInfo;
  const given = { repository: `https://127.0.0.1:${port}/acme/infra.git`, signal: ending.signal };
  expect(await explainCheckout('.', commit, given)).toContain('The commit cannot be checked out.');
  host.close();
});

test('names the submodules that it leaves out', async () => {
  await repository.commit({ 'site/main.yaml': 'version: 1\n' });
  await repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},vendor/theme`);
  await repository.git('commit', '--quiet', '--message', 'a submodule');
  const id = await repository.git('rev-parse', 'HEAD');
  const checkout = await open('site', [], url, id, new AbortController().signal);
  await checkout.close();
  expect(checkout.submodules).toEqual(['vendor/theme']);
});

test('checkouts of workers that were killed are removed, and no others', async () => {
  const parent = await mkdtemp(join(folder, 'left-'));
  const { Started: started, ...mark } = identifyProcess(process.pid, 'here');
  const owners = {
    'hostwright-run-gone': { ...mark, Pid: 2 ** 22 + 1 },
    'hostwright-run-live': { ...mark, ...(started !== undefined && { Started: started }) },
    'hostwright-run-elsewhere': { Pid: 2 ** 22 + 1, Host: 'there' },
    'other-gone': { ...mark, Pid: 2 ** 22 + 1 },
  };
  for (const [name, owner] of Object.entries(owners)) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, 'owner.json'), JSON.stringify(owner));
  }
  await mkdir(join(parent, 'hostwright-run-unknown'));
  await removeAbandonedCheckouts('here', parent);
  expect((await readdir(parent)).sort()).toEqual([
    ...['hostwright-run-elsewhere', 'hostwright-run-live', 'hostwright-run-unknown', 'other-gone'],
  ]);
});

// What a push plans in a real PostgreSQL: of a real repository, where a host says which files differ.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GitHostFault } from '../../../src/server/hosts/host-fault.ts';
import { pollRepositories } from '../../../src/server/pulls/poll-sources.ts';
import type { ServerStore } from '../../../src/server/store/store.ts';
import { openPushRig, type PushRig } from '../../support/server/push-rig.ts';

let rig: PushRig;
let store: ServerStore;

/** The commits that were planned, of each workspace. */
async function listPlanned(): Promise<Readonly<Record<string, readonly string[]>>> {
  const runs = await store.runs.list(undefined, 100);
  const named = (await store.workspaces.list()).map(({ name }) => [
    name,
    runs.filter(({ workspace }) => workspace === name).map(({ commit }) => commit),
  ]);
  return Object.fromEntries(named) as Record<string, readonly string[]>;
}

const listSeen = async () =>
  new Set((await store.workspaces.list()).map(({ seenCommit }) => seenCommit));

const tree = { 'a/main.yaml': '1', 'b/main.yaml': '1', 'README.md': '1' };

beforeAll(async () => {
  rig = await openPushRig();
  ({ store } = rig);
});
beforeEach(() => rig.renew());
afterAll(() => rig.close());

describe('a push', () => {
  it('plans what it touches, and every workspace has seen its commit', async () => {
    await rig.addWorkspaces('a', 'a', 'b', '.');
    const first = await rig.push(tree);
    expect(rig.compared).toEqual([]);
    const second = await rig.push({ ...tree, 'a/main.yaml': '2' });
    const both = [second, first];
    expect(await listPlanned()).toEqual({ w0: both, w1: both, w2: [first], w3: both });
    expect(await listSeen()).toEqual(new Set([second]));
    expect(rig.compared).toEqual([`${first}...${second}`]);
  });

  it('plans both directories between which a file moves', async () => {
    await rig.addWorkspaces('a', 'b', 'c');
    const first = await rig.push({ ...tree, 'a/moved.yaml': 'a text that is found again' });
    const second = await rig.push({ ...tree, 'c/moved.yaml': 'a text that is found again' });
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [first], w2: [second, first] });
  });

  it('plans what earlier pushes touched that nobody heard of', async () => {
    await rig.addWorkspaces('a', 'b');
    const first = await rig.push(tree);
    await rig.repository.commit({ ...tree, 'a/main.yaml': '2' });
    const third = await rig.push({ ...tree, 'a/main.yaml': '2', 'b/main.yaml': '2' });
    expect(await listPlanned()).toEqual({ w0: [third, first], w1: [third, first] });
  });

  it('loses nothing and plans nothing twice where it is heard of again, at once or after a kill', async () => {
    await rig.addWorkspaces('a', 'b');
    const first = await rig.push(tree);
    const second = await rig.repository.commit({ ...tree, 'a/main.yaml': '2' });
    // One process was killed after it had noted the commit for what is not touched.
    const other = await store.workspaces.find('w1');
    expect(await store.workspaces.noteSeen(other ? [other] : [], second)).toBe(1);
    await Promise.allSettled([rig.hear(second), rig.hear(second), rig.hear(second)]);
    await rig.hear(second);
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [first] });
    expect(await listSeen()).toEqual(new Set([second]));
  });

  it('is compared with what each workspace has seen, once for all that have seen the same', async () => {
    await rig.addWorkspaces('a', 'a', 'b', 'b');
    const first = await rig.push(tree);
    const second = await rig.repository.commit({ ...tree, 'a/main.yaml': '2' });
    const [, behind] = await store.workspaces.list();
    const rest = (await store.workspaces.list()).filter(({ id }) => id !== behind?.id);
    await store.workspaces.noteSeen(rest, second);
    const third = await rig.push({ ...tree, 'a/main.yaml': '2', 'README.md': '2' });
    expect(await listPlanned()).toMatchObject({ w0: [first], w1: [third, first], w2: [first] });
    expect([...rig.compared].sort()).toEqual(
      [`${first}...${third}`, `${second}...${third}`].sort(),
    );
  });

  it('is done again where another one came first', async () => {
    await rig.addWorkspaces('b');
    const first = await rig.push(tree);
    const second = await rig.repository.commit({ ...tree, 'a/main.yaml': '2' });
    const really = rig.compare;
    rig.compare = async () => {
      // Meanwhile a push is heard of that touches the workspace.
      rig.compare = really;
      await rig.push({ ...tree, 'b/main.yaml': '2' });
      return ['a/main.yaml'];
    };
    await expect(rig.hear(second)).rejects.toThrow('Another push came first');
    const third = await rig.repository.git('rev-parse', 'HEAD');
    expect(await listPlanned()).toEqual({ w0: [third, first] });
    expect(await listSeen()).toEqual(new Set([third]));
  });

  it('plans everything where the host cannot say what it touches', async () => {
    await rig.addWorkspaces('a', 'b');
    const first = await rig.push(tree);
    rig.compare = () => Promise.resolve(undefined);
    const second = await rig.push({ ...tree, 'a/main.yaml': '2' });
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [second, first] });
  });

  it('waits for a host that does not answer, and plans everything in the end', async () => {
    await rig.addWorkspaces('a', 'b');
    const first = await rig.push(tree);
    const second = await rig.repository.commit({ ...tree, 'a/main.yaml': '2' });
    rig.compare = () => Promise.reject(new GitHostFault('out of order', { status: 502 }));
    await expect(rig.hear(second, 4)).rejects.toThrow('out of order');
    expect(await listPlanned()).toEqual({ w0: [first], w1: [first] });
    await rig.hear(second, 5);
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [second, first] });
  });

  it('plans a workspace whose directory was changed since', async () => {
    await rig.addWorkspaces('a', 'b');
    const first = await rig.push(tree);
    await store.transact(async () => {
      const held = await store.workspaces.hold('w1');
      if (held) await store.workspaces.edit(held, { directory: 'c' });
    });
    const second = await rig.push({ ...tree, 'a/main.yaml': '2' });
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [second, first] });
  });
});

describe('a repository that is polled', () => {
  const poll = async () => {
    const warnings: string[] = [];
    await rig.database.ask('UPDATE hostwright_server.workspaces SET poll = true');
    await rig.database.ask('DELETE FROM hostwright_server.poll_clocks');
    await pollRepositories(rig.means, (text) => void warnings.push(text));
    return warnings;
  };

  it('is planned where a new commit touches it, if its host says what that is', async () => {
    await rig.addWorkspaces('a', 'b', 'b');
    const first = await rig.push(tree);
    rig.isHosted = true;
    const second = await rig.repository.commit({ ...tree, 'a/main.yaml': '2' });
    expect([...(await poll()), ...(await poll())]).toEqual([]);
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [first], w2: [first] });
    expect(await listSeen()).toEqual(new Set([second]));
    expect(rig.compared).toEqual([`${first}...${second}`]);
    rig.compare = () => Promise.reject(new GitHostFault('out of order', { status: 502 }));
    const third = await rig.repository.commit(tree);
    await poll();
    expect(await listPlanned()).toMatchObject({ w1: [third, first], w2: [third, first] });
  });

  it('is asked by one process at a time, and has one line of the log for one fault', async () => {
    await rig.addWorkspaces('a', 'b', 'c');
    await rig.database.ask("UPDATE hostwright_server.workspaces SET branch = 'gone', poll = true");
    await rig.database.ask('DELETE FROM hostwright_server.poll_clocks');
    const lines: string[] = [];
    const pass = () => pollRepositories(rig.means, (text) => void lines.push(text));
    await Promise.all([pass(), pass(), pass()]);
    const words = /^Workspace w\d and 2 more: .* has no branch `gone`/;
    expect(lines).toEqual([expect.stringMatching(words)]);
  });

  it('is planned in any case where nobody says what a commit touches', async () => {
    await rig.addWorkspaces('a', 'b');
    const first = await rig.push(tree);
    const second = await rig.repository.commit({ ...tree, 'a/main.yaml': '2' });
    expect(await poll()).toEqual([]);
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [second, first] });
  });
});

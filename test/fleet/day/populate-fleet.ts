import { deriveAccountKey } from '../../../src/server/accounts/accounts.ts';
import type { ServerStore } from '../../../src/server/store/store.ts';
import type { Workspace } from '../../../src/server/store/workspaces.ts';
import type { DayDatabase } from './day-database.ts';
import { AccountDouble, nameCommit, readCommit, type Ground } from './day-world.ts';
import { eachOf } from './each-of.ts';
import type { DayOptions } from './day.ts';

/** What there is in the morning. */
export interface Populated {
  readonly accounts: readonly AccountDouble[];
  readonly workspaces: readonly Workspace[];
}

const checkedEveryMinutes = 60;

/** Makes all accounts and workspaces. Each was applied once, by a worker that there is. */
export async function populateFleet(
  { workspaces: count, accounts: accountCount }: DayOptions,
  { clock }: DayDatabase,
  store: ServerStore,
  {
    random,
    workerId,
    grounds,
  }: {
    readonly random: () => number;
    readonly workerId: string;
    readonly grounds: Map<string, Ground>;
  },
): Promise<Populated> {
  const accounts = Array.from({ length: accountCount }, (_, index) => {
    const perSecond = 0.5 * 40 ** random();
    const burst = Math.ceil(perSecond + 2 + 60 * random());
    return new AccountDouble(clock, `https://account-${index}.test/v1`, { perSecond, burst });
  });
  const workspaces: Workspace[] = [];
  await eachOf(
    Array.from({ length: count }, (_, index) => index),
    20,
    async (index) => {
      const account = accounts[index % accountCount];
      if (!account) return;
      const name = `team-${String(index).padStart(5, '0')}`;
      const standing = readCommit(nameCommit(0));
      grounds.set(name, {
        ...{ name, account, live: new Map(standing), state: new Map(standing), revision: 0 },
      });
      workspaces.push(
        await addWorkspace(store, name, account, { workerId, applyDrift: index % 10 === 0 }),
      );
    },
  );
  await setBudgets(store, accounts);
  return { accounts, workspaces };
}

async function addWorkspace(
  store: ServerStore,
  name: string,
  { name: service }: AccountDouble,
  { workerId, applyDrift }: { readonly workerId: string; readonly applyDrift: boolean },
): Promise<Workspace> {
  const token = `token of ${service}`;
  const workspace = await store.workspaces.add({
    ...{ name, repository: 'file:///fleet', branch: 'main', directory: name, poll: false },
    variables: { HOSTWRIGHT_BASE_URL: service, HOSTWRIGHT_TOKEN: token },
    ...{ driftEveryMinutes: checkedEveryMinutes, applyDrift },
  });
  if (!workspace) throw new Error(`${name} is there already.`);
  const { id: workspaceId } = workspace;
  await store.accounts.open(workspaceId, { service, ...deriveAccountKey(undefined, token) });
  const commit = nameCommit(0);
  const added = await store.runs.add({ workspaceId, operation: 'apply', commit, reason: 'before' });
  const run = added && (await store.runs.claim(added.id, workerId));
  if (run) await store.runs.end(run, { status: 'succeeded' });
  return workspace;
}

/** An administrator keeps the server a little below what each service allows. */
async function setBudgets(store: ServerStore, accounts: readonly AccountDouble[]): Promise<void> {
  const limits = new Map(accounts.map((account) => [account.name, account]));
  for (const { id, service } of await store.accounts.list()) {
    const account = limits.get(service);
    if (!account) continue;
    const { perSecond, burst } = account;
    // A lease may be used a second late: the clock of the day moves by seconds.
    await store.accounts.setBudget(id, {
      requestsPerSecond: perSecond * 0.8,
      burst: Math.max(1, Math.floor(burst - perSecond)),
    });
  }
}

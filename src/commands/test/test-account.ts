// The account of one test: a sandbox in memory on a clock of its own. Nothing of it is shared with another test, and
// nothing leads out of it: there is no network, no token and no file.
import { createServiceClient, type ServiceClient } from '../../api/client.ts';
import { exchangeByFetch } from '../../api/transport/exchange-by-fetch.ts';
import type { TestStartingAccount } from '../../config/tests/test-file.ts';
import type { AccountConnection } from '../../engine/account-link.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { readLiveSnapshot } from '../../live/read-live.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import { listKindsOutsideProjects } from '../../model/kind-places.ts';
import { createSeededRandom } from '../../sandbox/clock/seeded-random.ts';
import { VirtualClock } from '../../sandbox/clock/virtual-clock.ts';
import { ampleNetworkPrefixLength } from '../../sandbox/rules/networks.ts';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { readNameLengthSettings, readQuotaSettings } from '../../sandbox/server/read-settings.ts';
import { defaultMaxConnections } from '../session/service-network.ts';

/** The most virtual time of one step, beside its deliberate waits. */
const stepLimitMs = 48 * 3_600_000;

/** The sandbox account of one test, on a virtual clock. */
export class TestAccount {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly connection: AccountConnection;
  readonly #sandbox: Sandbox;
  readonly #signal: AbortSignal;
  readonly #startedAt: number;
  readonly #ownIds = new Set<string>();

  private constructor(sandbox: Sandbox, clock: VirtualClock, seed: number, signal: AbortSignal) {
    this.clock = clock;
    this.#startedAt = clock.now();
    this.random = createSeededRandom(seed);
    this.#sandbox = sandbox;
    this.#signal = signal;
    const client = createServiceClient({
      kinds: kindRegistry,
      clock,
      random: this.random,
      maxConcurrency: defaultMaxConnections,
      baseUrl: 'http://sandbox/v1',
      token: sandbox.token,
      exchange: sandbox.openExchange(exchangeByFetch(sandbox.fetch, clock)),
    });
    this.connection = { client, service: 'the account of a test', isSandbox: () => true };
  }

  /** Opens an empty account with the limits of a test. The signal ends whatever runs in it. */
  static async open(
    { quotas, nameLengths, catalog }: Omit<TestStartingAccount, 'tree'>,
    { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
  ): Promise<TestAccount> {
    const clock = new VirtualClock();
    const sandbox = await openSandbox({
      dataFile: ':memory:',
      now: () => clock.now(),
      sleep: (ms, ended) => clock.sleep(ms, ended),
      seed,
      quotas: readQuotaSettings(JSON.stringify(quotas)),
      nameLengths: readNameLengthSettings(JSON.stringify(nameLengths)),
      networkPrefix: ampleNetworkPrefixLength,
      catalog,
    });
    const account = new TestAccount(sandbox, clock, seed, signal);
    const own = await account.run(() =>
      Promise.all(
        listKindsOutsideProjects().map((kind) => account.client.list(kind, { projectId: '' })),
      ),
    );
    for (const { id } of own.flat()) account.#ownIds.add(id);
    return account;
  }

  get client(): ServiceClient {
    return this.connection.client;
  }

  /** Milliseconds on the test's virtual clock since the account was opened. */
  get virtualMs(): number {
    return this.clock.now() - this.#startedAt;
  }

  /**
   * Does work in virtual time; `waitMs` of it are waited for on purpose.
   * @throws VirtualTimeError when it does not end; the reason of the signal when that is aborted
   */
  run<T>(work: () => Promise<T>, waitMs = 0): Promise<T> {
    return this.clock.run(work(), stepLimitMs + waitMs, this.#signal);
  }

  /** True for resources that exist in every account: its settings, and the token that a test works with. */
  isOwn({ id }: Pick<LiveResource, 'id'>): boolean {
    return this.#ownIds.has(id);
  }

  /** Reads all resources of the test's account, managed or not. */
  async readAll(): Promise<LiveSnapshot> {
    const projects = await this.client.listProjects();
    return readLiveSnapshot(this.client, {
      projectIds: projects.map(({ id }) => id),
      projectNames: [],
      outsideKinds: listKindsOutsideProjects(),
    });
  }

  close(): void {
    this.#sandbox.close();
  }
}

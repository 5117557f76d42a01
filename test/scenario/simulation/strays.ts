import type { ServiceClient } from '../../../src/api/client.ts';
import { nameOf, type LiveResource, type LiveVm } from '../../../src/model/live.ts';
import type { KindName } from '../../../src/model/resource.ts';

/** What stands in the account, or stood there, without the engine having asked for it once and for all. */
export class Strays {
  /** Made by a person in the console. */
  readonly made = new Set<string>();
  /** Deleted by a person in the console. */
  readonly deleted = new Set<string>();
  /**
   * Made by a create that the network sent twice. Which of the two is ours cannot be seen: the service has no
   * idempotency, the id of a command leads to nothing, and names may repeat (contract: conventions).
   */
  readonly doubled = new Set<string>();
  /** Everything that a record of the journal has ever called ours. */
  readonly bound = new Set<string>();
  readonly #likenesses = new Map<string, string>();
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /**
   * Takes down what a create makes when it is carried out twice, or once, and what is heard is that it was refused.
   * Nothing else may happen meanwhile.
   */
  async noteDoubled({ method, url }: Request, work: () => Promise<Response>): Promise<Response> {
    const { pathname } = new URL(url);
    const list = method === 'POST' ? this.#listOf(pathname) : undefined;
    if (!list) return work();
    const before = await list();
    const done = await work();
    const fresh = (await list()).filter((id) => !before.includes(id));
    if (fresh.length > 1 || !done.ok) for (const id of fresh) this.doubled.add(id);
    return done;
  }

  /**
   * A person deleted a VM before its id had reached us. The service leaves the address that came with it (contract:
   * operation 45), and an address has nothing that tells whose it was.
   */
  noteLeftAddress({ id, publicIpId }: LiveVm): void {
    if (publicIpId !== null && !this.bound.has(id)) this.made.add(publicIpId);
  }

  /**
   * A person gave it another name before its id had reached us. A create is found by listing, by its name alone: the id
   * of its command leads to nothing (contract: conventions).
   */
  noteRenamed({ id }: LiveResource): void {
    if (!this.bound.has(id)) this.made.add(id);
  }

  /** A write of the journal: what it binds. */
  noteWrite(text: string): void {
    for (const [, id] of text.matchAll(/"(?:id|allocatedPublicIpId)":"([^"]+)"/g)) {
      if (id !== undefined) this.bound.add(id);
    }
  }

  /** Made in the console: what nothing tells it from but its id, see `isExcused`. */
  noteMade(one: LiveResource): void {
    this.made.add(one.id);
    this.#likenesses.set(one.id, likenessOf(one));
  }

  /**
   * True when nobody can ask of the engine that this is gone. Where what a person made was taken for a create of ours
   * whose answer got lost, what that makes later is excused in its place.
   */
  isExcused(one: LiveResource): boolean {
    if (this.made.has(one.id) || this.doubled.has(one.id)) return true;
    const likeness = likenessOf(one);
    return [...this.#likenesses].some(([id, other]) => other === likeness && this.bound.has(id));
  }

  /** The ids in the list that a create with this path adds to; undefined for a path of another kind. */
  #listOf(pathname: string): (() => Promise<string[]>) | undefined {
    const [, , , projectId = '', collection, publicIpId = '', last] = pathname.split('/');
    const read = (kind: KindName, place: { projectId: string; publicIpId?: string }) => async () =>
      (await this.#client.list(kind, place)).map(({ id }) => id);
    if (/\/v1\/projects$/.test(pathname)) return read('project', { projectId: '' });
    if (last === 'port-forwards') return read('portForward', { projectId, publicIpId });
    if (last !== undefined || publicIpId !== '') return undefined;
    switch (collection) {
      case 'vms':
        return async () => [
          ...(await read('vm', { projectId })()),
          // An address may come with it.
          ...(await read('publicIp', { projectId })()),
        ];
      case 'networks':
        return read('network', { projectId });
      case 'public-ips':
        return read('publicIp', { projectId });
      case 'ssh-keys':
        return read('sshKey', { projectId });
      default:
        return undefined;
    }
  }
}

function likenessOf(one: LiveResource): string {
  return JSON.stringify([one.kind, one.projectId, nameOf(one) ?? null]);
}

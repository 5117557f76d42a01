import type { ServiceClient } from '../../../src/api/client.ts';
import { ServiceError } from '../../../src/api/errors/errors.ts';
import type { ResourceAddress } from '../../../src/model/address.ts';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import type { LiveVm } from '../../../src/kinds/vm/model.ts';
import type { KindName } from '../../../src/model/kind-places.ts';
import { keyOfCommand, keyOfRequest } from './create-key.ts';
import { isEqualInAll } from './equal-in-all.ts';
import type { JournalLine } from './journal-lines.ts';

/** One create that went out, and what came of it in truth. */
export interface Attempt {
  /** The path, with the name or the port: what can be told of it by looking. */
  readonly key: string;
  readonly address: ResourceAddress | undefined;
  readonly command: ResolvedCommand | undefined;
  readonly sentAt: number;
  /** What was noted by then: tells what came first within one millisecond. */
  readonly turn: number;
  /** The newest time of the service that its sender had read by then; undefined when it had read none. */
  readonly serviceTime: number | undefined;
  /** What the service made of it: more than one where it arrived more than once. */
  readonly made: { readonly id: string; readonly at: number }[];
  /** The sender has written down that it was accepted. */
  isAccepted: boolean;
  /** Its sender stood still right before it went out, and had lost the lock when it woke up. */
  readonly isUnlocked: boolean;
}

/** A create that is about to be sent. */
interface Intent {
  readonly address: ResourceAddress;
  readonly command: ResolvedCommand;
  /** When it was on disk: from then on nobody but its sender knows whether it went out. */
  readonly at: number;
  /** What was noted by then: tells what came first within one millisecond. */
  readonly turn: number;
  /** The newest time of the service that its sender had read by then. */
  readonly serviceTime: number | undefined;
}

/** What a person made, as it was then. */
interface Foreign {
  readonly live: LiveResource;
  readonly madeAt: number;
}

/** Two that were made for one. */
export interface Double {
  readonly address: ResourceAddress;
  readonly firstId: string;
  readonly secondId: string;
  /** Between the requests that made them. */
  readonly gapMs: number;
  /** The first one had been written down as accepted before the second went out. */
  readonly wasAccepted: boolean;
  /** The first one had been shown before the second went out. */
  readonly wasShown: boolean;
  /**
   * One of the two was about to go out by a process that stood still and was overtaken meanwhile: nobody could hold it
   * back, and it could write down nothing more of it.
   */
  readonly isOvertaken: boolean;
}

/**
 * Who made what, in truth: the engine, by which of its requests, or a person. The engine never sees any of it; what it
 * does is judged by it.
 */
export class Ledger {
  readonly attempts: Attempt[] = [];
  /** Deleted by a person in the console. */
  readonly deleted = new Set<string>();
  /** Everything that a record of the journal has ever called ours. */
  readonly bound = new Set<string>();
  /** Made by a person, and taken for ours although nothing tells it from ours. */
  readonly mistaken = {
    has: (id: string): boolean => this.#mistakenFor.has(id),
    ids: (): readonly string[] => [...this.#mistakenFor.keys()],
  };
  readonly violations = new Set<string>();
  /** True: what a person made may be taken over, since a person asks for it. */
  isAdopting = false;

  readonly #client: ServiceClient;
  readonly #now: () => number;
  readonly #foreign = new Map<string, Foreign>();
  /** What a person has given to the engine. */
  readonly #lookalikes = new Set<string>();
  readonly #given = new Set<string>();
  /** What nobody can ask of the engine: see `noteTwin` and `noteLeftAddress`. */
  readonly #ownerless = new Set<string>();
  readonly #intents = new Map<string, Intent>();
  /** When an answer first showed it, by the clock and by the turn. */
  readonly #shown = new Map<string, { readonly at: number; readonly turn: number }>();
  #turn = 0;
  #serviceTime: number | undefined;

  constructor(client: ServiceClient, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  readonly #mistakenFor = new Map<string, ResourceAddress>();
  readonly #renamed = new Set<string>();
  readonly #sought = new Set<ResourceAddress>();

  /** True while a create waits to be found: that is when it hurts. */
  get isSeeking(): boolean {
    return this.#sought.size > 0;
  }

  /** A new process has read nothing of the service yet. */
  noteStart(): void {
    this.#serviceTime = undefined;
  }

  /** A request of the engine that changes something is on its way. @returns what it is, where it is a create */
  noteSent(request: Request, body: string, isUnlocked = false): Attempt | undefined {
    this.#watchForeign(request);
    const key = keyOfRequest(request, body);
    if (key === undefined) return undefined;
    const intent = this.#intents.get(key);
    const attempt: Attempt = {
      key,
      address: intent?.address,
      command: intent?.command,
      sentAt: this.#now(),
      turn: (this.#turn += 1),
      serviceTime: this.#serviceTime,
      made: [],
      isAccepted: false,
      isUnlocked,
    };
    this.attempts.push(attempt);
    if (attempt.address !== undefined) this.#sought.add(attempt.address);
    return attempt;
  }

  /** Takes down what a create makes at the service. Nothing else may happen meanwhile. */
  async noteCarriedOut(attempt: Attempt, work: () => Promise<Response>): Promise<Response> {
    const list = this.#listOf(attempt.key);
    if (!list) return work();
    const before = await list();
    const done = await work();
    const at = this.#now();
    const fresh = (await list()).filter((id) => !before.includes(id));
    attempt.made.push(...fresh.map((id) => ({ id, at })));
    return done;
  }

  /**
   * The network carried one create to the service twice. Which of the two is ours cannot be seen: the service has no
   * idempotency, the id of a command leads to nothing, and names may repeat (contract: conventions).
   */
  noteTwin({ made }: Attempt, isHeard: boolean): void {
    if (made.length > 1 || !isHeard) for (const { id } of made) this.#ownerless.add(id);
  }

  /** What an answer showed the engine. */
  noteShown(text: string, date: string | null): void {
    if (date !== null) this.#serviceTime = Math.max(this.#serviceTime ?? 0, Date.parse(date));
    this.#turn += 1;
    const ours = this.attempts.flatMap(({ made }) => made.map(({ id }) => id));
    for (const id of [...ours, ...this.#foreign.keys()]) {
      if (this.#shown.has(id) || !text.includes(`"${id}"`)) continue;
      this.#shown.set(id, { at: this.#now(), turn: this.#turn });
    }
  }

  /** A write of the journal. */
  noteRecord(record: JournalLine): void {
    switch (record.kind) {
      case 'intent': {
        const key = keyOfCommand(record.command);
        if (key === undefined) return;
        const { address, command } = record;
        this.#intents.set(key, {
          address,
          command,
          at: this.#now(),
          turn: (this.#turn += 1),
          serviceTime: this.#serviceTime,
        });
        return;
      }
      case 'accepted': {
        const last = this.attempts.findLast(({ address }) => address === record.address);
        if (last) last.isAccepted = true;
        return;
      }
      default:
        for (const { id, address, allocatedPublicIpId, deposed = [] } of record.resources) {
          for (const one of [id, ...deposed]) this.#bind(one, address);
          if (allocatedPublicIpId !== undefined) this.#bind(allocatedPublicIpId, address);
        }
    }
  }

  /**
   * A person deleted a VM before its id had reached us. The service leaves the address that came with it (contract:
   * operation 45), and an address has nothing that tells whose it was.
   */
  noteLeftAddress({ id, publicIpId }: LiveVm): void {
    if (typeof publicIpId === 'string' && !this.bound.has(id)) this.#ownerless.add(publicIpId);
  }

  /** A person gave it another name. */
  noteRenamed(id: string): void {
    this.#renamed.add(id);
  }

  /** Made in the console. */
  noteMade(live: LiveResource): void {
    this.#foreign.set(live.id, { live, madeAt: this.#now() });
  }

  /**
   * The program said that it stands beside somebody else's that was taken for ours, since nothing tells the two apart: what
   * becomes of it is for a person to say.
   */
  noteLookalike(id: string): void {
    this.#lookalikes.add(id);
  }

  /** A person wants the engine to have it. */
  give(id: string): void {
    this.#given.add(id);
  }

  /** True for what a person made and the engine has no right to. */
  isForeign(id: string): boolean {
    return this.#foreign.has(id) && !this.#given.has(id) && !this.mistaken.has(id);
  }

  /** True when nobody can ask of the engine that this is gone. */
  isExcused(id: string): boolean {
    const isOfNobody = this.#ownerless.has(id) || this.#lookalikes.has(id);
    return this.isForeign(id) || isOfNobody || this.#isSwapped(id);
  }

  /** A person renamed what we made before we knew it, and made another of its name: that one is ours now. */
  #isSwapped(id: string): boolean {
    if (!this.#renamed.has(id) || this.bound.has(id)) return false;
    const address = this.findMaker(id)?.address;
    return [...this.#mistakenFor.values()].some((one) => one === address);
  }

  /** A person deleted what we made before any answer showed it, and made another like it: nothing tells of the first. */
  isRemade(id: string): boolean {
    const address = this.#mistakenFor.get(id);
    const made = this.attempts.flatMap((one) => (one.address === address ? one.made : []));
    return made.some(
      ({ id }) =>
        this.deleted.has(id) &&
        (this.#doneAt.get(id) ?? Infinity) < (this.#shown.get(id)?.at ?? Infinity),
    );
  }

  /** What a person made and the engine may not touch. */
  listForeign(): readonly string[] {
    return [...this.#foreign.keys()].filter((id) => this.isForeign(id));
  }

  /** The request that made it; undefined when no create of the engine did. */
  findMaker(id: string): Attempt | undefined {
    return this.attempts.find(({ made }) => made.some((one) => one.id === id));
  }

  /** Creates of the engine that stand at the service and that it has never known by their ids. */
  listUnbound(): readonly string[] {
    const all = this.attempts.flatMap(({ made }) => made.map(({ id }) => id));
    return all.filter((id) => !this.bound.has(id) && !this.deleted.has(id));
  }

  /** Creates whose end the engine does not know: what a person could make something like. */
  listOpen(): readonly Attempt[] {
    return this.attempts.filter(({ made }) => made.every(({ id }) => !this.bound.has(id)));
  }

  /** True when it did not show for the whole hour in which a second one is looked for. */
  hasHidden(id: string): boolean {
    const maker = this.findMaker(id);
    const again = this.attempts.findLast(({ address, sentAt }) => {
      return address === maker?.address && sentAt > (maker?.sentAt ?? Infinity);
    });
    const isSwapped = [...this.#mistakenFor.values()].some((one) => one === maker?.address);
    const since = again?.sentAt ?? (isSwapped ? maker?.sentAt : undefined);
    return since !== undefined && (this.#shown.get(id)?.at ?? Infinity) > since + watchMs;
  }

  /** Everything that was made twice for one address, although the first one still waited to be found. */
  findDoubles(): readonly Double[] {
    return this.attempts.flatMap((later, index) => {
      const [second] = later.made;
      if (!second || later.address === undefined) return [];
      const earlier = this.attempts.slice(0, index).findLast(({ key, address, made, sentAt }) => {
        const [first] = made;
        if (!first || key !== later.key || address !== later.address) return false;
        // What stood there meanwhile is gone again: then another is wanted.
        const wasBound = this.#wasBound(later.address, sentAt, later.sentAt);
        return !wasBound && !this.#isDone(first.id, later.sentAt) && !this.#ownerless.has(first.id);
      });
      const [first] = earlier?.made ?? [];
      if (!earlier || !first || this.#ownerless.has(second.id)) return [];
      return [
        {
          address: later.address,
          firstId: first.id,
          secondId: second.id,
          gapMs: later.sentAt - earlier.sentAt,
          wasAccepted: earlier.isAccepted,
          wasShown: (this.#shown.get(first.id)?.turn ?? Infinity) < later.turn,
          isOvertaken: later.isUnlocked || earlier.isUnlocked,
        },
      ];
    });
  }

  readonly #doneAt = new Map<string, number>();
  /** When each address got something, in order. */
  readonly #binds: { readonly address: ResourceAddress; readonly at: number }[] = [];

  #wasBound(address: ResourceAddress | undefined, from: number, to: number): boolean {
    return this.#binds.some((bind) => bind.address === address && bind.at > from && bind.at < to);
  }

  /** True when by then it was known to the engine, or gone by a person's hand. */
  #isDone(id: string, at: number): boolean {
    return (this.#doneAt.get(id) ?? Infinity) <= at;
  }

  /** A person deleted it. */
  noteDeleted(id: string): void {
    this.deleted.add(id);
    if (!this.#doneAt.has(id)) this.#doneAt.set(id, this.#now());
  }

  #bind(id: string, address: ResourceAddress): void {
    this.#sought.delete(address);
    if (!this.bound.has(id)) this.#binds.push({ address, at: this.#now() });
    if (!this.#doneAt.has(id)) this.#doneAt.set(id, this.#now());
    if (this.isForeign(id)) this.#bindForeign(id, address);
    this.bound.add(id);
  }

  #bindForeign(id: string, address: ResourceAddress): void {
    const foreign = this.#foreign.get(id);
    if (!foreign) return;
    if (this.isAdopting) {
      this.#given.add(id);
      return;
    }
    const { live, madeAt } = foreign;
    const intents = this.#listIntents(address);
    const last = intents.at(-1);
    if (live.kind === 'publicIp' && typeof live.vmId === 'string' && this.mistaken.has(live.vmId)) {
      this.#mistakenFor.set(id, address);
      return;
    }
    const isAlike = last !== undefined && isEqualInAll(last.command, live);
    const isLater = intents.some(({ at }) => at <= madeAt);
    // Made before, and neither a list nor a clock could have told: see `serviceTime`.
    const isHidden =
      last !== undefined &&
      (this.#shown.get(id)?.turn ?? Infinity) > last.turn &&
      (last.serviceTime === undefined || last.serviceTime - toleranceMs <= madeAt);
    if (isAlike && (isLater || isHidden)) {
      this.#mistakenFor.set(id, address);
      return;
    }
    const why = !last ? 'nothing was asked for' : !isAlike ? 'it differs' : 'it was there before';
    this.violations.add(`foreign taken for ours (${why}): ${live.kind} ${id} as ${address}`);
  }

  /** What was asked for under an address, or may have been, in order. */
  #listIntents(address: ResourceAddress): readonly Intent[] {
    const written = [...this.#intents.values()].filter((intent) => intent.address === address);
    const sent = this.attempts.flatMap(({ command, sentAt: at, turn, serviceTime, ...attempt }) =>
      attempt.address === address && command ? [{ address, command, at, turn, serviceTime }] : [],
    );
    return [...sent, ...written].toSorted((one, other) => one.turn - other.turn);
  }

  /** Whatever a person made is never touched. */
  #watchForeign({ method, url }: Request): void {
    const { pathname } = new URL(url);
    for (const id of pathname.split('/')) {
      if (!this.isForeign(id) || this.isAdopting) continue;
      this.violations.add(`foreign touched: ${method} ${pathname}`);
    }
  }

  /** The ids in the list that a create with this key adds to. */
  #listOf(key: string): (() => Promise<string[]>) | undefined {
    const [pathname = ''] = key.split(' ');
    const [, , , projectId = '', collection, publicIpId = '', last] = pathname.split('/');
    const read =
      (kind: KindName, place: { projectId: string; publicIpId?: string }) => async () => {
        try {
          return (await this.#client.list(kind, place)).map(({ id }) => id);
        } catch (error) {
          // What it lies in is gone by now.
          if (error instanceof ServiceError) return [];
          throw error;
        }
      };
    if (/\/v1\/projects$/.test(pathname)) return read('project', { projectId: '' });
    if (last === 'port-forwards') return read('portForward', { projectId, publicIpId });
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

/** A little less than the hour for which the program promises to look: processes need not agree when it is over. */
const watchMs = 55 * 60_000;

/** A header gives the time in whole seconds, and what it was read from may be a little older. */
const toleranceMs = 5_000;

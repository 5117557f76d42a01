// What stands between the engine and the service in a simulation: it loses, delays, doubles and answers for it.
import type { World } from '../world.ts';
import { brokenConnection, halve, hang, noRoom, pageOf, refusalOf } from './answers.ts';
import { answerFaults, requestFaults, type FaultKind } from './fault-kinds.ts';
import type { Gate } from './gate.ts';
import type { Attempt, Ledger } from './ledger.ts';
import type { Mischief, Point } from './mischief.ts';
import { normalizeNames, type NameStyle } from './normalize-names.ts';
import { bounds, drawMs } from './spread.ts';
import { StaleReads } from './stale-reads.ts';

/** What a network is made of. */
export interface NetworkOptions {
  readonly world: World;
  readonly mischief: Mischief;
  readonly gate: Gate;
  readonly ledger: Ledger;
  /** Whether the service says what time it is. */
  readonly hasDate: boolean;
  /** What the service does to the names that it is given. */
  readonly names: NameStyle;
}

/** One request on its way, and what is known of it apart from what it says. */
interface Parcel {
  readonly request: Request;
  readonly body: string;
  readonly attempt: Attempt | undefined;
}

/** A network that does not do what it should, wherever the mischief says so. */
export class Network {
  readonly #options: NetworkOptions;
  readonly #stale: StaleReads;
  /** Those who let another request go first. */
  readonly #held = new Set<() => void>();

  constructor(options: NetworkOptions) {
    this.#options = options;
    const { world, mischief, ledger } = options;
    const now = () => world.time.now();
    this.#stale = new StaleReads(mischief, now, () => ledger.isSeeking);
  }

  /** Carries one request of the engine. */
  readonly carry = async (request: Request, isUnlocked: boolean): Promise<Response> => {
    const { mischief, ledger } = this.#options;
    const isRead = request.method === 'GET';
    const body = isRead || request.method === 'HEAD' ? '' : await request.clone().text();
    const attempt = isRead ? undefined : ledger.noteSent(request, body, isUnlocked);
    const parcel = { request, body, attempt };
    const point = mischief.next(isRead ? 'g' : 'r');
    // What makes something is what must not go wrong.
    const kind = mischief.choose(point, listPossible(request), isRead ? 0.2 : attempt ? 4 : 1.5);
    if (kind) {
      mischief.note(point, kind, describe(request));
      return this.#carryBadly(parcel, kind, point);
    }
    const response = await this.#deliver(parcel);
    for (const go of this.#held) go();
    return this.#bringBack(parcel, response);
  };

  async #carryBadly(parcel: Parcel, kind: FaultKind, { dice }: Point): Promise<Response> {
    const deliver = async () => this.#bringBack(parcel, await this.#deliver(parcel));
    switch (kind) {
      case 'service not reached':
        throw brokenConnection(dice.pick(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']));
      case 'request lost':
        throw brokenConnection('ECONNRESET');
      case 'request late and given up':
        void this.#sleep(drawMs(dice, bounds.lateMs)).then(() => this.#deliver(parcel));
        throw brokenConnection('ECONNRESET');
      case 'request delayed':
        // Past what the client waits for it arrives although nobody waits for its answer any more.
        await this.#sleep(drawMs(dice, bounds.lateMs));
        return deliver();
      case 'request overtaken':
        await this.#waitForAnother();
        return deliver();
      case 'request sent twice':
        return this.#deliverTwice(parcel, dice.chance(0.5));
      case 'request hangs':
        return hang();
      case 'page instead of the service':
        return pageOf(200);
      case 'no room at create':
        return noRoom();
      default:
        return refuse(kind, dice);
    }
  }

  /** Both arrive, and one answer comes back. */
  async #deliverTwice(parcel: Parcel, isFirstHeard: boolean): Promise<Response> {
    const { gate, ledger, world } = this.#options;
    const { attempt } = parcel;
    const send = () => world.sandbox.fetch(this.#copy(parcel));
    const both = async () => {
      const first = await send();
      const second = await send();
      return isFirstHeard ? first : second;
    };
    const heard = await gate.alone(() => (attempt ? ledger.noteCarriedOut(attempt, both) : both()));
    if (attempt) ledger.noteTwin(attempt, heard.ok);
    return this.#bringBack(parcel, this.#stamp(heard));
  }

  async #bringBack({ request, attempt }: Parcel, response: Response): Promise<Response> {
    const { mischief, ledger } = this.#options;
    const isRead = request.method === 'GET';
    const seen = isRead ? await this.#stale.show(request, response) : response;
    const point = mischief.next('a');
    const kind = mischief.choose(point, answerFaults, isRead ? 0.1 : attempt ? 3 : 1);
    if (!kind) {
      const { status, headers } = seen;
      const text = await seen.text();
      // A sale names a resource without its project or name: nobody can know by it what was there before.
      const isSales = new URL(request.url).pathname.endsWith('/sales');
      ledger.noteShown(isSales ? '' : text, headers.get('date'));
      return new Response(status === 204 ? null : text, { status, headers });
    }
    mischief.note(point, kind, describe(request));
    switch (kind) {
      case 'answer lost':
        throw brokenConnection('ECONNRESET');
      case 'answer delayed':
        await this.#sleep(drawMs(point.dice, bounds.lateMs));
        return seen;
      case 'answer hangs':
        return hang();
      case 'answer cut in half':
        return halve(seen, true);
      case 'answer cut short without a word':
        return halve(seen, false);
      case 'page instead of the answer':
        return pageOf(200);
      default:
        return refuse(kind, point.dice);
    }
  }

  async #deliver(parcel: Parcel): Promise<Response> {
    const { gate, ledger, world } = this.#options;
    const { attempt } = parcel;
    const send = () => world.sandbox.fetch(this.#copy(parcel));
    const response = attempt
      ? await gate.alone(() => ledger.noteCarriedOut(attempt, send))
      : await gate.pass(send);
    return this.#stamp(response);
  }

  /** The same request, which goes on when its sender has given it up. */
  #copy({ request, body }: Parcel): Request {
    const { method, url, headers } = request;
    const arriving = normalizeNames(body, this.#options.names);
    return new Request(url, { method, headers, ...(arriving !== '' && { body: arriving }) });
  }

  /** The service says what time it is, by its own clock. */
  #stamp(response: Response): Response {
    const { hasDate, world } = this.#options;
    const { status } = response;
    const headers = new Headers(response.headers);
    if (!hasDate) headers.delete('date');
    else if (!headers.has('date')) headers.set('date', new Date(world.time.now()).toUTCString());
    return new Response(response.body, { status, headers });
  }

  async #waitForAnother(): Promise<void> {
    let go: () => void = () => undefined;
    const overtaken = new Promise<void>((resolve) => {
      go = resolve;
    });
    this.#held.add(go);
    await Promise.race([overtaken, this.#sleep(3_000)]);
    this.#held.delete(go);
  }

  #sleep(ms: number): Promise<void> {
    return this.#options.world.time.openClock().sleep(ms);
  }
}

function listPossible({ method, url }: Request): FaultKind[] {
  const isVmCreate = method === 'POST' && /\/vms$/.test(url) && !url.includes('/networks/');
  return requestFaults.filter((kind) => {
    if (kind === 'no room at create') return isVmCreate;
    const changes = kind === 'request sent twice' || kind === 'request late and given up';
    return method !== 'GET' || !changes;
  });
}

/** The status stands in the name of the fault. */
function refuse(kind: FaultKind, dice: Point['dice']): Response {
  const status = Number(/ with (\d+)/.exec(kind)?.[1]);
  return refusalOf(status, dice, kind.endsWith('Retry-After'));
}

const describe = ({ method, url }: Request): string => `${method} ${new URL(url).pathname}`;

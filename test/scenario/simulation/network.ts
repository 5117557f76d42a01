// What stands between the engine and the service in a simulation: it loses, delays, doubles and answers for it.
import type { Meddle, World } from '../world.ts';
import { answerFaults, readFaults, requestFaults, type FaultKind } from './fault-kinds.ts';
import type { Gate } from './gate.ts';
import type { Mischief, Point } from './mischief.ts';
import type { Strays } from './strays.ts';

/** After this a request has arrived, or it never will: for less time no engine could wait for a lost create. */
export const longestOnTheWayMs = 8_000;
/** How far a list may lag behind; the contract promises nothing, and what is awaited has to show up some time. */
const longestListLagMs = 8_000;
const longestRecordLagMs = 40_000;

interface Frozen {
  readonly until: number;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A network that does not do what it should, wherever the mischief says so. */
export class Network {
  readonly #world: World;
  readonly #mischief: Mischief;
  readonly #gate: Gate;
  readonly #strays: Strays;
  /** Lists as they were a while ago, by address. */
  readonly #frozen = new Map<string, Frozen>();
  readonly #lostRecords = new Set<string>();
  readonly #onTheWay = new Set<(mostMs: number) => void>();
  /** Those who let another request go first. */
  readonly #held = new Set<() => void>();

  constructor(world: World, mischief: Mischief, gate: Gate, strays: Strays) {
    this.#world = world;
    this.#mischief = mischief;
    this.#gate = gate;
    this.#strays = strays;
  }

  /** Carries one request of the engine. */
  readonly carry: Meddle = async (request) => {
    const isRead = request.method === 'GET';
    const point = this.#mischief.next(isRead ? 'g' : 'r');
    const kind = this.#mischief.choose(point, this.#possibleFor(request), isRead ? 0.2 : 1.5);
    if (kind) {
      this.#mischief.note(point, kind, describe(request));
      return this.#carryBadly(request, kind, point);
    }
    const response = await this.#deliver(request);
    for (const go of this.#held) go();
    return this.#bringBack(request, response);
  };

  #possibleFor({ method, url }: Request): FaultKind[] {
    const isVmCreate = method === 'POST' && /\/vms$/.test(url) && !url.includes('/networks/');
    return requestFaults.filter((kind) => {
      if (kind === 'no room at create') return isVmCreate;
      return (
        method !== 'GET' || (kind !== 'request sent twice' && kind !== 'request late and given up')
      );
    });
  }

  async #carryBadly(request: Request, kind: FaultKind, { dice }: Point): Promise<Response> {
    const copy = await detach(request);
    const deliver = async () => this.#bringBack(request, await this.#deliver(copy));
    switch (kind) {
      case 'service not reached':
        throw brokenConnection(dice.pick(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']));
      case 'request lost':
        throw brokenConnection('ECONNRESET');
      case 'request late and given up':
        void this.#sleepOnTheWay(dice.between(1, longestOnTheWayMs)).then(() =>
          this.#deliver(copy),
        );
        throw brokenConnection('ECONNRESET');
      case 'request delayed':
        // More than the client waits: then it arrives although nobody waits for its answer any more.
        await this.#sleepOnTheWay(dice.pick([500, 5_000, 29_000, 30_000 + longestOnTheWayMs]));
        return deliver();
      case 'request overtaken':
        await this.#waitForAnother();
        return deliver();
      case 'request sent twice':
        return this.#deliverTwice(request, copy, dice.chance(0.5));
      case 'request hangs':
        return hang();
      case 'refused with 429':
        return refuse(429);
      case 'refused with 429 and Retry-After':
        return refuse(429, { 'retry-after': String(1 + dice.below(20)) });
      case 'refused with 503':
        return refuse(503);
      case 'refused with 503 and Retry-After':
        return refuse(503, { 'retry-after': String(1 + dice.below(20)) });
      case 'refused by a proxy with 502':
        return pageOf(502);
      case 'page instead of the service':
        return pageOf(200);
      default:
        return noRoom();
    }
  }

  /** Both arrive, and one answer comes back. */
  async #deliverTwice(request: Request, copy: Request, isFirstHeard: boolean): Promise<Response> {
    const again = await detach(copy);
    const heard = await this.#gate.alone(() =>
      this.#strays.noteDoubled(request, async () => {
        const first = await this.#world.sandbox.fetch(copy);
        const second = await this.#world.sandbox.fetch(again);
        return isFirstHeard ? first : second;
      }),
    );
    return this.#bringBack(request, heard);
  }

  async #bringBack(request: Request, response: Response): Promise<Response> {
    const isRead = request.method === 'GET';
    const seen = isRead ? await this.#readBadly(request, response) : response;
    const point = this.#mischief.next('a');
    const kind = this.#mischief.choose(point, answerFaults, isRead ? 0.1 : 1);
    if (!kind) return seen;
    this.#mischief.note(point, kind, describe(request));
    const { status, headers } = seen;
    switch (kind) {
      case 'answer lost':
        throw brokenConnection('ECONNRESET');
      case 'answer delayed':
        await this.#sleep(point.dice.pick([300, 4_000, 20_000, 45_000]));
        return seen;
      case 'answer hangs':
        return hang();
      case 'answer cut in half': {
        const half = await halve(seen);
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(half));
            controller.error(brokenConnection('ECONNRESET'));
          },
        });
        return new Response(status === 204 ? null : body, { status, headers });
      }
      case 'answer cut short without a word':
        return new Response(status === 204 ? null : await halve(seen), { status, headers });
      case 'answered by a proxy with 502':
        return pageOf(502);
      case 'page instead of the answer':
        return pageOf(200);
      default:
        return pageOf(504);
    }
  }

  /** Lets lists and records lag, and records get lost. */
  async #readBadly({ url }: Request, response: Response): Promise<Response> {
    const { pathname } = new URL(url);
    const isRecords = pathname.endsWith('/operations');
    const isList = /\/(projects|networks|public-ips|vms|ssh-keys|port-forwards)$/.test(pathname);
    if ((!isRecords && !isList) || response.status !== 200) return response;
    const now = this.#world.time.now();
    const frozen = this.#frozen.get(url);
    if (frozen && frozen.until > now && !this.#mischief.isOver) {
      return new Response(frozen.text, { status: frozen.status, headers: frozen.headers });
    }
    const point = this.#mischief.next('l');
    const possible: FaultKind[] = readFaults.filter((kind) => (kind === 'list lags') === isList);
    const kind = this.#mischief.choose(point, possible, 1);
    if (!kind && !(isRecords && this.#lostRecords.size > 0)) return response;
    const { status, headers } = response;
    let text = await response.text();
    if (kind === 'record lost') this.#loseRecord(text, point);
    if (isRecords) text = this.#withoutLost(text);
    if (kind === 'list lags' || kind === 'records lag') {
      const longestMs = isList ? longestListLagMs : longestRecordLagMs;
      const until = now + point.dice.between(300, longestMs);
      this.#frozen.set(url, { until, status, headers, text });
      this.#mischief.note(point, kind, pathname);
    }
    return new Response(text, { status, headers });
  }

  #loseRecord(text: string, point: Point): void {
    const [newest] = recordsOf(JSON.parse(text));
    if (!newest) return;
    this.#lostRecords.add(newest.id);
    this.#mischief.note(point, 'record lost');
  }

  #withoutLost(text: string): string {
    const body: unknown = JSON.parse(text);
    const kept = recordsOf(body).filter(({ id }) => !this.#lostRecords.has(id));
    return JSON.stringify(Array.isArray(body) ? kept : { ...(body as object), items: kept });
  }

  #deliver(request: Request): Promise<Response> {
    return this.#gate.pass(() => this.#world.sandbox.fetch(request));
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

  /** Its sender was killed: what is on its way arrives soon, or never will. */
  noteDeath(): void {
    this.#hurry(longestOnTheWayMs);
  }

  /** Hours have passed: what was on its way has arrived. */
  noteJump(): void {
    this.#hurry(0);
  }

  #hurry(mostMs: number): void {
    for (const hurry of this.#onTheWay) hurry(mostMs);
  }

  async #sleepOnTheWay(ms: number): Promise<void> {
    let hurry: (mostMs: number) => void = () => undefined;
    const hurried = new Promise<number>((resolve) => {
      hurry = resolve;
    }).then((mostMs) => (mostMs === 0 ? undefined : this.#sleep(Math.min(ms, mostMs))));
    this.#onTheWay.add(hurry);
    await Promise.race([this.#sleep(ms), hurried]);
    this.#onTheWay.delete(hurry);
  }

  #sleep(ms: number): Promise<void> {
    return this.#world.time.openClock().sleep(ms);
  }
}

function describe({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname}`;
}

function recordsOf(body: unknown): { readonly id: string }[] {
  const items = Array.isArray(body) ? body : (body as { items?: unknown[] }).items;
  return (items ?? []) as { readonly id: string }[];
}

/** The same request, which goes on when its sender has given it up. */
async function detach(request: Request): Promise<Request> {
  const { method, url, headers } = request;
  const body = method === 'GET' || method === 'HEAD' ? '' : await request.clone().text();
  return new Request(url, { method, headers, ...(body !== '' && { body }) });
}

/** A connection that broke, as Node's fetch throws it. */
function brokenConnection(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

function hang(): Promise<never> {
  return new Promise(() => undefined);
}

function refuse(status: number, headers: Record<string, string> = {}): Response {
  return new Response('', { status, headers });
}

function pageOf(status: number): Response {
  const headers = { 'content-type': 'text/html' };
  return new Response(`<html><body><h1>${status}</h1></body></html>`, { status, headers });
}

function noRoom(): Response {
  const headers = { 'content-type': 'application/problem+json' };
  const problem = { title: 'No room', status: 409, code: 'insufficientCapacity' };
  return Response.json(problem, { status: 409, headers });
}

async function halve(response: Response): Promise<string> {
  const text = await response.text();
  return text.slice(0, Math.floor(text.length / 2));
}

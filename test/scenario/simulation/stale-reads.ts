import type { FaultKind } from './fault-kinds.ts';
import type { Mischief, Point } from './mischief.ts';
import { bounds, drawMs } from './spread.ts';

/** An answer as it was given at some time. */
interface Kept {
  readonly at: number;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Frozen extends Kept {
  readonly until: number;
}

const keptAtMost = 30;
const lists = /\/(projects|networks|public-ips|vms|ssh-keys|port-forwards)$/;
const single = /\/(projects|networks|public-ips|vms|ssh-keys|port-forwards)\/[a-z]+-[0-9a-z]+$/;

/** What is read, from the wrong time: lists and records that lag, answers of a while ago, 404s that come and go. */
export class StaleReads {
  readonly #mischief: Mischief;
  readonly #now: () => number;
  readonly #isSeeking: () => boolean;
  /** Answers that stay as they are, by address. */
  readonly #frozen = new Map<string, Frozen>();
  /** The last answers, by address. */
  readonly #kept = new Map<string, Kept[]>();
  /** Until when what stands under an address may be said not to be there. */
  readonly #flapping = new Map<string, number>();
  readonly #lostRecords = new Set<string>();

  /** `isSeeking`: whether the engine looks for something that it made. */
  constructor(mischief: Mischief, now: () => number, isSeeking: () => boolean) {
    this.#isSeeking = isSeeking;
    this.#mischief = mischief;
    this.#now = now;
  }

  /** What is shown of an answer to a GET. */
  async show({ url }: Request, response: Response): Promise<Response> {
    const { pathname } = new URL(url);
    const isRecords = pathname.endsWith('/operations');
    const isList = lists.test(pathname);
    const isSingle = single.test(pathname);
    if ((!isRecords && !isList && !isSingle) || response.status !== 200) return response;
    if (this.#mischief.isOver) return response;
    const now = this.#now();
    const frozen = this.#frozen.get(url);
    if (frozen && frozen.until > now) return revive(frozen);
    const point = this.#mischief.next('l');
    const flapsUntil = this.#flapping.get(url);
    if (flapsUntil !== undefined && flapsUntil > now && point.dice.chance(0.7)) return notFound();
    const kind = this.#mischief.choose(
      point,
      listPossible(isRecords, isList),
      this.#isSeeking() ? 2 : 1,
    );
    const { status, headers } = response;
    const text = await response.text();
    const current = { at: now, status, headers, text };
    const shown = kind ? this.#strike(kind, point, url, current) : current;
    this.#keep(url, current);
    if (shown === undefined) return notFound();
    return revive(isRecords ? { ...shown, text: this.#withoutLost(shown.text) } : shown);
  }

  /** Undefined: it is said not to be there. */
  #strike(kind: FaultKind, point: Point, url: string, current: Kept): Kept | undefined {
    const { pathname } = new URL(url);
    switch (kind) {
      case 'record lost':
        this.#loseRecord(current.text, point);
        return current;
      case 'not found for a while':
        this.#flapping.set(url, current.at + drawMs(point.dice, bounds.flapMs));
        this.#mischief.note(point, kind, pathname);
        return undefined;
      case 'answer from the past': {
        const past = (this.#kept.get(url) ?? []).filter(({ at }) => at > current.at - bounds.lagMs);
        if (past.length === 0) return current;
        const one = point.dice.pick(past);
        this.#mischief.note(point, kind, `${pathname}, ${current.at - one.at} ms old`);
        // A cache says when its answer was made; a copy of the data that lags behind does not know better.
        return point.dice.chance(0.5) ? one : { ...one, headers: current.headers };
      }
      default: {
        const lagMs = drawMs(point.dice, bounds.lagMs);
        // It lags from now on, or it has for a while: then it does not show what has come since.
        const [last] = (this.#kept.get(url) ?? []).slice(-1);
        const isBehind = last && last.at > current.at - bounds.lagMs && point.dice.chance(0.6);
        const one = isBehind ? last : current;
        this.#frozen.set(url, { ...one, until: one.at + lagMs });
        this.#mischief.note(point, kind, `${pathname} for ${lagMs} ms`);
        return one.at + lagMs > current.at ? one : current;
      }
    }
  }

  #keep(url: string, current: Kept): void {
    const kept = this.#kept.get(url) ?? [];
    kept.push(current);
    if (kept.length > keptAtMost) kept.shift();
    this.#kept.set(url, kept);
  }

  #loseRecord(text: string, point: Point): void {
    const [newest] = recordsOf(JSON.parse(text));
    if (!newest) return;
    this.#lostRecords.add(newest.id);
    this.#mischief.note(point, 'record lost');
  }

  #withoutLost(text: string): string {
    if (this.#lostRecords.size === 0) return text;
    const body: unknown = JSON.parse(text);
    const kept = recordsOf(body).filter(({ id }) => !this.#lostRecords.has(id));
    return JSON.stringify(Array.isArray(body) ? kept : { ...(body as object), items: kept });
  }
}

function listPossible(isRecords: boolean, isList: boolean): readonly FaultKind[] {
  if (isRecords) return ['records lag', 'record lost', 'answer from the past'];
  return isList
    ? ['list lags', 'answer from the past']
    : ['not found for a while', 'answer from the past'];
}

function recordsOf(body: unknown): { readonly id: string }[] {
  const items = Array.isArray(body) ? body : (body as { items?: unknown[] }).items;
  return (items ?? []) as { readonly id: string }[];
}

const revive = ({ text, status, headers }: Kept): Response =>
  new Response(text, { status, headers });

const notFound = (): Response => new Response('', { status: 404 });

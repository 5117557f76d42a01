// The network between a run and what keeps its state, on virtual time: slow, cut, and out of order.
import {
  HttpFailure,
  sayOverdue,
  type Exchange,
  type HttpAnswer,
  type HttpRequest,
} from '../../../../src/model/http.ts';
import type { ProcessClock, VirtualTime } from '../../virtual-time.ts';
import { backendFaults, type BackendFaultKind } from '../fault-kinds.ts';
import type { Mischief, Point } from '../mischief.ts';
import { bounds, drawMs } from '../spread.ts';

/** Does what is asked, at once, and answers. */
export type Serve = (request: HttpRequest) => HttpAnswer;

/** What lies between. */
export interface StateNetworkOptions {
  readonly time: VirtualTime;
  /** Nothing goes wrong without it. */
  readonly mischief?: Mischief;
  readonly serve: Serve;
  /** There and back. */
  readonly latencyMs: number;
}

/** The way of one process to what keeps the state. What it has sent arrives, whatever becomes of the process. */
export function openStateExchange(process: ProcessClock, options: StateNetworkOptions): Exchange {
  const way = new Way(process, options);
  return (request) => way.carry(request);
}

class Way {
  readonly #process: ProcessClock;
  readonly #options: StateNetworkOptions;
  readonly #wire: ProcessClock;
  #cutUntil = Number.NEGATIVE_INFINITY;

  constructor(process: ProcessClock, options: StateNetworkOptions) {
    this.#process = process;
    this.#options = options;
    this.#wire = options.time.openClock();
  }

  async carry(request: HttpRequest): Promise<HttpAnswer> {
    const { time, mischief } = this.#options;
    const point = mischief?.next('s');
    const isCut = () => time.now() < this.#cutUntil;
    if (isCut()) return this.#fail(request, point);
    const kind = point && mischief?.choose(point, backendFaults, 0.5);
    if (point && kind)
      mischief?.note(point, kind, `${request.method} ${new URL(request.url).pathname}`);
    const answer = await this.#strike(request, point, kind);
    // What was asked before the network was cut may be answered too late.
    return answer && !isCut() ? answer : this.#fail(request, point);
  }

  /** What comes of a request; undefined for no answer. */
  async #strike(
    request: HttpRequest,
    point: Point | undefined,
    kind: BackendFaultKind | undefined,
  ): Promise<HttpAnswer | undefined> {
    const { time, serve, latencyMs } = this.#options;
    if (!point || !kind) return this.#pass(request, latencyMs);
    const { dice } = point;
    switch (kind) {
      case 'backend: request lost':
        return undefined;
      case 'backend: answer lost':
        await this.#pass(request, latencyMs);
        return undefined;
      case 'backend: request late':
        // Longer than its sender waits, and than any lease.
        void this.#wire.sleep(drawMs(dice, bounds.lateMs, 1_000)).then(() => serve(request));
        return undefined;
      case 'backend: request overtaken':
        return this.#pass(request, latencyMs + drawMs(dice, request.headersMs, 50));
      case 'backend: answer delayed': {
        const answer = await this.#pass(request, latencyMs);
        const waitMs = drawMs(dice, 2 * request.headersMs, 100);
        await this.#process.sleep(Math.min(waitMs, request.headersMs));
        return waitMs > request.headersMs ? undefined : answer;
      }
      case 'backend: not reached for a while':
        this.#cutUntil = time.now() + drawMs(dice, bounds.pauseMs, 100);
        return undefined;
      case 'backend: refused with 503':
        await this.#process.sleep(latencyMs);
        return sayBusy(503);
      case 'backend: answered with 500':
        await this.#pass(request, latencyMs);
        return sayBusy(500);
    }
  }

  async #pass(request: HttpRequest, latencyMs: number): Promise<HttpAnswer> {
    await this.#wire.sleep(latencyMs / 2);
    const answer = this.#options.serve(request);
    // Here the process may have died, or may stand still.
    await this.#process.sleep(latencyMs / 2);
    return answer;
  }

  /** The connection breaks at once, or nothing is heard for as long as the sender waits. */
  async #fail({ headersMs }: HttpRequest, point: Point | undefined): Promise<never> {
    const isSilent = point?.dice.chance(0.3) === true;
    await this.#process.sleep(isSilent ? headersMs : this.#options.latencyMs);
    if (isSilent) throw sayOverdue('answer', headersMs);
    throw new HttpFailure({ kind: 'half', status: 0 }, 'the connection was reset');
  }
}

function sayBusy(status: number): HttpAnswer {
  return { status, text: '', headers: { get: () => null } };
}

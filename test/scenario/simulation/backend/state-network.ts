// The network between a run and what keeps its state, on virtual time: slow, cut, and out of order.
import {
  HttpFailure,
  createOverdueAnswerFailure,
  type HttpExchange,
  type HttpAnswer,
  type HttpRequest,
} from '../../../../src/model/http.ts';
import type {
  ConnectionPool,
  DatabaseResultRow,
} from '../../../../src/state/backends/postgres/database.ts';
import type { GitRunResult } from '../../../../src/state/backends/git/git-program.ts';
import { complain, type Carry } from '../../../support/backends/git-double.ts';
import { SqlError } from '../../../support/backends/postgres-double.ts';
import type { ProcessClock, VirtualTime } from '../../virtual-time.ts';
import { backendFaults, type BackendFaultKind } from '../fault-kinds.ts';
import type { Mischief, Point } from '../mischief.ts';
import { bounds, drawMs } from '../spread.ts';

/** What lies between. */
export interface StateNetworkOptions {
  readonly time: VirtualTime;
  /** Nothing goes wrong without it. */
  readonly mischief?: Mischief | undefined;
  /** There and back. */
  readonly latencyMs: number;
}

/** One request on its way, in the words of its protocol. */
interface Passage<A> {
  readonly what: string;
  /** For how long its sender waits; milliseconds. */
  readonly patienceMs: number;
  /** Does what is asked, at once, and answers. */
  readonly serve: () => A;
  /** Answers as it would have so long ago, in milliseconds; absent where what keeps the state never does that. */
  readonly servePast?: ((agoMs: number) => A) | undefined;
  /** The answer of one that does nothing now, or that failed after it had done it. Throws where that is an error. */
  readonly answerBusy: (when: 'before' | 'after') => A;
  /** Why nothing was heard: the connection has broken, or its sender has waited for long enough. */
  readonly explain: (why: 'broken' | 'overdue') => Error;
}

/** The way of one process to a server of HTTP. What it has sent arrives, whatever becomes of the process. */
export function openStateExchange(
  process: ProcessClock,
  options: StateNetworkOptions,
  serve: (request: HttpRequest) => HttpAnswer,
): HttpExchange {
  const way = new Way(process, options);
  return (request) =>
    way.carry({
      what: `${request.method} ${new URL(request.url).pathname}`,
      patienceMs: request.headersMs,
      serve: () => serve(request),
      answerBusy: (when) => sayBusy(when === 'before' ? 503 : 500),
      explain: (why) =>
        why === 'overdue'
          ? createOverdueAnswerFailure('answer', request.headersMs)
          : new HttpFailure({ kind: 'half', status: 0 }, 'the connection was reset'),
    });
}

/** The way of one process to a database. */
export function openStatePool(
  process: ProcessClock,
  options: StateNetworkOptions,
  serve: (...asked: Parameters<ConnectionPool['query']>) => readonly DatabaseResultRow[],
): ConnectionPool {
  const way = new Way(process, options);
  return {
    query: async (statement, values, answerMs) => ({
      rows: await way.carry({
        what: statement.trim().slice(0, 40),
        patienceMs: answerMs,
        serve: () => serve(statement, values, answerMs),
        answerBusy(when) {
          if (when === 'before') throw new SqlError('57P03', 'the database system is starting up');
          throw new SqlError('57P01', 'terminating connection due to administrator command');
        },
        explain: (why) =>
          why === 'overdue'
            ? new Error('Query read timeout')
            : Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      }),
    }),
    end: () => Promise.resolve(),
  };
}

/** For how long git may fetch. */
const gitMs = 120_000;

/** The way of one repository to its remote. What goes wrong is an answer of git's. */
export function openStateCarry(
  process: ProcessClock,
  options: StateNetworkOptions,
  listPast: (args: readonly string[], agoMs: number) => GitRunResult,
): Carry {
  const way = new Way(process, options);
  return async (args, serve, timeoutMs = gitMs) => {
    const [command = ''] = args;
    const passage: Passage<GitRunResult> = {
      ...{ what: `git ${command}`, patienceMs: timeoutMs, serve },
      ...(command === 'ls-remote' && { servePast: (agoMs) => listPast(args, agoMs) }),
      answerBusy: (when) =>
        when === 'before'
          ? complain('fatal: unable to access remote: The requested URL returned error: 503', 128)
          : complain('fatal: the remote end hung up unexpectedly', 128),
      explain: (why) => new SilentGit(why),
    };
    try {
      return await way.carry(passage);
    } catch (error) {
      if (!(error instanceof SilentGit)) throw error;
      return error.why === 'overdue'
        ? complain('')
        : complain('fatal: unable to access remote: Connection reset by peer', 128);
    }
  };
}

class SilentGit extends Error {
  readonly why: 'broken' | 'overdue';

  constructor(why: 'broken' | 'overdue') {
    super(why);
    this.why = why;
  }
}

const nowFaults = backendFaults.filter((kind) => kind !== 'backend: answer from the past');

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

  async carry<A>(passage: Passage<A>): Promise<A> {
    const { time, mischief } = this.#options;
    const point = mischief?.next('s');
    const isCut = () => time.now() < this.#cutUntil;
    if (isCut()) return this.#fail(passage, point);
    const possible = passage.servePast ? backendFaults : nowFaults;
    const kind = point && mischief?.choose(point, possible, 0.5);
    if (point && kind) mischief?.note(point, kind, passage.what);
    const answer = await this.#strike(passage, point, kind);
    // What was asked before the network was cut may be answered too late.
    return answer && !isCut() ? answer.is : this.#fail(passage, point);
  }

  /** What comes of a request; undefined for no answer. */
  async #strike<A>(
    passage: Passage<A>,
    point: Point | undefined,
    kind: BackendFaultKind | undefined,
  ): Promise<{ readonly is: A } | undefined> {
    const { time, latencyMs } = this.#options;
    if (!point || !kind) return { is: await this.#pass(passage, latencyMs) };
    const { dice } = point;
    const { patienceMs, answerBusy, serve } = passage;
    switch (kind) {
      case 'backend: request lost':
        return undefined;
      case 'backend: answer lost':
        await this.#pass(passage, latencyMs).catch(() => undefined);
        return undefined;
      case 'backend: request late':
        // Longer than its sender waits, and than any lease.
        void this.#wire
          .sleep(drawMs(dice, bounds.lateMs, 1_000))
          .then(serve)
          .catch(() => undefined);
        return undefined;
      case 'backend: request overtaken':
        return { is: await this.#pass(passage, latencyMs + drawMs(dice, patienceMs, 50)) };
      case 'backend: answer delayed': {
        const answer = await this.#pass(passage, latencyMs);
        const waitMs = drawMs(dice, 2 * patienceMs, 100);
        await this.#process.sleep(Math.min(waitMs, patienceMs));
        return waitMs > patienceMs ? undefined : { is: answer };
      }
      case 'backend: not reached for a while':
        this.#cutUntil = time.now() + drawMs(dice, bounds.pauseMs, 100);
        return undefined;
      case 'backend: refused with 503':
        await this.#process.sleep(latencyMs);
        return { is: answerBusy('before') };
      case 'backend: answered with 500':
        await this.#pass(passage, latencyMs);
        return { is: answerBusy('after') };
      case 'backend: answer from the past': {
        const { servePast = serve } = passage;
        const agoMs = drawMs(dice, bounds.lagMs);
        return { is: await this.#pass({ serve: () => servePast(agoMs) }, latencyMs) };
      }
    }
  }

  async #pass<A>({ serve }: Pick<Passage<A>, 'serve'>, latencyMs: number): Promise<A> {
    await this.#wire.sleep(latencyMs / 2);
    const answer = serve();
    // Here the process may have died, or may stand still.
    await this.#process.sleep(latencyMs / 2);
    return answer;
  }

  /** The connection breaks at once, or nothing is heard for as long as the sender waits. */
  async #fail<A>({ patienceMs, explain }: Passage<A>, point: Point | undefined): Promise<never> {
    const isSilent = point?.dice.chance(0.3) === true;
    await this.#process.sleep(isSilent ? patienceMs : this.#options.latencyMs);
    throw explain(isSilent ? 'overdue' : 'broken');
  }
}

function sayBusy(status: number): HttpAnswer {
  return { status, text: '', headers: { get: () => null } };
}
